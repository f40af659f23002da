import { dump } from 'js-yaml';
import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { DescriptionError } from './description-error.js';
import { canonical, type Json, type JsonObject } from './json.js';
import { outlineOf } from './outline.js';
import { readDescription } from './read-description.js';
import { replyTo } from './tasks.js';
import { measure } from '../../../test/support/spent.js';

const INFO = { title: 'Pets', version: '1' };
const read = (text: string) => readDescription(Buffer.from(text));
const json = (document: object) => read(JSON.stringify(document));

describe('the text of a description', () => {
  it.each([
    ['2.0', { swagger: '2.0', info: INFO, paths: {} }],
    ['3.0', { openapi: '3.0.3', info: INFO, paths: {} }],
    ['3.1', { openapi: '3.1.0', info: INFO, paths: {} }],
    ['3.1 without paths', { openapi: '3.1.1', info: INFO, components: {} }],
    ['a release candidate', { openapi: '3.0.0-rc2', info: INFO, paths: {} }],
    ['schemas that hold each other', circular()],
    ['names that objects have by themselves', { ...circular(), paths: { '/a': { get: { tags: ['constructor'] } } } }],
  ])('is read in JSON and YAML: %s', (_what, document) => {
    expect(json(document)).toEqual({ document, format: 'json' });
    expect(json(document).document).toEqual(read(`\uFEFF${dump(document, { noRefs: true })}`).document);
    expect(read(dump(document)).format).toBe('yaml');
  });

  it.each([
    ['nothing', ''],
    ['no object', '"text"'],
    ['a list', '[]'],
    ['null', 'null'],
    ['broken', '{"openapi": "3.0.0", '],
    ['a page', '<!doctype html><html><body>Not found</body></html>'],
    ['another version', JSON.stringify({ openapi: '3.2.0', info: INFO, paths: {} })],
    ['an older version', JSON.stringify({ swagger: '1.2', info: INFO, paths: {} })],
    ['a version that is a number', 'swagger: 2.0\ninfo: {title: a}\npaths: {}'],
    ['no version', JSON.stringify({ info: INFO, paths: {} })],
    ['no info', JSON.stringify({ openapi: '3.0.0', paths: {} })],
    ['no paths', JSON.stringify({ openapi: '3.0.0', info: INFO, components: {} })],
    ['paths that are a list', JSON.stringify({ openapi: '3.0.0', info: INFO, paths: [] })],
    ['a path that is a text', JSON.stringify({ openapi: '3.0.0', info: INFO, paths: { '/a': 'b' } })],
    ['an operation that is a list', JSON.stringify({ openapi: '3.0.0', info: INFO, paths: { '/a': { get: [] } } })],
    ['tags without names', JSON.stringify({ openapi: '3.0.0', info: INFO, paths: {}, tags: [{}] })],
    ['two documents', 'a: 1\n---\na: 2'],
    ['a number without an end', 'openapi: 3.0.0\ninfo: {title: a}\npaths: {}\nx: .inf'],
  ])('is refused: %s', (_what, text) => {
    expect(() => read(text)).toThrow(DescriptionError);
  });

  const start = 'openapi: 3.0.0\ninfo: {title: a}\npaths: {}\n';
  const laughs = Array.from({ length: 30 }, (_, level) =>
    level === 0
      ? 'x-0: &l0 [lol]'
      : `x-${level}: &l${level} [${Array(10)
          .fill(`*l${level - 1}`)
          .join(', ')}]`,
  );
  it.each([
    ['a billion laughs', start + laughs.join('\n')],
    ['laughs of merged keys', `${start}a: &a {b: 1}\n${'c: &a {<<: [*a, *a, *a]}\n'.repeat(100)}`],
    ['a list that holds itself', `${start}x-a: &a [*a]`],
    ['an object that holds itself', `${start}x-a: &a {b: *a}`],
    ['deep JSON', `{"openapi":"3.0.0","info":{"title":"a"},"paths":{},"x":${'['.repeat(1e6)}${']'.repeat(1e6)}}`],
    ['deep YAML', `${start}x: ${'['.repeat(100_000)}`],
    ['deep blocks', start + Array.from({ length: 3000 }, (_, depth) => `${' '.repeat(depth)}x:`).join('\n')],
    ['a key that is a prototype, in JSON', '{"openapi":"3.0.0","info":{"title":"a"},"paths":{"__proto__":{"a":1}}}'],
    ['a key that is a prototype, in YAML', `${start}x: {__proto__: {polluted: true}}`],
    ['references in a circle', JSON.stringify({ ...circular(), paths: { '/a': { $ref: '#/paths/~1a' } } })],
    [
      'schemas that are references in a circle',
      JSON.stringify({
        ...circular(),
        components: { schemas: { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } } },
      }),
    ],
    ['many values', `{"openapi":"3.0.0","info":{"title":"a"},"paths":{},"x":[${'0,'.repeat(4e6)}0]}`],
    ['many operations', JSON.stringify({ ...circular(), paths: many(20_001) })],
    ['bytes that are no text', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
    ['tags of other types', `${start}x: !!js/function 'function () {}'`],
  ])('is refused in time: %s', (_what, text) => {
    const spent = measure();
    const reply = replyTo({ kind: 'read', input: Buffer.from(text) });
    expect(reply).toEqual({ error: expect.any(String) as string });
    expect(spent()).toBeLessThan(8);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('says the same in whatever form and order it is written', () => {
    const value: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), (given) => {
        fc.pre(!JSON.stringify(given).includes('__proto__'));
        const document = { openapi: '3.0.0', info: INFO, paths: {}, 'x-given': given };
        const turned = Object.fromEntries(Object.entries(document).reverse());
        expect(hashOf(JSON.stringify(document, null, 2))).toBe(hashOf(JSON.stringify(turned)));
        expect(canonical(JSON.parse(canonical(given)) as Json)).toBe(canonical(given));
        expect(JSON.parse(canonical(given))).toEqual(JSON.parse(JSON.stringify(given)));
      }),
      { numRuns: cases(50, 1000) },
    );
  });
});

describe('the outline of a description', () => {
  it('has tags in their order, with how their pages look, and operations in theirs', () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'Pets', description: 'All of them' },
      tags: [
        { name: 'dogs', 'x-page-title': 'Dogs', 'x-page-icon': 'dog', 'x-parent': 'pets', description: 'Woof' },
        { name: 'pets', 'x-displayName': 'Pets' },
        { name: 'dogs', description: 'again' },
      ],
      paths: {
        'x-note': 'none',
        '/pets': { $ref: '#/components/pathItems/pets' },
        '/dogs/{id}': {
          parameters: [],
          get: { operationId: 'getDog', summary: 'Read a dog', description: 'By id', tags: ['dogs', 'new', 'dogs'] },
        },
        '/elsewhere': { $ref: 'other.json#/a' },
      },
      webhooks: { born: { post: { deprecated: true } } },
      components: { pathItems: { pets: { put: {}, get: { tags: ['pets'] } } }, schemas: { Pet: {}, Dog: true } },
    };
    expect(outlineOf(json(document).document)).toEqual({
      format: '3.1.0',
      title: 'Pets',
      description: 'All of them',
      tags: [
        { name: 'dogs', title: 'Dogs', description: 'Woof', icon: 'dog', parent: 'pets' },
        { name: 'pets', title: 'Pets' },
        { name: 'new' },
      ],
      operations: [
        { method: 'put', path: '/pets', isWebhook: false, isDeprecated: false, tags: [] },
        { method: 'get', path: '/pets', isWebhook: false, isDeprecated: false, tags: ['pets'] },
        {
          method: 'get',
          path: '/dogs/{id}',
          isWebhook: false,
          operationId: 'getDog',
          summary: 'Read a dog',
          description: 'By id',
          isDeprecated: false,
          tags: ['dogs', 'new'],
        },
        { method: 'post', path: 'born', isWebhook: true, isDeprecated: true, tags: [] },
      ],
      schemas: ['Pet', 'Dog'],
    });
  });
});

/** A description with schemas that hold each other, as honest ones do. */
function circular(): JsonObject {
  const Pet = { type: 'object', properties: { parent: { $ref: '#/components/schemas/Pet' } } };
  return { openapi: '3.0.0', info: INFO, paths: {}, components: { schemas: { Pet } } };
}

function many(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`/${index}`, { get: {} }]));
}

function hashOf(text: string): string {
  const reply = replyTo({ kind: 'read', input: Buffer.from(text) });
  if (!('output' in reply) || !('hash' in reply.output)) throw new Error(JSON.stringify(reply));
  return reply.output.hash;
}
