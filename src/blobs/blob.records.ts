import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { apart, OrganizationRecords } from '../database/index.js';
import { BUCKET } from './blob.schema.js';
import { Blobs, hashing } from './blobs.js';

/** Has bytes go where an organization goes. */
@Injectable()
export class BlobRecords {
  constructor(records: OrganizationRecords, blobs: Blobs) {
    records.addBytes('blobs', {
      read: (hash) => blobs.open(hash),
      hashing,
      write: async (organization, pieces) => {
        await blobs.put(organization, Readable.from(pieces, { objectMode: false }));
      },
    });
    records.add([
      apart(`${BUCKET}.files`, 'the bytes come with their hashes'),
      apart(`${BUCKET}.chunks`, 'the bytes come with their hashes'),
      apart('blob_uploads', 'they are of uploads that are under way'),
    ]);
  }
}
