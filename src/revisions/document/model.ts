/** Where a link, an image or a card leads. Ids are those of the current revision where no space is named. */
export type ContentRef =
  | { kind: 'url'; url: string }
  | { kind: 'page'; page: string; space?: string }
  | { kind: 'anchor'; anchor: string; page?: string; space?: string }
  | { kind: 'file'; file: string }
  | { kind: 'space'; space: string }
  | { kind: 'user'; user: string }
  | { kind: 'collection'; collection: string }
  | { kind: 'reusable-content'; reusableContent: string; space?: string }
  | { kind: 'openapi'; spec: string };

/** Names of the marks that carry no data. */
export type PlainMarkType = 'bold' | 'italic' | 'code' | 'strikethrough' | 'keyboard' | 'superscript' | 'subscript';
/** Colours of text and of what lies behind it. */
export const COLORS = [
  ...(['default', 'green', 'blue', 'red', 'orange', 'yellow', 'purple'] as const),
  ...(['$primary', '$info', '$success', '$warning', '$danger'] as const),
] as const;
/** One of `COLORS`. */
export type Color = (typeof COLORS)[number];
/** How a leaf is set. */
export type Mark =
  { object: 'mark'; type: PlainMarkType } | { object: 'mark'; type: 'color'; data: { text: Color; background: Color } };
/** A stretch of text that is set one way; `marks` come in the order of `MARK_TYPES`. A line break is `\n`. */
export interface Leaf {
  object: 'leaf';
  text: string;
  marks: Mark[];
}
/** Text inside a block or an inline. */
export interface Text {
  object: 'text';
  key: string;
  leaves: Leaf[];
}
/** Content that hangs on a node: a caption, a title, the cell of a table (`fragment` is the name that is referred to). */
export interface Fragment {
  object: 'fragment';
  key: string;
  fragment?: string;
  type?: string;
  nodes: Block[];
}

/** The order of the marks of one leaf. */
export const MARK_TYPES: readonly Mark['type'][] = [
  ...(['bold', 'italic', 'code', 'strikethrough', 'keyboard', 'superscript', 'subscript', 'color'] as const),
];

/** A length: in pixels, or with its unit. */
export type Length = number | { unit: string; value: number };
/** How a paragraph or a heading is aligned. */
export type Align = 'start' | 'center' | 'end';

interface InlineNode<T extends string, D> {
  object: 'inline';
  type: T;
  key: string;
  data: D;
}
interface VoidInline<T extends string, D> extends InlineNode<T, D> {
  isVoid: true;
}
/** A link; `title` is what hovering shows. */
export interface Link extends InlineNode<'link', { ref: ContentRef; title?: string }> {
  isVoid?: false;
  nodes: InlineContent[];
}
/** A note on a stretch of text, which Markdown has as a footnote; `label` is the footnote's name. */
export interface Annotation extends InlineNode<'annotation', { label?: string }> {
  isVoid: false;
  nodes: Text[];
  fragments: Fragment[];
}
/** An image in a line of text; `caption` is its alternative text. */
export type InlineImage = VoidInline<
  'inline-image',
  { ref: ContentRef; refDark?: ContentRef; caption?: string; title?: string; size?: 'original' | 'line' }
>;
/** Inlines that hold no other nodes. `source` is Markdown or HTML that no other inline can hold; it is not shown. */
export type VoidInlineNode =
  | InlineImage
  | VoidInline<'inline-math', { formula: string }>
  | VoidInline<'emoji', { code: string }>
  | VoidInline<'mention', { ref: ContentRef; label?: string }>
  | VoidInline<'button', { label: string; kind: 'primary' | 'secondary'; ref: ContentRef; icon?: string }>
  | VoidInline<'icon', { icon: string }>
  | VoidInline<'expression', { expression: string }>
  | VoidInline<'source', { source: string }>;
/** An inline of any kind. */
export type Inline = Link | Annotation | VoidInlineNode;
/** What blocks of text hold. */
export type InlineContent = Text | Inline;

interface BlockNode<T extends string, D, C> {
  object: 'block';
  type: T;
  key: string;
  isVoid: false;
  data: D;
  nodes: C[];
}
interface VoidBlock<T extends string, D> {
  object: 'block';
  type: T;
  key: string;
  isVoid: true;
  data: D;
}
type None = Record<string, never>;
interface Anchored {
  /** `id` is the anchor of the block, unique in the document. */
  meta: { id: string };
}

/** A paragraph. */
export type Paragraph = BlockNode<'paragraph', { align?: Align }, InlineContent>;
/** A heading; `data.id` is an anchor that does not follow from the text, `level` the level in Markdown beyond 3. */
export type Heading = BlockNode<
  'heading-1' | 'heading-2' | 'heading-3',
  { id?: string; align?: Align; level?: number },
  InlineContent
> &
  Anchored;
/** An item of a list. */
export type ListItem = BlockNode<'list-item', { checked?: boolean }, Block>;
/** A list of any kind. */
export type List =
  BlockNode<'list-ordered', { start?: number }, ListItem> | BlockNode<'list-unordered' | 'list-tasks', None, ListItem>;
/** A line of code, without its end. */
export type CodeLine = BlockNode<'code-line', { highlighted?: boolean }, InlineContent>;
/**
 * Code. `info` is what follows the language on the fence, written as it came. With `raw` it is source that no other
 * block can hold (HTML, a footnote that nothing refers to, a tag without its end) and Markdown has it as it is.
 */
export type Code = BlockNode<
  'code',
  {
    syntax?: string;
    title?: string;
    lineNumbers?: boolean;
    overflow?: 'scroll' | 'wrap';
    fullWidth?: boolean;
    info?: string;
    raw?: boolean;
  },
  CodeLine
>;
/** One image of a block of images. */
export type Image = VoidBlock<
  'image',
  { ref: ContentRef; refDark?: ContentRef; alt?: string; title?: string; width?: Length; height?: Length }
> & { fragments: Fragment[] };
/** Images on lines of their own. */
export type Images = BlockNode<'images', { align?: 'left' | 'center' | 'right'; fullWidth?: boolean }, Image>;
/** A tab. */
export type TabsItem = BlockNode<'tabs-item', { title?: string }, Block> & Anchored;
/** A block that opens: fragments `expandable-title` (one paragraph) and `expandable-body`. */
export type Expandable = VoidBlock<'expandable', None> & Anchored & { fragments: Fragment[] };

/** A column of a table; text columns may name the fragment that holds a title with marks or links as `header`. */
export interface TableColumn {
  id: string;
  type: string;
  title: string;
  textAlignment?: 'left' | 'center' | 'right';
  header?: string;
  [option: string]: unknown;
}
/** A row of a table; a text cell's value is the name of a fragment. */
export interface TableRecord {
  orderIndex: string;
  values: Record<string, unknown>;
}
/** A table. Rows come in the order of their `orderIndex`, columns in that of the view. */
export type Table = VoidBlock<
  'table',
  {
    view: { type: 'grid' | 'cards'; columns: string[]; hideHeader?: boolean; [option: string]: unknown };
    definition: Record<string, TableColumn>;
    records: Record<string, TableRecord>;
    fullWidth?: boolean;
  }
> & { fragments: Fragment[] };

/** Blocks that describe an interface. */
export type OpenApiBlock =
  | (VoidBlock<'openapi-operation', { ref: ContentRef; path: string; method: string }> & Anchored)
  | (VoidBlock<'openapi-schemas', { ref: ContentRef; schemas: string[]; grouped?: boolean }> & Anchored)
  | (VoidBlock<'openapi-webhook', { ref: ContentRef; name: string; method: string }> & Anchored)
  | (VoidBlock<'swagger', { ref: ContentRef; path: string; method: string; expanded?: boolean; fullWidth?: boolean }> &
      Anchored);

/** A block of any kind. `source` is Markdown or HTML without a text of its own (comments, tags); it is not shown. */
export type Block =
  | Paragraph
  | Heading
  | List
  | ListItem
  | Code
  | CodeLine
  | Images
  | Image
  | TabsItem
  | Expandable
  | Table
  | OpenApiBlock
  | BlockNode<'blockquote', None, Block>
  | BlockNode<'hint', { style: 'info' | 'warning' | 'danger' | 'success'; icon?: string }, Block>
  | BlockNode<'tabs', { fullWidth?: boolean }, TabsItem>
  | BlockNode<'columns', { fullWidth?: boolean }, BlockNode<'column', { width?: Length }, Block>>
  | BlockNode<'column', { width?: Length }, Block>
  | BlockNode<'stepper', None, BlockNode<'stepper-step', { icon?: string }, Block>>
  | BlockNode<'stepper-step', { icon?: string }, Block>
  | BlockNode<'if', { expression: string }, Block>
  | VoidBlock<'divider', None>
  | VoidBlock<'math', { formula: string }>
  | VoidBlock<'embed', { url: string; fullWidth?: boolean }>
  | VoidBlock<'content-ref', { ref: ContentRef; title?: string }>
  | VoidBlock<'file', { ref: ContentRef }>
  | VoidBlock<'drawing', { ref?: ContentRef }>
  | VoidBlock<'reusable-content', { ref: ContentRef }>
  | VoidBlock<
      'integration',
      { integration: string; block: string; props: unknown; action?: unknown; url?: string; fullWidth?: boolean }
    >
  | VoidBlock<'source', { syntax: 'html' | 'markdown'; source: string }>;

/** Any node but the document. */
export type DocumentNode = Block | Inline | Text | Fragment;
/** The content of a page or a comment as a tree. */
export interface JSONDocument {
  object: 'document';
  data: { schemaVersion?: number };
  nodes: Block[];
}
