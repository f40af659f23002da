import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from '../../contract/schema.js';
import { ACCESS } from '../access-table.js';
import { brokenBodies, type Fault, Faults } from './faults.js';
import { hostileHeaders } from './headers.js';
import { jsonText } from './json.js';
import { IDS, type Name, reference } from './references.js';
import { ADDRESSES_INSIDE, hostileText } from './texts.js';
import { ValidValues } from './valid-values.js';

/** Who sends a request. */
export type Caller = 'admin' | 'reader' | 'neighbour' | 'nobody';
/** What was made wrong of a request. */
export type Wrong = 'nothing' | 'body' | 'bytes' | 'query' | 'path' | 'headers' | 'caller' | 'method';

/** A request; references stand for the ids of things in path, query and body. */
export interface FuzzRequest {
  wrong: Wrong;
  caller: Caller;
  method: string;
  path: string;
  /** As it is sent, without the question mark. */
  query: string;
  headers: Record<string, string>;
  body: Buffer | string | null;
  chunked: boolean;
  /** The fault of the body, where there is one. */
  fault: Pick<Fault, 'at' | 'plain'> | null;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

/** An operation, as far as the description says what it takes and answers. */
export interface FuzzOperation {
  name: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** Media type of the body and what it holds; left out where the operation takes none. */
  body?: { type: string; schema: Schema };
  /** Statuses that it says it answers, each with the media types of the answer. */
  answers: Map<number, string[]>;
}

interface Described {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

/** Every operation of the description of the service. */
export function fuzzOperations(paths: Record<string, Record<string, unknown>>): FuzzOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => {
      const { operationId, parameters = [], requestBody, responses } = one as Described;
      const [content] = Object.entries(requestBody?.content ?? {});
      return {
        name: operationId,
        method: method.toUpperCase(),
        path,
        parameters,
        ...(content && { body: { type: content[0], schema: content[1].schema } }),
        answers: new Map(
          Object.entries(responses).map(([status, { content: types = {} }]) => [Number(status), Object.keys(types)]),
        ),
      };
    }),
  );
}

/** What the path of an operation is sent with, besides the ids of things that are there. */
const STRANGE_SEGMENTS = [
  ...[
    '%',
    '%zz',
    '%ff',
    '%00',
    '%2f',
    '%2e%2e',
    '..',
    '.',
    '%c0%ae',
    '%ed%a0%80',
    '%F0%9F%98%80',
    '%25',
    '%0d%0aX-Injected:1',
    '%E2%80%AE',
  ],
  ...[
    'a'.repeat(2_000),
    '__proto__',
    'constructor',
    '$where',
    '[object%20Object]',
    '-1',
    '0',
    '1e400',
    'latest',
    '*',
    ';a=b',
    'a%20b',
    "'",
  ],
  ...['%5B%5D', '(a+)+$', '~~', ':spaceId', '{spaceId}', '%7B%22%24gt%22%3A%22%22%7D'],
];
const BROKEN_VALUES = ['%', '%zz', '%ff', '%00', '%c0%ae', '%ed%a0%80', '%u0041', '+', '%2B', '%0d%0a'];
const NUMBERS = [
  '1e400',
  '-0',
  '9007199254740993',
  '0x10',
  '%201',
  '%D9%A1',
  '1.0',
  'Infinity',
  'NaN',
  '',
  '+1',
  '1_000',
];
const LONGEST_IN_QUERY = 500;
const REPETITIONS = [
  '',
  '[]',
  '[0]',
  '[a]',
  '[$gt]',
  '[__proto__][x]',
  '[constructor][prototype][x]',
  '.b',
  '[a][b][c][d][e][f]',
  '[1000000]',
];

/** Makes requests of operations. */
export class FuzzRequests {
  private readonly valid: ValidValues;
  private readonly faults: Faults;

  constructor(schemas: Record<string, Schema>) {
    this.valid = new ValidValues(schemas);
    this.faults = new Faults(this.valid);
  }

  /** Requests of `operation`: many as described, the others with something wrong. */
  of(operation: FuzzOperation): Arbitrary<FuzzRequest> {
    const { body, parameters } = operation;
    const queries = parameters.some((one) => one.in === 'query');
    const share = (weight: number, wrong: Wrong) => ({ weight, arbitrary: this.with(operation, wrong) });
    return fc.oneof(
      share(7, 'nothing'),
      ...(body?.type === 'application/json' ? [share(8, 'body')] : []),
      share(body ? 2 : 1, 'bytes'),
      share(queries ? 5 : 1, 'query'),
      ...(operation.path.includes('{') ? [share(2, 'path')] : []),
      share(2, 'headers'),
      share(2, 'caller'),
      share(1, 'method'),
    );
  }

  private with(operation: FuzzOperation, wrong: Wrong): Arbitrary<FuzzRequest> {
    const content = this.contentOf(operation, wrong);
    return fc
      .record({
        content,
        path: wrong === 'path' ? strangePath(operation.path) : fc.constant(pathOf(operation.path)),
        query: wrong === 'query' ? this.strangeQuery(operation) : this.queryOf(operation),
        headers: wrong === 'headers' ? hostileHeaders : fc.constant({}),
        method:
          wrong === 'method'
            ? fc.constantFrom('HEAD', 'OPTIONS', 'TRACE', 'PATCH', 'PUT', 'PROPFIND', 'QUERY')
            : fc.constant(operation.method),
        caller:
          wrong === 'caller' ? fc.constantFrom<Caller>('reader', 'neighbour', 'nobody') : fc.constant<Caller>('admin'),
        chunked: fc.boolean(),
      })
      .map(({ content: { body, type, fault }, headers, ...rest }) => ({
        ...rest,
        wrong,
        body,
        fault,
        headers: { ...(body !== null && { 'Content-Type': type }), ...headers },
      }));
  }

  private contentOf(
    operation: FuzzOperation,
    wrong: Wrong,
  ): Arbitrary<{ body: Buffer | string | null; type: string; fault: Fault | null }> {
    const { body } = operation;
    const none = { body: null, type: '', fault: null };
    if (wrong === 'bytes') {
      const broken = brokenBodies.map(({ bytes, type }) => ({ body: bytes, type, fault: null }));
      return fc.oneof({ weight: 9, arbitrary: broken }, { weight: 1, arbitrary: fc.constant(none) });
    }
    if (!body) return fc.constant(none);
    if (body.type === 'application/json') {
      if (wrong === 'body') {
        return this.faults
          .of(body.schema, '')
          .map((fault) => ({ body: jsonText(fault.value), type: body.type, fault }));
      }
      const { body: example } = known(operation);
      const made = this.valid.of(body.schema, { field: '', depth: 0 });
      const value = typeof example === 'object' ? fc.oneof(made, made, fc.constant(example)) : made;
      return value.map((one) => ({ body: jsonText(one), type: body.type, fault: null }));
    }
    if (body.type !== 'application/x-www-form-urlencoded') {
      return fc
        .uint8Array({ maxLength: 60 })
        .map((bytes) => ({ body: Buffer.from(bytes), type: body.type, fault: null }));
    }
    const fields = this.valid.of(body.schema, { field: '', depth: 0 }) as Arbitrary<Record<string, unknown>>;
    return fields.map((value) => ({ body: queryText(Object.entries(value)), type: body.type, fault: null }));
  }

  private queryOf(operation: FuzzOperation): Arbitrary<string> {
    const { query } = known(operation);
    if (query !== undefined) return fc.oneof(this.madeQuery(operation), fc.constant(query));
    return this.madeQuery(operation);
  }

  private madeQuery({ parameters }: FuzzOperation): Arbitrary<string> {
    // where a list goes on is told by an answer, and known to nobody before
    const own = parameters.filter((one) => one.in === 'query' && one.name !== 'page');
    return fc
      .subarray(own.filter(({ required }) => required !== true))
      .chain((optional) =>
        fc.tuple(
          ...[...own.filter(({ required }) => required === true), ...optional].map(({ name, schema }) =>
            this.valid.of(short(schema), { field: name, depth: 0 }).map((value) => `${name}=${encoded(String(value))}`),
          ),
        ),
      )
      .map((pairs) => pairs.join('&'));
  }

  private strangeQuery(operation: FuzzOperation): Arbitrary<string> {
    const names = operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name);
    const name = fc.constantFrom(...names, ...names, ...names, 'unknown', '__proto__', '$where', 'access_token', '');
    const value = fc.oneof(
      fc.constantFrom(...BROKEN_VALUES, ...NUMBERS, ...IDS),
      fc.constantFrom(...ADDRESSES_INSIDE).map(encoded),
      fc.constantFrom(2_049, 6_000).map((length) => 'x'.repeat(length)),
      { weight: 3, arbitrary: hostileText.map((text) => encoded([...text].slice(0, 900).join(''))) },
    );
    const pair = fc.tuple(
      name,
      fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.constantFrom(...REPETITIONS)),
      value,
    );
    return fc.tuple(this.queryOf(operation), fc.array(pair, { minLength: 1, maxLength: 3 })).map(([valid, pairs]) => {
      const strange = pairs.map(([own, suffix, one]) => `${own}${suffix}=${one}`);
      return [...(valid === '' ? [] : [valid]), ...strange].join('&');
    });
  }
}

/** A text in an address is not as long as it may be: there is a limit on the whole of it. */
const short = (schema: Schema): Schema => ({
  ...schema,
  ...(schema.type === 'string' && { maxLength: Math.min(schema.maxLength ?? LONGEST_IN_QUERY, LONGEST_IN_QUERY) }),
  ...(schema.items && { items: short(schema.items), maxItems: 5 }),
});

/** What operations succeed with that no table tells. */
const KNOWN: Record<string, { query?: string; body?: object }> = {
  downloadFile: { query: '~fileQuery~' },
  getContentByUrl: { query: 'url=~spaceURL~' },
  getSiteRedirectBySource: { query: 'source=%2Fold' },
  login: { body: { email: '~email~', password: '~password~' } },
};

/** What the operation is known to succeed with. */
function known({ name }: FuzzOperation): { query?: string; body?: unknown } {
  const row = Object.hasOwn(ACCESS, name) ? ACCESS[name] : undefined;
  if (Object.hasOwn(KNOWN, name)) return KNOWN[name] ?? {};
  if (row === undefined || row.allowed >= 400) return {};
  return { body: row.body, ...(row.query && { query: queryText(Object.entries(row.query)) }) };
}

const queryText = (pairs: [string, unknown][]): string =>
  pairs.map(([name, value]) => `${name}=${encoded(String(value))}`).join('&');

const pathOf = (path: string): string => path.replace(/\{(\w+)\}/g, (_, name: Name) => reference(name));

/** The path with one strange segment in it. */
function strangePath(path: string): Arbitrary<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const segment = fc.oneof(
    fc.constantFrom(...STRANGE_SEGMENTS),
    { weight: 2, arbitrary: fc.constantFrom(...IDS) },
    hostileText.map((text) => encoded([...text].slice(0, 200).join('')) || 'x'),
  );
  return fc
    .tuple(fc.constantFrom(...names), segment)
    .map(([name, strange]) => pathOf(path.replace(`{${name}}`, strange)));
}

/** `text` as part of an address, half surrogate pairs too. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%EF%BF%BD', '%ED%A0%80');
}
