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
  /** Other answers that are no failures. */
  also?: number[];
  query?: Record<string, Parameter>;
  /** `content`: its media type, where that is not JSON. */
  body?: { required: boolean; schema: Schema; content?: string };
  /**
   * What is answered: a resource, a list of them, an object with these members, or one of several resources. Absent:
   * nothing, or what `content` says.
   */
  answer?: { resource: string; list: boolean } | { members: string[] } | { oneOf: string[] };
  /** Media types of an answer that is no JSON of the service's own. */
  content?: string[];
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

const operationsIn = (folder: string): Operation[] =>
  readdirSync(new URL(folder, import.meta.url))
    .toSorted()
    .flatMap((file) => read(`${folder}/${file}`) as Operation[]);

/** The operations of the contract, 124 of them. */
export const CONTRACT = operationsIn('operations');

/** The operations that the service has beside them. */
export const EXTENSIONS = operationsIn('extensions/operations');

/** The fields of the resources of both. */
export const RESOURCES = {
  ...(read('resources.json') as Record<string, Record<string, Field>>),
  ...(read('extensions/resources.json') as Record<string, Record<string, Field>>),
};

/** The schemas that bodies refer to, by name. */
export const DEFINITIONS = {
  ...(read('definitions.json') as Record<string, Schema>),
  ...(read('extensions/definitions.json') as Record<string, Schema>),
};
