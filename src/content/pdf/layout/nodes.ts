import type { DocumentNode, JSONDocument } from '../../../revisions/index.js';

/** A block of a document. */
export type Block = JSONDocument['nodes'][number];
/** The block of one type. */
export type BlockOf<T extends Block['type']> = Extract<Block, { type: T }>;
/** What stands in a line of text. */
export type InlineContent = BlockOf<'paragraph'>['nodes'][number];
/** Content that hangs on a node. */
export type Fragment = Extract<DocumentNode, { object: 'fragment' }>;
/** A stretch of text that is set one way. */
export type Leaf = Extract<InlineContent, { object: 'text' }>['leaves'][number];
