import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { CONTRACT, EXTENSIONS } from '../contract/contract.js';
import type { Schema } from '../contract/schema.js';
import { LEFT_OUT, type LeftOut } from '../client-days/differences.js';
import { type Description, MOMENT } from './described-answers.js';
import { jsonSchema } from './json-schema.js';
import { Routes } from './routes.js';

const SPEC = new URL('../../node_modules/@gitbook/api/spec/openapi.json', import.meta.url);
const OURS = [...CONTRACT, ...EXTENSIONS];
/** Formats that the client's description names; those that are `true` are not looked at. */
const FORMATS = { 'date-time': MOMENT, uri: /^https?:\/\//, byte: true, emoji: true, icon: true, int32: true } as const;

/** The properties that may be left out, in schemas as they are checked. */
const MAY_LACK = 'x-may-lack';

interface Described {
  operationId?: string;
  responses: Description['paths'][string][string]['responses'];
}

/** What the published client says of the answers that it gets, and which operations it was used for. */
export class ClientSpec {
  /** Ids of the operations that succeeded. */
  readonly driven = new Set<string>();
  /** In what else answers differ from the client's description, as `getSpaceById/urls/app must be string`. */
  readonly differences = new Set<string>();
  /** What of `LEFT_OUT` was left out. */
  readonly leftOut = new Set<LeftOut>();

  private readonly operations: ReadonlyMap<string, Described>;
  private readonly checks = new Map<string, ValidateFunction>();
  private readonly routes = new Routes([...new Set(OURS.map(({ path }) => path))]);
  private readonly ajv = new Ajv({ strict: false, allErrors: true, formats: FORMATS, logger: false });

  constructor() {
    const text = readFileSync(SPEC, 'utf8');
    const { paths, components } = JSON.parse(text) as Description;
    this.ajv.addKeyword({ keyword: MAY_LACK, type: 'object', validate: this.lacks, errors: false });
    for (const [name, schema] of Object.entries(components.schemas)) {
      this.ajv.addSchema(jsonSchema(schema, amending(name)), `#/components/schemas/${name}`);
    }
    const all = Object.values(paths).flatMap((item) => Object.values(item) as Described[]);
    this.operations = new Map(all.flatMap((one) => (one.operationId === undefined ? [] : [[one.operationId, one]])));
  }

  /** Whether the client describes the operation `id`. */
  knows(id: string): boolean {
    return this.operations.has(id);
  }

  /** Sends a request, and looks at the answer of success. */
  readonly fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (response.ok) {
      const type = response.headers.get('content-type') ?? '';
      const body: unknown = type.startsWith('application/json') ? await response.clone().json() : undefined;
      this.hold(init?.method ?? 'GET', response.url, response.status, body);
    }
    return response;
  };

  /** Notes which of the properties that may be left out is. */
  private readonly lacks = (names: readonly string[], data: object): boolean => {
    for (const one of LEFT_OUT) {
      if (names.includes(one.property) && !(one.property in data)) this.leftOut.add(one);
    }
    return true;
  };

  private hold(method: string, address: string, status: number, body: unknown): void {
    const path = this.routes.find(address);
    const own = OURS.find((one) => one.method === method && one.path === path);
    if (!own) return;
    this.driven.add(own.id);
    const described = this.operations.get(own.id);
    if (!described) return;
    const answer = described.responses[String(status)];
    if (!answer) this.differences.add(`${own.id} answers ${String(status)}`);
    const schema = answer?.content?.['application/json']?.schema;
    if (!schema) return;
    const check = this.checks.get(own.id) ?? this.ajv.compile(jsonSchema(schema, amending(own.id)));
    this.checks.set(own.id, check);
    if (check(body)) return;
    for (const { instancePath, message = '', params } of check.errors ?? []) {
      const place = instancePath.replace(/\/\d+(?=\/|$)/g, '[]');
      this.differences.add(`${own.id}${place} ${message} ${JSON.stringify(params)}`);
    }
  }
}

/**
 * Makes schemas within `name` of the client into what they can mean: they demand no properties that they do not describe,
 * and the one of an empty text, which stands beside others, allows what those describe. What is left out on purpose is noted.
 */
function amending(name: string): (schema: Schema) => Schema {
  const isLeftOut = (property: string): boolean =>
    LEFT_OUT.some((one) => one.property === property && one.of.test(name));
  return ({ required, additionalProperties, ...rest }) => {
    const { properties } = rest;
    const demanded = required?.filter((property) => !properties || property in properties);
    const isEmpty = additionalProperties === false && Object.keys(properties ?? {}).length === 0;
    return {
      ...rest,
      ...(additionalProperties !== undefined && !isEmpty && { additionalProperties }),
      ...(demanded && { required: demanded.filter((one) => !isLeftOut(one)), [MAY_LACK]: demanded.filter(isLeftOut) }),
    };
  };
}
