import { isDeepStrictEqual } from 'node:util';

/** What a read answers; one of `gone`, `fields` and `bytes`. */
export interface Known {
  /** It is not there any more. */
  gone?: boolean;
  /** Values in the answer by where they stand, as `urls.app` or `items.0.id`; `undefined`: there is none. */
  fields?: Record<string, unknown>;
  /** What its download holds. */
  bytes?: string;
  /** Who asks; the writer unless given. */
  as?: string;
  /** The round in which that was so first. */
  round?: number;
}

/** What is known of an address from now on. */
export interface Told extends Known {
  at: string;
  /** It may have been so before. */
  weak?: boolean;
}

/** What was answered to a read. */
export interface Found {
  status: number;
  body: unknown;
  bytes: Buffer;
}

/** Whether `found` is as `known`; of a list, the item that holds the text `item`. */
export function holds({ status, body, bytes }: Found, known: Known, item?: string): boolean {
  const there = status < 300 ? (item === undefined ? body : itemOf(body, item)) : undefined;
  if (known.gone === true) return item === undefined ? [401, 404].includes(status) : status < 300 && !there;
  if (status >= 300 || there === undefined) return false;
  if (known.bytes !== undefined) return bytes.toString() === known.bytes;
  return Object.entries(known.fields ?? {}).every(([at, value]) => isDeepStrictEqual(valueAt(there, at), value));
}

/** The values of `body` by where they stand. */
export function fill(body: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]): [string, unknown][] =>
      value !== null && typeof value === 'object' && !Array.isArray(value)
        ? Object.entries(fill(value as object)).map(([below, one]) => [`${name}.${below}`, one])
        : [[name, value]],
    ),
  );
}

function itemOf(body: unknown, item: string): unknown {
  const { items = [] } = body as { items?: { id?: string }[] };
  return items.find(({ id }) => id === item) ?? items.find((one) => JSON.stringify(one).includes(item));
}

function valueAt(value: unknown, at: string): unknown {
  return at.split('.').reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], value);
}
