import { type AccessRow, FORMAT, METADATA, PAGED, READ } from './access-row.js';

/** Who may call the operations of the content of spaces. */
export const ACCESS_OF_CONTENT: Record<string, AccessRow> = {
  getCurrentRevision: { ...READ, ...METADATA },
  editContent: {
    least: 'edit',
    allowed: 200,
    body: { changes: [{ operation: 'insert_page', title: 'New', document: {} }] },
    malformed: { body: { changes: [] } },
  },
  listPages: { ...READ, ...METADATA },
  listFiles: { ...READ, ...PAGED },
  getFileById: { ...READ, ...METADATA },
  getPageById: { ...READ, ...FORMAT },
  getPageByPath: { ...READ, ...FORMAT },
  getReusableContentById: { ...READ, ...METADATA },
  getDocumentById: READ,
  getEmbedByUrlInSpace: { ...READ, query: { url: 'https://example.org/' }, malformed: { query: { url: 'example' } } },
  getRevisionById: { ...READ, ...METADATA },
  getRevisionSemanticChanges: { ...READ, malformed: { query: { limit: -1 } } },
  listPagesInRevisionById: { ...READ, ...METADATA },
  listFilesInRevisionById: { ...READ, ...PAGED },
  getFileInRevisionById: { ...READ, ...METADATA },
  getPageInRevisionById: { ...READ, ...FORMAT },
  getPageDocumentInRevisionById: READ,
  getPageInRevisionByPath: { ...READ, ...FORMAT },
  getReusableContentInRevisionById: { ...READ, ...METADATA },
  getReusableContentDocumentInRevisionById: READ,
  // an address inside
  importContent: {
    least: 'edit',
    allowed: 400,
    body: { url: 'http://127.0.0.1/', source: 'markdown' },
    malformed: { body: { url: 'http://example.org/', source: 'paper' } },
  },
  getContentArchive: READ,
  getSpacePDF: { ...READ, malformed: { query: { only: true } } },
  // no archive
  putContentArchive: { least: 'edit', allowed: 400, type: 'application/zip', body: 'nothing' },
  listSpaceLinks: { ...READ, malformed: { query: { status: 'fine' } } },
  listPageLinksInSpace: { ...READ, ...PAGED },
  listSpacePageBacklinks: { ...READ, ...PAGED },
  listSpaceFileBacklinks: { ...READ, ...PAGED },
  searchSpaceContent: { ...READ, query: { query: 'word' }, malformed: { query: { query: ' ' } } },
  searchOrganizationContent: { least: 'guest', allowed: 200, query: { query: 'word' }, malformed: { query: {} } },
};
