import { AdaptiveSchemaError, readAdaptiveSchema } from './read-schema.js';

const DRAFT = 'http://json-schema.org/draft-07/schema#';
const flag = { type: 'boolean', description: 'A flag' };
const schema = (properties: unknown, others: object = {}): object => ({ type: 'object', properties, ...others });
/** `levels` objects with a flag in the innermost. */
const nested = (levels: number): object =>
  levels === 0 ? flag : { type: 'object', description: 'Holds more', properties: { inner: nested(levels - 1) } };
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, flag]));

describe('readAdaptiveSchema', () => {
  it('answers what it was given, closed', () => {
    const plan = { type: 'string', description: 'The plan', enum: ['free', 'gold', ''] };
    const given = {
      $schema: DRAFT,
      $id: 'visitors',
      type: 'object',
      properties: {
        isStaff: flag,
        plan,
        seats: { type: 'number', description: '' },
        email: { type: 'string', description: 'Address' },
        'https://example.org/products': { type: 'array', description: 'Products', items: plan },
        flags: { type: 'array', description: 'Flags', items: flag },
        account: {
          type: 'object',
          description: 'Account',
          properties: { tier: plan, unsigned: flag, none: nested(1) },
        },
        unsigned: { type: 'object', description: 'From the address', properties: { beta: flag } },
      },
      additionalProperties: false,
    };
    const before = JSON.stringify(given);
    const read = readAdaptiveSchema(given);
    expect(read).toEqual({
      ...given,
      properties: {
        ...given.properties,
        account: {
          ...given.properties.account,
          properties: {
            tier: plan,
            unsigned: flag,
            none: {
              type: 'object',
              description: 'Holds more',
              properties: { inner: flag },
              additionalProperties: false,
            },
          },
          additionalProperties: false,
        },
        unsigned: { ...given.properties.unsigned, additionalProperties: false },
      },
    });
    expect(JSON.stringify(given)).toBe(before);
    expect(readAdaptiveSchema(JSON.parse(JSON.stringify(read)))).toEqual(read);
  });

  it('puts in that a schema is closed', () => {
    const closed = { type: 'object', properties: {}, additionalProperties: false };
    expect(readAdaptiveSchema({ type: 'object', properties: {} })).toEqual(closed);
    expect(readAdaptiveSchema(schema({ unsigned: { type: 'object', properties: {} } }))).toEqual({
      ...closed,
      properties: { unsigned: closed },
    });
  });

  it('takes 100 claims, groups and unsigned ones included, in 5 levels, with names of 128 characters', () => {
    const unsigned = { type: 'object', properties: many(50) };
    expect(() => readAdaptiveSchema(schema({ ...many(50), unsigned }))).not.toThrow();
    expect(() => readAdaptiveSchema(schema({ a: nested(4), unsigned: schema({ b: nested(4) }) }))).not.toThrow();
    expect(() => readAdaptiveSchema(schema({ ['😀'.repeat(128)]: flag }))).not.toThrow();
    expect(() => readAdaptiveSchema(schema({ toString: flag, 'a.b $c': flag }))).not.toThrow();
  });

  const group = { type: 'object', description: 'A group' };
  const tooMany = 'jsonSchema must declare at most 100 claims';
  const noObject = 'must be an object';
  const types = 'must be one of boolean, string, number, array, object';
  const unreadable = 'must have another name: conditions cannot read this one';

  it.each<[unknown, string | RegExp]>([
    [undefined, `jsonSchema ${noObject}`],
    [null, `jsonSchema ${noObject}`],
    [[], `jsonSchema ${noObject}`],
    ['{}', `jsonSchema ${noObject}`],
    [{ properties: {} }, 'jsonSchema.type must be object'],
    [{ type: 'array', properties: {} }, 'jsonSchema.type must be object'],
    [{ type: 'object' }, `jsonSchema.properties ${noObject}`],
    [schema([]), `jsonSchema.properties ${noObject}`],
    [schema({}, { $schema: 'https://json-schema.org/draft/2020-12/schema' }), `jsonSchema.$schema must be ${DRAFT}`],
    [schema({}, { $schema: null }), `jsonSchema.$schema must be ${DRAFT}`],
    [schema({}, { $id: 5 }), 'jsonSchema.$id must be a string'],
    [schema({}, { $id: 'a\0' }), 'jsonSchema.$id must be well-formed text without NUL characters'],
    [schema({}, { additionalProperties: true }), 'jsonSchema.additionalProperties must be false'],
    [
      schema({}, { required: [] }),
      'jsonSchema.required is not known here; leave it out (known: $schema, $id, type, properties, additionalProperties)',
    ],
    [JSON.parse('{"type":"object","properties":{},"__proto__":{}}'), /^jsonSchema\.__proto__ is not known here/],
    [schema({ a: null }), `jsonSchema.properties.a ${noObject}`],
    [schema({ a: true }), `jsonSchema.properties.a ${noObject}`],
    [schema({ a: { description: 'x' } }), `jsonSchema.properties.a.type ${types}`],
    [schema({ a: { type: 'integer', description: 'x' } }), `jsonSchema.properties.a.type ${types}`],
    [schema({ a: { type: ['string'], description: 'x' } }), `jsonSchema.properties.a.type ${types}`],
    [schema({ a: { type: 'toString', description: 'x' } }), `jsonSchema.properties.a.type ${types}`],
    [schema({ a: { type: 'boolean' } }), 'jsonSchema.properties.a.description must be a string'],
    [schema({ a: { ...flag, description: null } }), 'jsonSchema.properties.a.description must be a string'],
    [
      schema({ a: { ...flag, enum: [true] } }),
      'jsonSchema.properties.a.enum is not known here; leave it out (known: type, description)',
    ],
    [
      schema({ a: { ...flag, type: 'string', pattern: '(a+)+' } }),
      'jsonSchema.properties.a.pattern is not known here; leave it out (known: type, description, enum)',
    ],
    [schema({ a: { ...flag, type: 'string', enum: 'x' } }), 'jsonSchema.properties.a.enum must be a list of strings'],
    [schema({ a: { ...flag, type: 'string', enum: ['x', 1] } }), 'jsonSchema.properties.a.enum.1 must be a string'],
    [schema({ a: { ...flag, type: 'array' } }), `jsonSchema.properties.a.items ${noObject}`],
    [schema({ a: { ...flag, type: 'array', items: [flag] } }), `jsonSchema.properties.a.items ${noObject}`],
    [
      schema({ a: { ...flag, type: 'array', items: { type: 'boolean' } } }),
      'jsonSchema.properties.a.items.description must be a string',
    ],
    [
      schema({ a: { ...flag, type: 'array', items: nested(1) } }),
      'jsonSchema.properties.a.items.type must be one of boolean, string, number',
    ],
    [
      schema({ a: { ...flag, type: 'array', items: flag, maxItems: 3 } }),
      'jsonSchema.properties.a.maxItems is not known here; leave it out (known: type, description, items)',
    ],
    [schema({ a: group }), `jsonSchema.properties.a.properties ${noObject}`],
    [
      schema({ a: { ...group, properties: {}, additionalProperties: {} } }),
      'jsonSchema.properties.a.additionalProperties must be false',
    ],
    [schema({ a: { ...group, properties: { b: {} } } }), `jsonSchema.properties.a.properties.b.type ${types}`],
    [schema({ unsigned: flag }), 'jsonSchema.properties.unsigned.type must be object'],
    [schema({ unsigned: { type: 'object' } }), `jsonSchema.properties.unsigned.properties ${noObject}`],
    [
      schema({ unsigned: schema({}, { description: 1 }) }),
      'jsonSchema.properties.unsigned.description must be a string',
    ],
    [
      schema({ unsigned: schema({}, { additionalProperties: true }) }),
      'jsonSchema.properties.unsigned.additionalProperties must be false',
    ],
    [
      schema({ unsigned: schema({ a: { type: 'null' } }) }),
      `jsonSchema.properties.unsigned.properties.a.type ${types}`,
    ],
    [schema({ '': flag }), 'jsonSchema.properties. must have a name of 1 to 128 characters'],
    [
      schema({ ['n'.repeat(129)]: flag }),
      `jsonSchema.properties.${'n'.repeat(128)} must have a name of 1 to 128 characters`,
    ],
    [schema({ 'a\0': flag }), 'jsonSchema.properties.a\0 must have a name of well-formed text without NUL characters'],
    [schema({ '\ud800': flag }), /must have a name of well-formed text without NUL characters$/],
    [
      JSON.parse(`{"type":"object","properties":{"__proto__":${JSON.stringify(flag)}}}`),
      /__proto__ must have another name/,
    ],
    [schema({ constructor: flag }), `jsonSchema.properties.constructor ${unreadable}`],
    [
      schema({ a: { ...group, properties: { prototype: flag } } }),
      `jsonSchema.properties.a.properties.prototype ${unreadable}`,
    ],
    [schema({ a: nested(5) }), /inner is nested too deeply: at most 5 levels of claims are possible$/],
    [schema({ unsigned: schema({ a: nested(5) }) }), /inner is nested too deeply: at most 5 levels of claims/],
    [schema(many(101)), tooMany],
    [schema({ ...many(50), unsigned: schema(many(51)) }), tooMany],
    [schema({ ...many(99), a: nested(1) }), tooMany],
    [schema({ a: { ...flag, description: 'x'.repeat(65_536) } }), 'jsonSchema must be at most 65536 bytes of JSON'],
  ])('refuses %#: %j', (given, message) => {
    const reading = () => readAdaptiveSchema(given);
    expect(reading).toThrow(AdaptiveSchemaError);
    expect(reading).toThrow(typeof message === 'string' ? new AdaptiveSchemaError(message) : message);
  });

  it('reads no further than it has to', () => {
    expect(() => readAdaptiveSchema(schema({ a: nested(5000) }))).toThrow(/inner is nested too deeply/);
    expect(() => readAdaptiveSchema(schema(many(100_000)))).toThrow(tooMany);
  });

  it('names a long key shortly', () => {
    let message = '';
    try {
      readAdaptiveSchema({ ['😀'.repeat(1_000_000)]: 1 });
    } catch (error) {
      message = String(error);
    }
    expect(message.length).toBeLessThan(500);
    expect(message.isWellFormed()).toBe(true);
  });
});
