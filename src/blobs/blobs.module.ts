import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Blob, BlobSchema, BlobUpload, BlobUploadSchema, BUCKET_MODELS } from './blob.schema.js';
import { BlobRecords } from './blob.records.js';
import { Blobs } from './blobs.js';

/** Keeps the bytes of files. */
@Module({
  imports: [
    MongooseModule.forFeature([
      { name: Blob.name, schema: BlobSchema },
      { name: BlobUpload.name, schema: BlobUploadSchema },
      ...BUCKET_MODELS,
    ]),
  ],
  providers: [Blobs, BlobRecords],
  exports: [Blobs],
})
export class BlobsModule {}
