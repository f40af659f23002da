import fc, { type Arbitrary } from 'fast-check';
import { resolver, type Schema } from '../../contract/schema.js';
import { referencesIn } from './references.js';
import { cut, oddText, word } from './texts.js';

/** Levels of a value, at the most: what goes on below is left out where it may be. */
const DEEPEST = 6;
/** A text longer than that is not made for each request. */
const LONGEST = 4_000;

const DATES = ['2026-11-22T00:00:00.000Z', '2030-02-28T23:59:59.999Z', '1970-01-01T00:00:00.000Z'];
const ADDRESSES = [
  'https://hooks.invalid/',
  'https://hooks.invalid/a?b=c#d',
  '~siteURL~',
  '~siteURL~a-page',
  'https://docs.invalid/ü',
];
const TINY_IMAGE = 'R0lGODlhAQABAAAAACwAAAAAAQABAAA=';

const FORMATS: Record<string, Arbitrary<string>> = {
  'date-time': fc.constantFrom(...DATES),
  uri: fc.constantFrom(...ADDRESSES),
  email: fc.nat(1e9).map((n) => `p${String(n)}@fuzz.invalid`),
  byte: fc.constantFrom(TINY_IMAGE, 'Qnl0ZXM='),
};

/** What a value is made for: the name of its field, and how deep it stands. */
interface Place {
  field: string;
  depth: number;
}

/** Makes values as the description of the service wants them. */
export class ValidValues {
  /** Follows references, and unites what stands beside them. */
  readonly resolve: (schema: Schema) => Schema;

  constructor(schemas: Record<string, Schema>) {
    this.resolve = resolver(schemas);
  }

  /** A value of `schema` for the field of that name. */
  of(schema: Schema, { field, depth }: Place): Arbitrary<unknown> {
    const found = this.resolve(schema);
    const choices = found.oneOf ?? found.anyOf;
    // made when it is wanted: descriptions refer to themselves
    if (choices) return fc.nat(choices.length - 1).chain((at) => this.of(choices[at] ?? {}, { field, depth }));
    if (found.enum) return fc.constantFrom(...found.enum);
    switch (found.type) {
      case 'string':
        return textOf(found, field);
      case 'integer':
      case 'number':
        return numberOf(found);
      case 'boolean':
        return fc.boolean();
      case 'array':
        return this.listOf(found, { field, depth });
      case 'object':
        return this.objectOf(found, depth);
      default:
        return fc.constant(null);
    }
  }

  private listOf({ items = {}, minItems = 0, maxItems = 100 }: Schema, { field, depth }: Place): Arbitrary<unknown> {
    const few = depth >= DEEPEST ? minItems : Math.min(maxItems, minItems + 2);
    const { type } = this.resolve(items);
    return fc.tuple(fc.integer({ min: Math.min(minItems, few), max: few }), fc.nat(30)).chain(([length, full]) => {
      const at = full === 0 && type === 'string' && maxItems <= 200 ? maxItems : length;
      return fc.array(this.of(items, { field, depth: depth + 1 }), { minLength: at, maxLength: at });
    });
  }

  private objectOf(
    { properties = {}, required = [], additionalProperties }: Schema,
    depth: number,
  ): Arbitrary<unknown> {
    const names = Object.keys(properties);
    if (names.length === 0 && additionalProperties !== undefined && additionalProperties !== false) {
      return this.dictionaryOf(additionalProperties, depth);
    }
    const wanted = depth >= DEEPEST ? required : names;
    return fc
      .subarray(wanted.filter((name) => !required.includes(name)))
      .chain((optional) =>
        fc.record(
          Object.fromEntries(
            [...required, ...optional].map((name) => [
              name,
              this.of(properties[name] ?? {}, { field: name, depth: depth + 1 }),
            ]),
          ),
        ),
      );
  }

  private dictionaryOf(values: true | Schema, depth: number): Arbitrary<unknown> {
    const value = values === true ? fc.jsonValue({ maxDepth: 2 }) : this.of(values, { field: '', depth: depth + 1 });
    return fc
      .array(fc.tuple(fc.oneof(word, oddText), value), { maxLength: 3 })
      .map((members) => Object.fromEntries(members) as unknown);
  }
}

/** A text of `schema` for the field of that name. */
function textOf({ format, pattern, minLength = 0, maxLength = 10_000 }: Schema, field: string): Arbitrary<string> {
  if (format !== undefined && Object.hasOwn(FORMATS, format)) return FORMATS[format] ?? word;
  if (pattern !== undefined) return matching(pattern, minLength, maxLength);
  const fits = (text: string): string => cut(text.padEnd(minLength, 'x'), maxLength);
  const references = referencesIn(field);
  return fc.oneof(
    { weight: 5, arbitrary: word.map(fits) },
    ...(references.length > 0 ? [{ weight: 20, arbitrary: fc.constantFrom(...references) }] : []),
    { weight: 3, arbitrary: oddText.map(fits) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(minLength, Math.min(maxLength, LONGEST)).map((length) => 'x'.repeat(length)),
    },
    { weight: 1, arbitrary: fc.constant('😀'.repeat(Math.min(maxLength, LONGEST))) },
  );
}

/** Texts that match; one that does not where the pattern has what cannot be generated. */
function matching(pattern: string, minLength: number, maxLength: number): Arbitrary<string> {
  try {
    const wanted = new RegExp(pattern);
    return fc
      .stringMatching(wanted)
      .map((text) => (text.length >= minLength && text.length <= maxLength ? text : cut(text, maxLength)));
  } catch {
    return word;
  }
}

function numberOf({ type, minimum = -1000, maximum = 1000 }: Schema): Arbitrary<number> {
  const within =
    type === 'integer'
      ? fc.integer({ min: minimum, max: maximum })
      : fc.double({ min: minimum, max: maximum, noNaN: true });
  return fc.oneof(fc.constantFrom(minimum, maximum), within);
}
