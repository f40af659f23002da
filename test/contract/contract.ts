import { readdirSync, readFileSync } from 'node:fs';
import type { Schema } from './schema.js';

/** A query parameter as the contract has it. */
export interface Parameter {
  type: string;
  items?: { type: string };
  required: boolean;
  enum?: (string | number)[];
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  default?: unknown;
}

/** An operation as the contract has it. */
export interface Operation {
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** The status of success. */
  status: number;
  query?: Record<string, Parameter>;
  body?: { required: boolean; schema: Schema };
  /** What is answered: a resource, a list of them, or an object with these members. Absent: nothing, or no JSON. */
  answer?: { resource: string; list: boolean } | { members: string[] };
}

/** A field of a resource. */
export interface Field {
  /** Y: always there; N: it may be missing; `?`: not said. */
  required: 'Y' | 'N' | '?';
  /** `string`, `number`, `boolean`, `date-time`, `string|null`, `string[]`, `object`, `object[]`; absent: one of several. */
  type?: string;
  /** All values that it can have. */
  values?: string[];
  members?: Record<string, Field>;
}

const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

/** The operations of the contract, 124 of them. */
export const CONTRACT = readdirSync(new URL('operations', import.meta.url))
  .toSorted()
  .flatMap((file) => read(`operations/${file}`) as Operation[]);

/** The fields of its resources. */
export const RESOURCES = read('resources.json') as Record<string, Record<string, Field>>;

/** The schemas that bodies refer to, by name. */
export const DEFINITIONS = read('definitions.json') as Record<string, Schema>;
