import type { OpenAPIObject } from '@nestjs/swagger';
import { isEmoji, isStorable, isWebAddress, lengthOf } from '../../common/validation.js';
import { ConditionError, parseCondition } from '../../conditions/index.js';

/** What the description of the API says of a value. */
export type Described = Exclude<
  NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string],
  { $ref: string }
>;

/** A value that is not what it must be. The message begins with its place. */
export class ShapeError extends Error {}

/** What a value must be. */
export interface Shape<T> {
  /** The same for the description of the API. */
  readonly described: Described;
  /** What is kept of `value`, which stands at the place `at`: nothing but what is known. @throws ShapeError */
  read(value: unknown, at: string): T;
}

/** What an object of shapes holds: its values must be there, or may be. */
type Values<F> = { [K in keyof F]: F[K] extends Shape<infer T> ? T : never };
type Fields = Readonly<Record<string, Shape<unknown>>>;

/** @throws ShapeError that `at` must be `what`. */
function refuse(at: string, what: string): never {
  throw new ShapeError(`${at} must be ${what}`);
}

function checked<T>(described: Described, what: string, holds: (value: unknown) => value is T): Shape<T> {
  return { described, read: (value, at) => (holds(value) ? value : refuse(at, what)) };
}

/** A text of `min` to `max` characters. */
export function text(min: number, max: number): Shape<string> {
  return {
    described: { type: 'string', ...(min > 0 && { minLength: min }), maxLength: max },
    read: (value, at) => {
      if (typeof value !== 'string') return refuse(at, 'a string');
      if (!isStorable(value)) return refuse(at, 'well-formed text without NUL characters');
      const length = lengthOf(value);
      return length < min || length > max ? refuse(at, `${String(min)} to ${String(max)} characters long`) : value;
    },
  };
}

/** One of `values`. */
export function oneOf<const V extends readonly string[]>(values: V): Shape<V[number]> {
  const isOne = (value: unknown): value is V[number] => values.some((one) => one === value);
  return checked({ type: 'string', enum: [...values] }, `one of: ${values.join(', ')}`, isOne);
}

/** `true` or `false`. */
export const flag: Shape<boolean> = checked(
  { type: 'boolean' },
  'true or false',
  (value): value is boolean => typeof value === 'boolean',
);

/** An absolute http or https address of at most 2048 characters. */
export const address: Shape<string> = checked(
  { type: 'string', format: 'uri', maxLength: 2048 },
  'an absolute http or https address of at most 2048 characters',
  (value): value is string => typeof value === 'string' && lengthOf(value) <= 2048 && isWebAddress(value),
);

const COLOR = /^#(?:[0-9a-fA-F]{3}){1,2}$/;

/** A colour in hexadecimal. */
export const color: Shape<string> = checked(
  { type: 'string', pattern: COLOR.source },
  'a colour in hexadecimal, as #1d4ed8 or #fff',
  (value): value is string => typeof value === 'string' && COLOR.test(value),
);

/** An emoji, or its code points (decision 1.20). */
export const emoji: Shape<string> = checked(
  { type: 'string', minLength: 1, maxLength: 50 },
  'an emoji, or its code points in hexadecimal joined by "-" (as "1f600")',
  isEmoji,
);

/** An expression that decides whether a visitor is shown something (decision 3.20). */
export const condition: Shape<string> = {
  described: text(1, 1024).described,
  read: (value, at) => {
    const source = text(1, 1024).read(value, at);
    try {
      parseCondition(source);
    } catch (error) {
      throw error instanceof ConditionError ? new ShapeError(`${at} ${error.message}`) : error;
    }
    return source;
  },
};

/** The members of a JSON object. @throws ShapeError for anything else. */
export function membersOf(value: unknown, at: string): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(at, 'an object');
  return new Map(Object.entries(value));
}

/** An object with the fields `needed`, and maybe some of `possible`; others are dropped (decision 1.10). */
export function object<N extends Fields>(needed: N): Shape<Values<N>>;
export function object<N extends Fields, P extends Fields>(
  needed: N,
  possible: P,
): Shape<Values<N> & Partial<Values<P>>>;
export function object(needed: Fields, possible: Fields = {}): Shape<Values<Fields>> {
  const [must, may] = [Object.entries(needed), Object.entries(possible)];
  const properties = [...must, ...may].map(([name, shape]) => [name, shape.described]);
  return {
    described: {
      type: 'object',
      properties: Object.fromEntries(properties) as Record<string, Described>,
      ...(must.length > 0 && { required: must.map(([name]) => name) }),
    },
    read: (value, at) => {
      const members = membersOf(value, at);
      const given = [...must, ...may.filter(([name]) => members.get(name) !== undefined)];
      const read = given.map(([name, shape]) => [name, shape.read(members.get(name), `${at}.${name}`)]);
      return Object.fromEntries(read) as Values<Fields>;
    },
  };
}

/** A list of at most `max` items. */
export function list<T>(item: Shape<T>, max: number): Shape<T[]> {
  return {
    described: { type: 'array', items: item.described, maxItems: max },
    read: (value, at) => {
      if (!Array.isArray(value)) return refuse(at, 'a list');
      if (value.length > max) throw new ShapeError(`${at} must hold at most ${String(max)} items`);
      return value.map((one: unknown, index) => item.read(one, `${at}.${String(index)}`));
    },
  };
}

/** What `shape` is, or `null`. */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return {
    described: { ...shape.described, nullable: true },
    read: (value, at) => (value === null ? null : shape.read(value, at)),
  };
}

/** What `shape` is; where it is absent, `initial`. */
export function otherwise<T>(shape: Shape<T>, initial: T): Shape<T> {
  return {
    described: { ...shape.described, default: initial },
    read: (value, at) => (value === undefined ? initial : shape.read(value, at)),
  };
}
