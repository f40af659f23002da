import { FOOTNOTE_LABEL } from './escape.js';
import type { Fields } from './fields.js';
import type { Block, Inline } from './model.js';

/** What a node holds: texts and inlines, blocks, blocks of one type, or nothing. */
export type Content = 'inline' | 'texts' | 'label' | 'blocks' | 'void' | Block['type'];
/** What one type of node looks like. */
export interface Shape {
  readonly content: Content;
  readonly data: Fields;
  /** Types of the fragments that it takes, each at most once; `cells`: as many as there are, told apart by their names. */
  readonly fragments?: readonly string[] | 'cells';
}

const TEXT = { kind: 'text' } as const;
const LINE = { kind: 'line' } as const;
const FLAG = { kind: 'flag' } as const;
const REF = { kind: 'ref', required: true } as const;
const LENGTH = { kind: 'length' } as const;
const FULL_WIDTH = { fullWidth: FLAG } as const;
const ALIGN = { kind: 'choice', values: ['start', 'center', 'end'] } as const;
const NAME = { kind: 'line', pattern: /^[\w:.-]{1,64}$/ } as const;
const ANCHOR = { kind: 'line', pattern: /^[^\s"'<>&|]{1,200}$/ } as const;
const required = <T extends object>(field: T): T & { required: true } => ({ ...field, required: true });
const OPERATION = { ref: REF, path: required(LINE), method: required(LINE) };

/** Every type of block. */
export const BLOCKS: Readonly<Record<Block['type'], Shape>> = {
  paragraph: { content: 'inline', data: { align: ALIGN } },
  'heading-1': { content: 'inline', data: { id: ANCHOR, align: ALIGN } },
  'heading-2': { content: 'inline', data: { id: ANCHOR, align: ALIGN } },
  'heading-3': { content: 'inline', data: { id: ANCHOR, align: ALIGN, level: { kind: 'whole', min: 4, max: 6 } } },
  'list-ordered': { content: 'list-item', data: { start: { kind: 'whole', min: 0, max: 999_999_999 } } },
  'list-unordered': { content: 'list-item', data: {} },
  'list-tasks': { content: 'list-item', data: {} },
  'list-item': { content: 'blocks', data: { checked: FLAG } },
  blockquote: { content: 'blocks', data: {} },
  hint: {
    content: 'blocks',
    data: {
      style: { kind: 'choice', values: ['info', 'warning', 'danger', 'success'], required: true },
      icon: NAME,
    },
  },
  code: {
    content: 'code-line',
    data: {
      syntax: { kind: 'line', pattern: /^[^\s,{`]{1,64}$/ },
      title: TEXT,
      lineNumbers: FLAG,
      overflow: { kind: 'choice', values: ['scroll', 'wrap'] },
      ...FULL_WIDTH,
      info: { kind: 'line', pattern: /^[,{ \t]/ },
      raw: FLAG,
    },
  },
  'code-line': { content: 'inline', data: { highlighted: FLAG } },
  images: { content: 'image', data: { align: { kind: 'choice', values: ['left', 'center', 'right'] }, ...FULL_WIDTH } },
  image: {
    content: 'void',
    data: { ref: REF, refDark: { kind: 'ref' }, alt: TEXT, title: TEXT, width: LENGTH, height: LENGTH },
    fragments: ['caption'],
  },
  tabs: { content: 'tabs-item', data: FULL_WIDTH },
  'tabs-item': { content: 'blocks', data: { title: TEXT } },
  expandable: { content: 'void', data: {}, fragments: ['expandable-title', 'expandable-body'] },
  table: { content: 'void', data: FULL_WIDTH, fragments: 'cells' },
  divider: { content: 'void', data: {} },
  math: { content: 'void', data: { formula: { ...TEXT, required: true } } },
  embed: { content: 'void', data: { url: required(TEXT), ...FULL_WIDTH } },
  'content-ref': { content: 'void', data: { ref: REF, title: TEXT } },
  file: { content: 'void', data: { ref: REF } },
  drawing: { content: 'void', data: { ref: { kind: 'ref' } } },
  columns: { content: 'column', data: FULL_WIDTH },
  column: { content: 'blocks', data: { width: LENGTH } },
  stepper: { content: 'stepper-step', data: {} },
  'stepper-step': { content: 'blocks', data: { icon: NAME } },
  'reusable-content': { content: 'void', data: { ref: REF } },
  if: { content: 'blocks', data: { expression: required(TEXT) } },
  integration: {
    content: 'void',
    data: {
      integration: required(NAME),
      block: required(NAME),
      props: { kind: 'json', required: true },
      action: { kind: 'json' },
      url: TEXT,
      ...FULL_WIDTH,
    },
  },
  'openapi-operation': { content: 'void', data: OPERATION },
  'openapi-schemas': { content: 'void', data: { ref: REF, schemas: { kind: 'texts', required: true }, grouped: FLAG } },
  'openapi-webhook': { content: 'void', data: { ref: REF, name: required(LINE), method: required(LINE) } },
  swagger: { content: 'void', data: { ...OPERATION, expanded: FLAG, ...FULL_WIDTH } },
  source: {
    content: 'void',
    data: { syntax: { kind: 'choice', values: ['html', 'markdown'], required: true }, source: required(TEXT) },
  },
};

/** Every type of inline. */
export const INLINES: Readonly<Record<Inline['type'], Shape>> = {
  link: { content: 'label', data: { ref: REF, title: TEXT } },
  annotation: {
    content: 'texts',
    data: { label: { kind: 'line', pattern: FOOTNOTE_LABEL } },
    fragments: ['annotation-body'],
  },
  'inline-image': {
    content: 'void',
    data: {
      ref: REF,
      refDark: { kind: 'ref' },
      caption: TEXT,
      title: TEXT,
      size: { kind: 'choice', values: ['original', 'line'] },
    },
  },
  'inline-math': { content: 'void', data: { formula: required(TEXT) } },
  emoji: {
    content: 'void',
    data: { code: required({ kind: 'line', pattern: /^[0-9a-f]{1,6}(?:-[0-9a-f]{1,6}){0,15}$/ } as const) },
  },
  mention: { content: 'void', data: { ref: REF, label: TEXT } },
  button: {
    content: 'void',
    data: {
      label: required(TEXT),
      kind: { kind: 'choice', values: ['primary', 'secondary'], required: true },
      ref: REF,
      icon: NAME,
    },
  },
  icon: { content: 'void', data: { icon: required(NAME) } },
  expression: { content: 'void', data: { expression: required(TEXT) } },
  source: { content: 'void', data: { source: required(TEXT) } },
};

/** Inlines that a link may hold beside text. */
export const IN_LINKS: ReadonlySet<string> = new Set(['inline-image', 'inline-math', 'emoji', 'icon', 'source']);
