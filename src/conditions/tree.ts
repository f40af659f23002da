/** Levels of a condition at the most, counted from the whole expression down to its last name. */
export const MAX_LEVELS = 64;

/** Names that lead out of plain data: no condition reads or spells them. */
export const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Names that a condition may begin with. */
export const VARIABLES = ['visitor', 'space'] as const;
export type Variable = (typeof VARIABLES)[number];

/** Methods of texts and lists that take values: how many at the least and at the most. */
export const METHODS = {
  at: [1, 1],
  startsWith: [1, 2],
  endsWith: [1, 2],
  includes: [1, 2],
  toLowerCase: [0, 0],
  toUpperCase: [0, 0],
  trim: [0, 0],
} as const;
export type Method = keyof typeof METHODS;

/** Methods of lists that take an arrow function. */
export const LIST_METHODS = ['filter', 'map', 'some', 'every'] as const;
export type ListMethod = (typeof LIST_METHODS)[number];

export const UNARY_OPERATORS = ['!', '-', 'typeof'] as const;
export type UnaryOperator = (typeof UNARY_OPERATORS)[number];

export const BINARY_OPERATORS = [
  '===',
  '!==',
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  '+',
  '-',
  '*',
  '/',
  '%',
] as const;
export type BinaryOperator = (typeof BINARY_OPERATORS)[number];

export type LogicalOperator = '&&' | '||' | '??';

/** What stands in a chain of `.` and `?.`; `optional` where it is `?.`, which ends the chain at something missing. */
export type Link =
  | { readonly kind: 'member'; readonly object: Condition; readonly name: string; readonly optional: boolean }
  | { readonly kind: 'item'; readonly object: Condition; readonly key: Condition; readonly optional: boolean }
  | {
      readonly kind: 'call';
      readonly object: Condition;
      readonly method: Method;
      readonly args: readonly Condition[];
      readonly optional: boolean;
    }
  | {
      readonly kind: 'each';
      readonly object: Condition;
      readonly method: ListMethod;
      /** The arrow function's names for item, index and list. */
      readonly params: readonly string[];
      readonly body: Condition;
      readonly optional: boolean;
    };

/** A condition that was read: plain JSON, frozen. */
export type Condition =
  | Link
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'undefined' }
  /** A variable, or a parameter of the arrow function around it. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'array'; readonly items: readonly Condition[] }
  | { readonly kind: 'object'; readonly entries: readonly { readonly key: string; readonly value: Condition }[] }
  /** One text more than parts; they alternate, beginning with a text. */
  | { readonly kind: 'template'; readonly texts: readonly string[]; readonly parts: readonly Condition[] }
  /** A whole chain with `?.` in it. */
  | { readonly kind: 'chain'; readonly of: Condition }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly of: Condition }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Condition;
      readonly right: Condition;
    }
  | {
      readonly kind: 'logic';
      readonly operator: LogicalOperator;
      readonly left: Condition;
      readonly right: Condition;
    }
  | { readonly kind: 'choice'; readonly test: Condition; readonly then: Condition; readonly otherwise: Condition };

/** Whether `value` is one of `list`. */
export function isOneOf<T extends string>(list: readonly T[], value: string): value is T {
  return (list as readonly string[]).includes(value);
}
