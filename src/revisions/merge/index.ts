export { CONFLICT_KINDS, type ConflictKind, type MergeConflict, type Resolution } from './conflicts.js';
export { mergeContent, type MergeContext, type MergeRequest, type MergeResult } from './merge-content.js';
export type { Texts } from './text-merge.js';
