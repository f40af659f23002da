export { ComputedPages, type GeneratedText, type SearchedTree } from './computed-pages.js';
export { versionOfKey } from './expand-tree.js';
