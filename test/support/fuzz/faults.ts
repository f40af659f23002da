import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from '../../contract/schema.js';
import { jsonText, kindOf, Members, Raw } from './json.js';
import { IDS } from './references.js';
import { ADDRESSES_INSIDE, hostileText, oddText } from './texts.js';
import type { ValidValues } from './valid-values.js';

/** A value with a fault in it. */
export interface Fault {
  value: unknown;
  /** Names of the properties that lead to the fault. */
  at: readonly string[];
  /** That nobody who reads the description could take it for right: it has to be refused. */
  plain: boolean;
}

/** What is nested too deeply for whoever descends by a call of its own. */
const DEEP = [
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  `${'['.repeat(400)}${']'.repeat(400)}`,
];
const PROTOTYPES = [
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"toString":1,"valueOf":1,"toJSON":1,"then":1}',
  '{"length":1e9}',
];
const NUMBERS = ['1e400', '-1e400', '-0', '9007199254740993', '0.1', '1E5', '-1', '4294967296', '1e-400'];

/** Values of every kind. */
const anything: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    5,
    true,
    false,
    'text',
    '',
    [],
    {},
    [[]],
    [null],
    { $gt: '' },
    { $where: 'sleep(9)' },
    { $ne: null },
  ),
  fc.constantFrom(...NUMBERS, ...PROTOTYPES).map((text) => new Raw(text)),
  { weight: 1, arbitrary: fc.constantFrom(...DEEP).map((text) => new Raw(text)) },
);

/** Names that no description knows. */
const strangeNames = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  '$set',
  '$where',
  'a.b',
  '',
  '_id',
  'unknown',
  '\0',
  '😀',
);

/** Makes values with one fault each. */
export class Faults {
  constructor(private readonly valid: ValidValues) {}

  /** A value that is not of `schema`, or nearly not; `field` is what it stands in. */
  of(schema: Schema, field: string, depth = 0): Arbitrary<Fault> {
    const found = this.valid.resolve(schema);
    const choices = found.oneOf ?? found.anyOf;
    if (choices) {
      const one = fc.nat(choices.length - 1).chain((at) => this.of(choices[at] ?? {}, field, depth));
      // what is wrong with one of them may be right with another
      return one.map((fault) => ({ ...fault, plain: false }));
    }
    const wrongKind = anything.map((value) => ({ value, at: [], plain: isStrange(value, found) }));
    const own = this.ownOf(found, { field, depth });
    return own ? fc.oneof({ weight: 1, arbitrary: wrongKind }, { weight: 3, arbitrary: own }) : wrongKind;
  }

  private ownOf(schema: Schema, { field, depth }: { field: string; depth: number }): Arbitrary<Fault> | undefined {
    if (schema.enum) return oddText.map((value) => ({ value, at: [], plain: !schema.enum?.includes(value) }));
    switch (schema.type) {
      case 'string':
        return textFault(schema);
      case 'integer':
      case 'number':
        return numberFault(schema);
      case 'array':
        return this.listFault(schema, { field, depth });
      case 'object':
        return this.objectFault(schema, depth);
      default:
        return undefined;
    }
  }

  private listFault(
    { items = {}, minItems = 0, maxItems }: Schema,
    { field, depth }: { field: string; depth: number },
  ): Arbitrary<Fault> {
    const one = this.valid.of(items, { field, depth: depth + 1 });
    const within = this.of(items, field, depth + 1).map(({ value, at }) => ({ value: [value], at, plain: false }));
    const twice = one.map((value) => ({ value: [value, value], at: [], plain: false }));
    const short = fc.constant<Fault>({ value: [], at: [], plain: minItems > 0 });
    if (maxItems === undefined || maxItems > 2_000) return fc.oneof(within, twice, short);
    const long = one.map((value) => ({ value: Array<unknown>(maxItems + 1).fill(value), at: [], plain: true }));
    return fc.oneof({ weight: 3, arbitrary: within }, twice, short, long);
  }

  private objectFault(schema: Schema, depth: number): Arbitrary<Fault> {
    const { properties = {}, required = [] } = schema;
    const names = Object.keys(properties);
    const base = this.valid.of(schema, { field: '', depth }) as Arbitrary<Record<string, unknown>>;
    const strange = fc.tuple(base, strangeNames, anything).map(([value, name, other]) => ({
      value: new Members([...Object.entries(value), [name, other]]),
      at: [],
      plain: false,
    }));
    const twice = base.map((value) => ({
      value: new Members([...Object.entries(value), ...Object.entries(value)]),
      at: [],
      plain: false,
    }));
    if (names.length === 0) return fc.oneof(strange, twice);
    const inside = fc.constantFrom(...names).chain((name) =>
      fc.tuple(base, this.of(properties[name] ?? {}, name, depth + 1)).map(([value, fault]) => ({
        value: { ...value, [name]: fault.value },
        at: [name, ...fault.at],
        plain: fault.plain,
      })),
    );
    const missing = required.map((name) =>
      base.map((value) => {
        const { [name]: _left, ...rest } = value;
        return { value: rest, at: [name], plain: true };
      }),
    );
    return fc.oneof({ weight: 8, arbitrary: inside }, strange, twice, ...missing);
  }
}

/** Whether a value is of a kind that `schema` does not take. */
function isStrange(value: unknown, { type, nullable, enum: values }: Schema): boolean {
  const kind = kindOf(value);
  if (kind === 'null') return nullable === false || (nullable !== true && !(values?.includes(null) ?? false));
  if (type === undefined) return false;
  return kind !== (type === 'integer' ? 'number' : type);
}

function textFault({ minLength = 0, maxLength, format, pattern }: Schema): Arbitrary<Fault> {
  const others = fc.oneof(hostileText, fc.constantFrom(...IDS), fc.constant(''));
  const wrong = others.map((value) => ({
    value,
    at: [],
    plain:
      [...value].length < minLength ||
      (maxLength !== undefined && !value.includes('~') && [...value].length > maxLength),
  }));
  const inside = fc.constantFrom(...ADDRESSES_INSIDE).map((value) => ({ value, at: [], plain: false }));
  const missed = oddText.map((value) => ({
    value,
    at: [],
    plain: pattern !== undefined && !new RegExp(pattern).test(value),
  }));
  if (maxLength === undefined || maxLength > 200_000) return fc.oneof(wrong, inside);
  const long = fc
    .constantFrom('x', 'ü', '😀')
    .map((one) => ({ value: one.repeat(maxLength + 1), at: [], plain: true }));
  return fc.oneof(
    { weight: 3, arbitrary: wrong },
    { weight: format === 'uri' ? 6 : 1, arbitrary: inside },
    { weight: 1, arbitrary: missed },
    { weight: 2, arbitrary: long },
  );
}

function numberFault({ type, minimum, maximum }: Schema): Arbitrary<Fault> {
  const beyond = [
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(type === 'integer' ? [1.5] : []),
  ].map((value): Fault => ({ value, at: [], plain: true }));
  const odd = NUMBERS.map((text): Fault => ({ value: new Raw(text), at: [], plain: false }));
  return fc.constantFrom(...beyond, ...odd);
}

/** Bodies that are no JSON, or no object, each with what it is sent as. */
export const brokenBodies: Arbitrary<{ bytes: Buffer; type: string }> = fc.oneof(
  fc
    .constantFrom(
      '',
      ' ',
      '{',
      '{"a":',
      '{"a":1,}',
      "{'a':1}",
      '{"a":NaN}',
      '{"a":01}',
      '[]',
      '5',
      'null',
      '"text"',
      '{}{}',
      '\uFEFF{}',
      '{"a":"\u0001"}',
    )
    .map((text) => ({ bytes: Buffer.from(text), type: 'application/json' })),
  fc.constantFrom(...DEEP, ...PROTOTYPES).map((text) => ({ bytes: Buffer.from(text), type: 'application/json' })),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => ({ bytes: Buffer.from(bytes), type: 'application/json' })),
  fc
    .constantFrom(Buffer.from('{}', 'utf16le'), Buffer.from('{"a":"\xff"}', 'latin1'))
    .map((bytes) => ({ bytes, type: 'application/json' })),
  fc
    .constantFrom(
      ...[
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/zip',
      ],
      ...[
        'application/json; charset=utf-16',
        'application/json; charset=nonsense',
        'application/jsonp',
        'json',
        '',
        ';',
        'application/json;;;',
      ],
    )
    .map((type) => ({ bytes: Buffer.from(jsonText({ title: 'Title' })), type })),
);
