import { type Described, membersOf, type Shape } from './shape.js';

/** A setting that is set as a whole. */
export interface Leaf<T> {
  readonly kind: 'leaf';
  readonly shape: Shape<T>;
  /** What it is where nobody has set it; `undefined`: not there. */
  readonly initial: T | undefined;
}

/** A setting that is there only where somebody has set it. */
export interface LooseLeaf<T> extends Leaf<T> {
  readonly loose: true;
}

/** Settings that stand together. */
export interface Group<M extends Members = Members> {
  readonly kind: 'group';
  readonly members: M;
}

/** What stands in a group, by name. */
export type Members = Readonly<Record<string, Leaf<unknown> | Group>>;

type LooseKeys<M> = { [K in keyof M]: M[K] extends LooseLeaf<unknown> ? K : never }[keyof M];

/** All settings of a group, those that nobody has set with what they are by default. */
export type Full<N> =
  N extends Leaf<infer T>
    ? T
    : N extends Group<infer M>
      ? { [K in Exclude<keyof M, LooseKeys<M>>]: Full<M[K]> } & { [K in LooseKeys<M>]?: Full<M[K]> }
      : never;

/** Some settings of a group, as somebody has set them. */
export type Part<N> = N extends Leaf<infer T> ? T : N extends Group<infer M> ? { [K in keyof M]?: Part<M[K]> } : never;

/** As {@link Part}; `null` takes a setting back. */
export type Patch<N> =
  N extends Leaf<infer T> ? T | null : N extends Group<infer M> ? { [K in keyof M]?: Patch<M[K]> } : never;

type Tree = Readonly<Record<string, unknown>>;

/** A setting that is `initial` where nobody has set it. */
export const leaf = <T>(shape: Shape<T>, initial: T): Leaf<T> => ({ kind: 'leaf', shape, initial });
/** A setting that is there only where somebody has set it. */
export const loose = <T>(shape: Shape<T>): LooseLeaf<T> => ({ kind: 'leaf', shape, initial: undefined, loose: true });
/** Settings that stand together. */
export const group = <M extends Members>(members: M): Group<M> => ({ kind: 'group', members });

/**
 * What of `value` are settings of `node`, which stands at the place `at`: others are dropped.
 * @throws ShapeError for the first that is not what it must be; `null` is refused.
 */
export function readPart<N extends Leaf<unknown> | Group>(node: N, value: unknown, at: string): Part<N> {
  return read(node, value, at, false) as Part<N>;
}

/** As {@link readPart}; `null` in place of a setting stands for taking it back. */
export function readPatch<N extends Leaf<unknown> | Group>(node: N, value: unknown, at: string): Patch<N> {
  return read(node, value, at, true) as Patch<N>;
}

function read(node: Leaf<unknown> | Group, value: unknown, at: string, resets: boolean): unknown {
  if (node.kind === 'leaf') return resets && value === null ? null : node.shape.read(value, at);
  const members = membersOf(value, at);
  return fromEntries(node.members, (name, member) => {
    const own = members.get(name);
    return own === undefined ? undefined : read(member, own, at === '' ? name : `${at}.${name}`, resets);
  });
}

/** The settings of `node` that nobody has set. */
export function initialOf<N extends Leaf<unknown> | Group>(node: N): Full<N> {
  const initial = (one: Leaf<unknown> | Group): unknown =>
    one.kind === 'leaf' ? one.initial : fromEntries(one.members, (_name, member) => initial(member));
  return initial(node) as Full<N>;
}

/** The settings `below`, with those of `above` in their place where there are some. */
export function overlaid<N extends Group, B extends Full<N> | Part<N>>(node: N, below: B, above: Part<N>): B {
  return overlay(node, below, above) as B;
}

function overlay({ members }: Group, below: Tree, above: Tree): Tree {
  return fromEntries(members, (name, member) => {
    const [old, own] = [below[name], above[name]];
    if (own === undefined) return old;
    return member.kind === 'leaf' || old === undefined ? own : overlay(member, old as Tree, own as Tree);
  });
}

/** `part` after `patch`; groups in which nothing is set are left out. */
export function patched<N extends Group>(node: N, part: Part<N>, patch: Patch<N>): Part<N> {
  return applied(node, part, patch) as Part<N>;
}

function applied({ members }: Group, part: Tree, patch: Tree): Tree {
  return fromEntries(members, (name, member) => {
    const [old, own] = [part[name], patch[name]];
    if (member.kind === 'leaf') return own === undefined ? old : (own ?? undefined);
    const inner = applied(member, (old ?? {}) as Tree, (own ?? {}) as Tree);
    return Object.keys(inner).length === 0 ? undefined : inner;
  });
}

function fromEntries(members: Members, valueOf: (name: string, member: Leaf<unknown> | Group) => unknown): Tree {
  const entries = Object.entries(members).map(([name, member]) => [name, valueOf(name, member)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** For whom settings are described: as they are answered, set as a whole, or changed. */
export type DescribedAs = 'answer' | 'part' | 'patch';

/** What the description of the API says of `node`. */
export function describedAs(node: Leaf<unknown> | Group, as: DescribedAs): Described {
  if (node.kind === 'leaf') return describedLeaf(node, as);
  const members = Object.entries(node.members);
  const required = members.filter(([, member]) => isAlwaysThere(member)).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, member]) => [name, describedAs(member, as)])),
    ...(as === 'answer' && required.length > 0 && { required }),
  };
}

function describedLeaf({ shape, initial }: Leaf<unknown>, as: DescribedAs): Described {
  if (as === 'answer') return shape.described;
  if (as === 'patch') return { ...shape.described, nullable: true };
  return { ...shape.described, ...(initial !== undefined && { default: initial }) };
}

/** Whether `node` is in every answer. */
export function isAlwaysThere(node: Leaf<unknown> | Group): boolean {
  return node.kind === 'group' || node.initial !== undefined;
}
