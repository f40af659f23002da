import { isColor, lengthText, readLength } from './fields.js';
import { oneLine } from './escape.js';
import { attributesText, encodeEntities, MARK_TAGS, type Tag } from './markup.js';
import type { Align, Color, ContentRef, Image, InlineImage, Length, Mark, VoidInlineNode } from './model.js';

type Resolve = (url: string) => ContentRef;
type Write = (ref: ContentRef) => string;
/** What a tag of an image says, wherever the image stands. */
export type ImageData = Image['data'] & Pick<InlineImage['data'], 'size'>;

/** How paragraphs spell their alignment. */
export const ALIGNMENTS: Readonly<Record<Align, string>> = { start: 'left', center: 'center', end: 'right' };

const PLAIN_MARKS: ReadonlyMap<string, Mark> = new Map(
  Object.entries(MARK_TAGS).flatMap(([type, names]) =>
    names.map((name) => [name, { object: 'mark', type: type as keyof typeof MARK_TAGS } as const]),
  ),
);

/** The mark that an opening tag sets; `undefined` when it sets none, or has attributes that no mark has. */
export function readMarkTag({ name, attributes }: Tag): Mark | undefined {
  if (attributes === undefined) return undefined;
  if (name !== 'mark') return attributes.size === 0 ? PLAIN_MARKS.get(name) : undefined;
  const style = attributes.get('style');
  if (style === undefined || attributes.size > 1) return undefined;
  const data: { text: Color; background: Color } = { text: 'default', background: 'default' };
  for (const rule of style.split(';')) {
    if (rule.trim() === '') continue;
    const [property, value] = rule.split(':', 2).map((part) => part.trim());
    if (!isColor(value)) return undefined;
    if (property === 'color') data.text = value;
    else if (property === 'background-color') data.background = value;
    else return undefined;
  }
  return { object: 'mark', type: 'color', data };
}

/** The tags that set `mark`. */
export function markTags(mark: Mark): [open: string, close: string] {
  if (mark.type !== 'color') return [`<${MARK_TAGS[mark.type][0] ?? ''}>`, `</${MARK_TAGS[mark.type][0] ?? ''}>`];
  const { text, background } = mark.data;
  const rules = [
    text === 'default' ? '' : `color:${text};`,
    background === 'default' ? '' : `background-color:${background};`,
  ];
  return [`<mark${attributesText({ style: rules.join('') })}>`, '</mark>'];
}

/** Where an opening tag links to; `undefined` when it is no link, or has attributes that a link cannot keep. */
export function readLinkTag({ name, attributes }: Tag): { url: string; title: string | undefined } | undefined {
  const url = attributes?.get('href');
  if (name !== 'a' || attributes === undefined || url === undefined) return undefined;
  if ([...attributes.keys()].some((key) => key !== 'href' && key !== 'title')) return undefined;
  return { url, title: attributes.get('title') };
}

/** The icon, emoji, button, expression or formula that an opening tag and the plain text up to its end are, if any. */
export function readVoidTag({ name, attributes }: Tag, text: string, resolve: Resolve): VoidInlineNode | undefined {
  const names = attributes?.get('class')?.split(' ') ?? [];
  const [first = ''] = names;
  const base = { object: 'inline', key: '', isVoid: true } as const;
  const isPlain = names.length === 1 && attributes?.size === 1;
  if (name === 'code' && first === 'expression' && isPlain && text !== '') {
    return { ...base, type: 'expression', data: { expression: text } };
  }
  if (name === 'code' && first === 'math' && isPlain && text !== '') {
    return { ...base, type: 'inline-math', data: { formula: text } };
  }
  const emoji = /^emoji-([\da-f]{1,6}(?:-[\da-f]{1,6}){0,15})$/.exec(first)?.[1];
  if (name === 'i' && emoji !== undefined && isPlain) return { ...base, type: 'emoji', data: { code: emoji } };
  const icon = /^fa-([\w:.-]{1,64})$/.exec(first)?.[1];
  if (name === 'i' && icon !== undefined && isPlain && text === `:${icon}:`)
    return { ...base, type: 'icon', data: { icon } };
  const [url, kind] = [attributes?.get('href'), names[1]];
  if (name !== 'a' || first !== 'button' || url === undefined || text === '') return undefined;
  if (kind !== 'primary' && kind !== 'secondary') return undefined;
  const buttonIcon = attributes?.get('data-icon');
  const more = buttonIcon ? { icon: buttonIcon } : {};
  return { ...base, type: 'button', data: { label: text, kind, ref: resolve(url), ...more } };
}

/** Reads the attributes of an image; `undefined` when it has no source. */
export function readImageTag(
  attributes: ReadonlyMap<string, string> | undefined,
  resolve: Resolve,
): ImageData | undefined {
  const source = attributes?.get('src');
  if (attributes === undefined || source === undefined) return undefined;
  const data: ImageData = { ref: resolve(source) };
  const [dark, alt, title] = ['data-dark-src', 'alt', 'title'].map((name) => attributes.get(name));
  const [width, height] = [length(attributes.get('width')), length(attributes.get('height'))];
  const size = attributes.get('data-size');
  if (dark !== undefined) data.refDark = resolve(dark);
  if (alt) data.alt = /[\r\n]/.test(alt) ? oneLine(alt) : alt;
  if (title) data.title = title;
  if (width !== undefined) data.width = width;
  if (height !== undefined) data.height = height;
  if (size === 'line' || size === 'original') data.size = size;
  return data;
}

/** Spells an image as a tag. */
export function imageTag(data: ImageData, write: Write): string {
  const { ref, refDark, alt, title, width, height, size } = data;
  const attributes = {
    src: write(ref),
    'data-dark-src': refDark && write(refDark),
    alt: alt ?? '',
    title,
    width: width === undefined ? width : lengthText(width),
    height: height === undefined ? height : lengthText(height),
    'data-size': size,
  };
  return `<img${attributesText(attributes)}>`;
}

/** Spells an icon, an emoji, a button, an expression or a formula as HTML; the text between the tags goes through `escape`. */
export function voidTag(
  node: Extract<VoidInlineNode, { type: 'icon' | 'emoji' | 'button' | 'expression' | 'inline-math' }>,
  write: Write,
  escape: (text: string) => string,
): string {
  switch (node.type) {
    case 'icon':
      return `<i class="fa-${node.data.icon}">${escape(`:${node.data.icon}:`)}</i>`;
    case 'emoji':
      return `<i class="emoji-${node.data.code}">${escape(emojiText(node.data.code))}</i>`;
    case 'expression':
      return `<code class="expression">${escape(node.data.expression)}</code>`;
    case 'inline-math':
      return `<code class="math">${escape(node.data.formula)}</code>`;
    case 'button': {
      const { label, kind, ref, icon } = node.data;
      const attributes = { href: write(ref), class: `button ${kind}`, 'data-icon': icon };
      return `<a${attributesText(attributes)}>${escape(label)}</a>`;
    }
  }
}

/** The HTML of `content` as a paragraph with an alignment. */
export function alignedParagraph(align: Align, content: string): string {
  return `<p align="${encodeEntities(ALIGNMENTS[align])}">${content}</p>`;
}

function emojiText(code: string): string {
  const points = code.split('-').map((part) => parseInt(part, 16));
  const isText = points.every((point) => point > 0x20 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff));
  return isText ? String.fromCodePoint(...points) : '';
}

function length(text: string | undefined): Length | undefined {
  return text === undefined ? undefined : readLength(text);
}
