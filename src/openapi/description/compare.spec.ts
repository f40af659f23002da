import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { compareDescriptions } from './compare.js';
import type { Json, JsonObject } from './json.js';
import { METHODS } from './parts.js';
import { measure } from '../../../test/support/spent.js';

const operation = (get: JsonObject, components: JsonObject = {}): JsonObject => ({
  openapi: '3.0.3',
  info: { title: 'Pets' },
  paths: { '/pets/{id}': { get } },
  components,
});
const GET = { kind: 'operation', method: 'get', path: '/pets/{id}' };
const reasons = (before: JsonObject, after: JsonObject): string[] =>
  compareDescriptions(before, after).breaking.map(({ name, reason }) =>
    name === undefined ? reason : `${name} ${reason}`,
  );
const sent = (schema: Json): JsonObject => operation({ requestBody: { content: { 'application/json': { schema } } } });
const answered = (schema: Json): JsonObject =>
  operation({ responses: { 200: { content: { 'application/json': { schema } } } } });
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const TEXT = { type: 'string' };

describe('two descriptions', () => {
  it('have everything new, where there was none before', () => {
    const after = operation({ operationId: 'getPet' }, { schemas: { Pet: {} } });
    expect(compareDescriptions(null, after)).toEqual({
      added: [
        { ...GET, operationId: 'getPet' },
        { kind: 'schema', name: 'Pet' },
      ],
      removed: [],
      changed: [],
      breaking: [],
    });
  });

  it('differ in what is there', () => {
    const before = {
      openapi: '3.1.0',
      info: {},
      paths: { '/a': { get: {}, put: {} }, '/b/{id}': { get: {} } },
      webhooks: { born: { post: {} } },
      components: { schemas: { One: {}, Two: TEXT } },
    };
    const after = {
      openapi: '3.1.0',
      info: { title: 'b' },
      paths: { '/a': { get: { summary: 'A' }, post: {} }, '/b/{key}': { get: {} } },
      components: { schemas: { Two: { type: 'number' }, Three: {} } },
    };
    expect(compareDescriptions(before, after)).toEqual({
      added: [
        { kind: 'operation', method: 'post', path: '/a' },
        { kind: 'schema', name: 'Three' },
      ],
      removed: [
        { kind: 'operation', method: 'put', path: '/a' },
        { kind: 'webhook', method: 'post', name: 'born' },
        { kind: 'schema', name: 'One' },
      ],
      changed: [
        { kind: 'operation', method: 'get', path: '/a' },
        { kind: 'schema', name: 'Two' },
      ],
      breaking: [
        { kind: 'operation', method: 'put', path: '/a', reason: 'is gone' },
        { kind: 'webhook', method: 'post', name: 'born', reason: 'is gone' },
      ],
    });
  });

  it.each<[string, JsonObject, JsonObject, string[]]>([
    [
      'a parameter that must be given',
      operation({}),
      operation({ parameters: [{ name: 'q', in: 'query', required: true }] }),
      ['parameter "q" (query): must be given now'],
    ],
    ['a parameter that may be given', operation({}), operation({ parameters: [{ name: 'q', in: 'query' }] }), []],
    [
      'another name of a parameter in the path',
      operation({ parameters: [{ name: 'id', in: 'path', required: true }] }),
      {
        ...operation({}),
        paths: { '/pets/{key}': { get: { parameters: [{ name: 'key', in: 'path', required: true }] } } },
      },
      [],
    ],
    [
      'a parameter of fewer values',
      operation({ parameters: [{ name: 'q', in: 'query', schema: { enum: ['a', 'b'] } }] }),
      operation({ parameters: [{ name: 'q', in: 'query', schema: { enum: ['b', 'c'] } }] }),
      ['parameter "q" (query): does not take the value "a" any more'],
    ],
    ['a body that must be given', sentBody(false), sentBody(true), ['request body: must be given now']],
    ['a body that is gone', sentBody(true), operation({}), ['request body: is not taken any more']],
    [
      'another type of body',
      sent(TEXT),
      operation({ requestBody: { content: { 'text/plain': { schema: TEXT } } } }),
      ['request body (application/json): is gone'],
    ],
    [
      'a property that must be sent',
      sent(object({ a: TEXT })),
      sent(object({ a: TEXT, b: TEXT }, ['b'])),
      ['request body (application/json), property "b": must be given now'],
    ],
    [
      'a property that only answers have',
      sent(object({})),
      sent(object({ id: { ...TEXT, readOnly: true } }, ['id'])),
      [],
    ],
    [
      'a property that is not taken',
      sent(object({ a: TEXT })),
      sent({ ...object({}), additionalProperties: false }),
      ['request body (application/json), property "a": is not taken any more'],
    ],
    [
      'a narrower type',
      sent(object({ a: { type: 'number' } })),
      sent(object({ a: { type: 'integer' } })),
      ['request body (application/json), property "a": does not take the type "number" any more'],
    ],
    ['a wider type', sent({ type: 'integer' }), sent({ type: ['number', 'null'] }), []],
    [
      'a shorter text',
      sent({ ...TEXT, maxLength: 9 }),
      sent({ ...TEXT, maxLength: 8 }),
      ['request body (application/json): has the maxLength 8 now'],
    ],
    [
      'an answer that is gone',
      operation({ responses: { 200: {}, 404: {} } }),
      operation({ responses: { 201: {} } }),
      ['answer 200: is gone'],
    ],
    [
      'a property of answers that is gone',
      answered(object({ a: TEXT, b: { ...TEXT, writeOnly: true } })),
      answered(object({})),
      ['answer 200 (application/json), property "a": is gone'],
    ],
    [
      'a property of answers that may be missing',
      answered(object({ a: TEXT }, ['a'])),
      answered(object({ a: TEXT })),
      ['answer 200 (application/json), property "a": may be missing now'],
    ],
    [
      'answers that may be null',
      answered({ type: 'array', items: TEXT }),
      answered({ type: 'array', items: { ...TEXT, nullable: true } }),
      ['answer 200 (application/json), its items: may be of the type "null" now'],
    ],
    ['a property of answers that is new', answered(object({})), answered(object({ a: TEXT }, ['a'])), []],
    [
      'a variant of answers',
      answered({ oneOf: [TEXT, { type: 'number' }] }),
      answered({ oneOf: [TEXT, { type: 'number' }, { type: 'boolean' }] }),
      ['answer 200 (application/json): may be of another variant now'],
    ],
    [
      'a way to sign in',
      { ...operation({}), security: [{ key: [] }, { token: [] }] },
      { ...operation({}), security: [{ token: [] }] },
      ['security: a way to sign in is not taken any more'],
    ],
    [
      'what is put together',
      sent({ allOf: [object({ a: TEXT }), object({ b: TEXT })] }),
      sent(object({ a: TEXT, b: { type: 'number' } })),
      ['request body (application/json), property "b": does not take the type "string" any more'],
    ],
    [
      'a schema that is sent, by way of another',
      named({ Pet: object({ tag: ref('Tag') }), Tag: TEXT }, 'requestBody'),
      named({ Pet: object({ tag: ref('Tag') }), Tag: { type: 'number' } }, 'requestBody'),
      ['Tag in requests: does not take the type "string" any more'],
    ],
    [
      'a schema that is answered',
      named({ Pet: object({ a: TEXT, parent: ref('Pet') }) }, 'responses'),
      named({ Pet: object({ parent: ref('Pet') }) }, 'responses'),
      ['Pet in answers, property "a": is gone'],
    ],
    [
      'a schema of another name that holds itself',
      named({ Pet: object({ a: TEXT, parent: ref('Pet') }) }, 'responses'),
      {
        ...named({ Animal: object({ parent: ref('Animal') }) }, 'responses'),
        paths: { '/pets/{id}': { get: { responses: { 200: body(ref('Animal')) } } } },
      },
      ['answer 200 (application/json), property "a": is gone'],
    ],
    [
      'a webhook, the other way round',
      { openapi: '3.1.0', webhooks: { born: { post: { requestBody: body(object({ a: TEXT })) } } } },
      { openapi: '3.1.0', webhooks: { born: { post: { requestBody: body(object({ b: TEXT }, ['b'])) } } } },
      ['born request body (application/json), property "a": is gone'],
    ],
    ['the same in an older version of the format', oldPets(), newPets(), []],
  ])('break clients by %s', (_what, before, after, expected) => {
    expect(reasons(before, after)).toEqual(expected);
  });

  it('are alike when they are one, and mirror each other', () => {
    const text = fc.constantFrom('a', 'b', 'c');
    const schema = fc.constantFrom<Json>(TEXT, { type: 'number' }, ref('a'), object({ a: ref('b') }, ['a']), true);
    const anOperation = fc.record({ summary: text, requestBody: schema.map(body), responses: fc.constant({}) });
    const description = fc.record({
      openapi: fc.constant('3.1.0'),
      paths: fc.dictionary(text, fc.dictionary(fc.constantFrom(...METHODS), anOperation)),
      components: fc.record({ schemas: fc.dictionary(text, schema) }),
    }) as unknown as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(description, description, (one, other) => {
        expect(compareDescriptions(one, one)).toEqual({ added: [], removed: [], changed: [], breaking: [] });
        const [there, back] = [compareDescriptions(one, other), compareDescriptions(other, one)];
        expect(new Set(there.added.map(spelled))).toEqual(new Set(back.removed.map(spelled)));
        expect(new Set(there.changed.map(spelled))).toEqual(new Set(back.changed.map(spelled)));
        const named = new Set([...there.removed, ...there.changed].map(spelled));
        for (const { reason: _, ...part } of there.breaking) expect(named).toContain(spelled(part));
      }),
      { numRuns: cases(100, 2000) },
    );
  });

  it('come to an end, however their schemas hold each other', () => {
    const web = (prefix: string): JsonObject => {
      const schemas = Array.from({ length: 60 }, (_, index): [string, Json] => {
        const next = { allOf: [ref(`${prefix}${index + 1}`)] };
        return [`${prefix}${index}`, object({ x: next, y: next, [prefix]: TEXT })];
      });
      return { ...sent(ref(`${prefix}0`)), components: { schemas: Object.fromEntries(schemas) } };
    };
    const spent = measure();
    expect(compareDescriptions(web('S'), web('T')).added).toHaveLength(60);
    expect(spent()).toBeLessThan(10);
  });

  it('are compared in reasonable time where they are large', () => {
    const file = new URL('../../../node_modules/@gitbook/api/spec/openapi.json', import.meta.url);
    const document = JSON.parse(readFileSync(file, 'utf8')) as JsonObject;
    expect(compareDescriptions(document, document)).toEqual({ added: [], removed: [], changed: [], breaking: [] });
  });
});

const spelled = (part: object): string => JSON.stringify(part);

function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

function body(schema: Json): JsonObject {
  return { content: { 'application/json': { schema } } };
}

function sentBody(required: boolean): JsonObject {
  return operation({ requestBody: { required, ...body(TEXT) } });
}

function named(schemas: JsonObject, where: 'requestBody' | 'responses'): JsonObject {
  const content = body(ref('Pet'));
  return operation({ [where]: where === 'responses' ? { 200: content } : content }, { schemas });
}

function oldPets(): JsonObject {
  const get: JsonObject = {
    parameters: [
      { name: 'id', in: 'path', required: true, type: 'string' },
      { name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } },
    ],
    responses: { 200: { schema: { $ref: '#/definitions/Pet' } } },
  };
  return { swagger: '2.0', paths: { '/pets/{id}': { get } }, definitions: { Pet: object({ a: TEXT }) } };
}

function newPets(): JsonObject {
  const get: JsonObject = {
    parameters: [{ name: 'id', in: 'path', required: true, schema: TEXT }],
    requestBody: { required: true, ...body(ref('Pet')) },
    responses: { 200: body(ref('Pet')) },
  };
  return operation(get, { schemas: { Pet: object({ a: TEXT }) } });
}
