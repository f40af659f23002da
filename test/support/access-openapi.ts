import { type AccessRow, PAGED, READ } from './access-row.js';

/** Who may call the operations of descriptions of APIs, and of translation settings. */
export const ACCESS_OF_OPENAPI: Record<string, AccessRow> = {
  // OpenAPI specifications
  listOpenAPISpecs: { ...READ, ...PAGED },
  // one that is there
  createOpenAPISpec: {
    least: 'create',
    allowed: 409,
    body: ({ specSlug: slug }) => ({ slug, source: { text: '{}' } }),
    malformed: { body: { slug: 'pets-1', source: {} } },
  },
  getOpenAPISpecBySlug: READ,
  // makes what is not there
  createOrUpdateOpenAPISpecBySlug: {
    least: 'create',
    allowed: 200,
    makes: 'specSlug',
    body: { source: { text: '{}' } },
    malformed: { body: {} },
  },
  deleteOpenAPISpecBySlug: { least: 'create', allowed: 205, destroys: true },
  listOpenAPISpecVersions: { ...READ, ...PAGED },
  getLatestOpenAPISpecVersion: READ,
  getLatestOpenAPISpecVersionContent: READ,
  getLatestOpenAPISpecVersionContentRaw: READ,
  getOpenAPISpecVersionById: READ,
  getOpenAPISpecVersionContentById: READ,
  getOpenAPISpecVersionContentRawById: READ,
  getOpenAPISpecVersionChanges: { ...READ, malformed: { query: { from: 'none' } } },
  // translations
  listTranslationSettings: { ...READ, ...PAGED },
  createTranslationSettings: { least: 'admin', allowed: 201, body: { title: 'All' }, malformed: { body: {} } },
  getTranslationSettings: READ,
  updateTranslationSettings: {
    least: 'admin',
    allowed: 200,
    body: { title: 'All' },
    malformed: { body: { title: 'All', languages: ['klingon'] } },
  },
  deleteTranslationSettings: { least: 'admin', allowed: 205, destroys: true },
};
