export { checkDocument } from './check.js';
export { toDocument, toMarkdown } from './convert.js';
export { DocumentError } from './document-error.js';
export * from './model.js';
export { refOf, urlOf, type ResolveRef, type WriteRef } from './references.js';
export { plainText } from './tree.js';
