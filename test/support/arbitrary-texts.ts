import fc from 'fast-check';
import type { ContentRef, Inline, InlineContent, Leaf, Mark, Text } from '../../src/revisions/document/model.js';
import { refOf, urlOf } from '../../src/revisions/document/references.js';

/*
 * Documents over the whole grammar in the one form that each has: neighbours that are set alike are one leaf, containers
 * hold a block at least, optional texts are not empty, tables have the names that Markdown gives them.
 */
/** What both prose and Markdown are written with. */
export const SIGNS = [
  ...'a é 😀 . * ** _ __ ~ ~~ [ ] ( ) < > ! ![ & &amp; # $ $$ | : @ --- = {% %} { " <b> </b> <div>'.split(' '),
  ...'<!-- --> </summary> </p> <br> [^1] ~~~'.split(' '),
  ' ',
  '  ',
  '\t',
  '\u00a0',
  '\u2028',
  '`',
  '``',
  '\\',
  "'",
  '```',
  '  \n',
];
const PIECES = [
  ...SIGNS,
  ...'b1 Word 中文 , ; “ — ]( &#35; ## / www. mailto: xmpp: http:// https://x.y a@b.c - -- + 1. 2) }'.split(' '),
  ...'[x] ^ http ://'.split(' '),
  '[ ]',
];
const text = (more: readonly string[] = []): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...PIECES, ...more), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
/** Text that may have breaks. */
export const flowText = text(['\n']);
/** Text of one line. */
export const lineText = text().map((value) => value.replaceAll('\n', ''));
/** A name of letters and digits. */
export const name = fc.stringMatching(/^[a-zA-Z0-9]{1,8}$/);
/** An id, however it is written. */
export const id = fc.oneof(name, fc.constantFrom('a b', 'é', 'a/b', 'a#b', 'a?b'));

/** A reference of any kind that addresses can say. */
export const ref: fc.Arbitrary<ContentRef> = fc
  .oneof(
    lineText.map((url) => ({ kind: 'url' as const, url })),
    fc
      .constantFrom('https://a.b/c?d=e&f=g#h', 'mailto:a@b.c', 'a b.md', './x(y).md', '')
      .map((url) => ({ kind: 'url' as const, url })),
    fc.record({ kind: fc.constant('page' as const), page: id, space: id }, { requiredKeys: ['kind', 'page'] }),
    fc.record(
      { kind: fc.constant('anchor' as const), anchor: name, page: id, space: id },
      { requiredKeys: ['kind', 'anchor'] },
    ),
    id.map((file) => ({ kind: 'file' as const, file })),
    id.map((space) => ({ kind: 'space' as const, space })),
    id.map((user) => ({ kind: 'user' as const, user })),
    id.map((collection) => ({ kind: 'collection' as const, collection })),
    fc.record(
      { kind: fc.constant('reusable-content' as const), reusableContent: id, space: id },
      { requiredKeys: ['kind', 'reusableContent'] },
    ),
    id.map((spec) => ({ kind: 'openapi' as const, spec })),
  )
  .filter((value) => JSON.stringify(sorted(refOf(urlOf(value)))) === JSON.stringify(sorted(value)));
/** A record of which only some members are `required`. */
export const optional = <T>(shape: { [P in keyof T]: fc.Arbitrary<T[P]> }, required: (keyof T)[]): fc.Arbitrary<T> =>
  fc.record(shape, { requiredKeys: required });

const color = fc.constantFrom('default' as const, 'red' as const, '$primary' as const);
const mark: fc.Arbitrary<Mark> = fc.oneof(
  fc
    .constantFrom('bold', 'italic', 'code', 'strikethrough', 'keyboard', 'superscript', 'subscript')
    .map((type) => ({ object: 'mark' as const, type })),
  fc
    .record({ text: color, background: color })
    .filter((data) => data.text !== 'default' || data.background !== 'default')
    .map((data) => ({ object: 'mark' as const, type: 'color' as const, data })),
);
const ORDER = ['bold', 'italic', 'code', 'strikethrough', 'keyboard', 'superscript', 'subscript', 'color'];
const marks = fc
  .oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 4, arbitrary: fc.uniqueArray(mark, { maxLength: 3, selector: ({ type }) => type }) },
  )
  .map((set) => [...set].sort((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type)));
const leaf = fc.record({ object: fc.constant('leaf' as const), text: flowText, marks });

/** A text of `leaves`; neighbours that are set alike are one. */
export function texts(leaves: readonly Leaf[]): Text {
  const joined: Leaf[] = [];
  for (const next of leaves) {
    const last = joined.at(-1);
    if (last && JSON.stringify(last.marks) === JSON.stringify(next.marks)) last.text += next.text;
    else joined.push({ ...next });
  }
  return { object: 'text', key: '', leaves: joined };
}
/** Text that is set in several ways. */
export const textNode = fc.array(leaf, { minLength: 1, maxLength: 3 }).map(texts);

const voidInline = (type: Inline['type'], data: fc.Arbitrary<object>): fc.Arbitrary<Inline> =>
  data.map((value) => ({ object: 'inline', type, key: '', isVoid: true, data: value }) as unknown as Inline);
const inlineImage = voidInline(
  'inline-image',
  optional({ ref, refDark: ref, caption: lineText, title: flowText, size: fc.constantFrom('line', 'original') }, [
    'ref',
  ]),
);
const inLinks = fc.oneof(
  inlineImage,
  voidInline('inline-math', fc.record({ formula: fc.oneof(lineText, fc.constantFrom('a^2', '\\|x\\|', '|a|')) })),
  voidInline('emoji', fc.record({ code: fc.constantFrom('1f600', '1f468-200d-1f469') })),
  voidInline('icon', fc.record({ icon: fc.constantFrom('star', 'circle-info') })),
  voidInline('source', fc.record({ source: fc.constantFrom('<u>', '</u>', '<!-- c -->', '<span class="a|b">') })),
);
const notInLinks = fc.oneof(
  fc
    .tuple(optional({ ref, title: flowText }, ['ref']), textNode, fc.option(fc.tuple(inLinks, textNode)))
    .filter(([data]) => data.title !== 'mention')
    .map(([data, first, more]): Inline => {
      const nodes: InlineContent[] = [first, ...(more ?? [])];
      return { object: 'inline', type: 'link', key: '', isVoid: false, data, nodes };
    }),
  optional<{ ref: ContentRef; label?: string }>({ ref, label: lineText }, ['ref'])
    .filter((data) => data.label !== urlOf(data.ref))
    .map((data): Inline => {
      const isNamed = data.label !== undefined || urlOf(data.ref) !== '';
      return { object: 'inline', type: 'mention', key: '', isVoid: true, data: isNamed ? data : { ref: data.ref } };
    }),
  voidInline(
    'button',
    optional({ label: lineText, kind: fc.constantFrom('primary', 'secondary'), ref, icon: fc.constant('star') }, [
      'label',
      'kind',
      'ref',
    ]),
  ),
  voidInline('expression', fc.record({ expression: lineText })),
);

/** Inlines stand between texts; two texts never meet. */
const content = (inline: fc.Arbitrary<Inline>, isFlow: boolean): fc.Arbitrary<InlineContent[]> =>
  fc
    .tuple(fc.option(textNode, { freq: 6 }), fc.array(fc.tuple(inline, fc.option(textNode)), { maxLength: 2 }))
    .map(([first, rest]) => {
      const nodes = [first, ...rest.flat()].filter((node) => node !== null);
      return nodes.length > 0 ? nodes : [emptyText()];
    })
    .filter((nodes) => {
      const [first, ...others] = nodes;
      // what stands first decides what a line is read as; images alone are a block
      const isSource = first?.object === 'inline' && first.type === 'source';
      const holdsText = nodes.some((node) =>
        node.object === 'text' ? node.leaves.some((l) => l.text.trim() !== '') : node.type !== 'inline-image',
      );
      return !isFlow || (!isSource && (holdsText || (others.length === 0 && first?.object === 'text')));
    });
/** What a paragraph holds. */
export const paragraphContent = content(fc.oneof(inLinks, notInLinks), true);
/** What stands on one line: a heading, a title, a caption, a cell. */
export const line = content(fc.oneof(inLinks, notInLinks), false);

/** A text that holds nothing. */
export function emptyText(): Text {
  return { object: 'text', key: '', leaves: [{ object: 'leaf', text: '', marks: [] }] };
}
/** Whether nothing of a text would be seen. */
export function isBlank(nodes: readonly InlineContent[]): boolean {
  return nodes.every((node) => node.object === 'text' && node.leaves.every((leaf) => leaf.text.trim() === ''));
}

/** `value` with the members of its objects in order, so that equal values are written the same. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort()
      .map(([key, member]) => [key, sorted(member)]),
  );
}
