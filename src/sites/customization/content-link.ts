import { isId } from '../../common/ids.js';
import { isSlug } from '../../common/slugs.js';
import type { ContentRef } from '../../revisions/index.js';
import { address, type Described, membersOf, object, oneOf, type Shape, ShapeError, text } from './shape.js';

const id = named(isId, 'an id: 1 to 64 characters of A-Z, a-z, 0-9, - and _');
const spec = named((value) => typeof value === 'string' && isSlug(value), 'the slug of an OpenAPI specification');

/** What a reference of each kind holds, beside `kind`; ids without `space` are those of the space that is read. */
const FIELDS = {
  url: object({ url: address }),
  page: object({ page: id }, { space: id }),
  // a setting stands on no page that its anchor could be on
  anchor: object({ anchor: text(1, 500), page: id }, { space: id }),
  file: object({ file: id }),
  space: object({ space: id }),
  user: object({ user: id }),
  collection: object({ collection: id }),
  'reusable-content': object({ reusableContent: id }, { space: id }),
  openapi: object({ spec }),
} satisfies { [K in ContentRef['kind']]: Shape<Omit<Extract<ContentRef, { kind: K }>, 'kind'>> };

const kinds = oneOf(Object.keys(FIELDS) as (keyof typeof FIELDS)[]);

/** A reference to content; whether what it names is there is not looked at. */
export const contentRef: Shape<ContentRef> = {
  described: { oneOf: Object.entries(FIELDS).map(([kind, { described }]) => withKind(kind, described)) },
  read: (value, at) => {
    const kind = kinds.read(membersOf(value, at).get('kind'), `${at}.kind`);
    return { kind, ...FIELDS[kind].read(value, at) } as ContentRef;
  },
};

/** A link with a title of at most 64 characters. */
export const contentLink = object({ title: text(0, 64), to: contentRef });

export interface ContentLink {
  title: string;
  to: ContentRef;
}

function withKind(kind: string, { properties, required = [] }: Described): Described {
  return {
    type: 'object',
    properties: { kind: { type: 'string', enum: [kind] }, ...properties },
    required: ['kind', ...required],
  };
}

function named(holds: (value: unknown) => boolean, what: string): Shape<string> {
  return {
    described: { type: 'string' },
    read: (value, at) => {
      if (typeof value !== 'string' || !holds(value)) throw new ShapeError(`${at} must be ${what}`);
      return value;
    },
  };
}
