export { type ContentChange, type ContentChanges, isMoved } from './changes.js';
export { ContentError, type ContentErrorReason } from './content-error.js';
export { ContentSweep, type SweepOptions, type Swept } from './content-sweep.js';
export { type ContentCounts, ContentTree, type PagePlace } from './content-tree.js';
export {
  checkDocument,
  childrenOf,
  type ContentRef,
  DocumentError,
  type DocumentNode,
  type JSONDocument,
  plainText,
  refOf,
  toDocument,
  toMarkdown,
  urlOf,
} from './document/index.js';
export { type DocumentRecord, DocumentsService } from './documents.service.js';
export {
  type FileEntry,
  type LinkTarget,
  PAGE_KINDS,
  type PageKind,
  type PageLinks,
  type PageNode,
  type ReusableContent,
} from './entries.js';
export { type FrontMatter, readFrontMatter } from './front-matter.js';
export type { Json, JsonObject } from './json.js';
export {
  CONFLICT_KINDS,
  type ConflictKind,
  type MergeConflict,
  type MergeResult,
  type Resolution,
} from './merge/index.js';
export type { Heading, MarkdownLink, Outline, Section } from './outline.js';
export type { PageTree, TreePage } from './page-tree.js';
export { MAX_MARKDOWN, readOutline } from './read-outline.js';
export { respell, safeAddress } from './respell.js';
export { isDraft, Revision, REVISION_TYPES, type RevisionGit, type RevisionType } from './revision.schema.js';
export { RevisionsModule } from './revisions.module.js';
export { type MergedRevisions, type MergeOptions, type NewRevision, RevisionsService } from './revisions.service.js';
export { MAX_DEPTH, MAX_FILES, MAX_PAGES } from './rules.js';
export {
  type ChangedAttribute,
  type ChangedAttributes,
  type ChangedPage,
  type SemanticChange,
  type SemanticChanges,
  semanticChanges,
} from './semantic-changes.js';
export { isStorableText } from './storable-text.js';
export { type FinishedEdit, type PageDraft, type PagePatch, type Place, TreeEditor } from './tree-editor.js';
