import { owned, type Rule } from '../database/index.js';
import type { OpenApiSpec } from './openapi-spec.schema.js';
import type { OpenApiVersion } from './openapi-version.schema.js';

/** What of descriptions of APIs goes where an organization goes. */
export const OPENAPI_RECORDS: readonly Rule[] = [
  owned<OpenApiSpec>('openapi_specs', {
    // one that is due is fetched, whosever it is
    atOnce: true,
    needs: { blobs: ({ text }) => [text], openapi_versions: ({ lastVersion }) => [lastVersion] },
  }),
  owned<OpenApiVersion>('openapi_versions', {
    of: ['openapi_specs'],
    by: 'spec',
    needs: { blobs: ({ text, document, outline }) => [text.hash, document.hash, outline.hash] },
  }),
];
