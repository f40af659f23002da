export { ComputedPages, type GeneratedText } from './computed-pages.js';
export { versionOfKey } from './expand-tree.js';
