import { apart, content, owned, type Rule } from '../database/index.js';
import { contentKey, isLeaf, readChunk } from './chunk.js';
import type { ChunkRecord } from './chunk.schema.js';
import type { StoredDocument } from './document.schema.js';
import { bytesIn, documentsIn } from './referred.js';
import type { Revision } from './revision.schema.js';

/** What of the store goes where an organization goes. Content may have been written for another one: spaces are given away. */
export const REVISION_RECORDS: readonly Rule[] = [
  owned<Revision>('revisions', {
    of: ['spaces'],
    by: 'space',
    needs: { chunks: ({ root }) => [root] },
    people: ({ author }) => [author],
  }),
  content<ChunkRecord>('chunks', {
    touched: 'touchedAt',
    isWhole: ({ _id, organization, text }) => _id === contentKey(organization, 'chunk', text),
    needs: {
      chunks: ({ _id, text }) => {
        const chunk = readChunk(_id, text);
        return isLeaf(chunk) ? [] : chunk.children;
      },
      documents: ({ _id, text }) => documentsIn(readChunk(_id, text)),
      blobs: ({ _id, text }) => bytesIn(readChunk(_id, text)),
    },
  }),
  content<StoredDocument>('documents', {
    touched: 'touchedAt',
    isWhole: ({ _id, organization, markdown }) => _id === contentKey(organization, 'document', markdown),
    // what is known of a text is found out anew where others could come upon it
    distrust: (record, organization) => (record.organization === organization ? {} : { outlineVersion: 0 }),
  }),
  apart('sweeps', 'the sweep is of the installation'),
  apart('sweep_marks', 'the sweep is of the installation'),
];
