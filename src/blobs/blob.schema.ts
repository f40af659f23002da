import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { mongo, Schema as MongooseSchema, Types } from 'mongoose';

/** Bytes that are stored. Immutable but for `touchedAt`; written when all of the bytes are there. */
@Schema({ collection: 'blobs', versionKey: false })
export class Blob {
  /** SHA-256 of organization and bytes: hexadecimal. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: String, required: true }) organization!: string;
  /** Where the bytes lie in GridFS: a fresh id, so that an upload that was killed is in nobody's way. */
  @Prop({ type: Types.ObjectId, required: true }) file!: mongo.ObjectId;
  /** Bytes. */
  @Prop({ type: Number, required: true }) size!: number;
  /** When somebody last stored these bytes; keeps what is about to be referred to from being swept. */
  @Prop({ type: Date, required: true }) touchedAt!: Date;
}

export const BlobSchema = SchemaFactory.createForClass(Blob);
BlobSchema.index({ file: 1 }); // cleanUp(): whether an upload was completed

/** A file in GridFS that may have no {@link Blob}: an upload that is under way or was killed, or a removal. */
@Schema({ collection: 'blob_uploads', versionKey: false })
export class BlobUpload {
  /** Id of the file in GridFS. */
  @Prop({ type: Types.ObjectId, required: true }) _id!: mongo.ObjectId;
  @Prop({ type: Date, required: true }) startedAt!: Date;
}

export const BlobUploadSchema = SchemaFactory.createForClass(BlobUpload);
BlobUploadSchema.index({ startedAt: 1 }); // cleanUp()

/** Name of the bucket: its collections are `blobs.files` and `blobs.chunks`. */
export const BUCKET = 'blobs';

/** A piece of the bytes of a file in GridFS. */
export interface BlobChunk {
  files_id: mongo.ObjectId;
  n: number;
  data: Buffer;
}

/** What GridFS keeps. Written by the driver; declared here for the indexes, which are those that GridFS asks for. */
export const BUCKET_MODELS = [
  { name: 'BlobFile', schema: bucketSchema('files').index({ filename: 1, uploadDate: 1 }) },
  { name: 'BlobChunk', schema: bucketSchema('chunks').index({ files_id: 1, n: 1 }, { unique: true }) },
];

function bucketSchema(part: string): MongooseSchema {
  return new MongooseSchema({}, { collection: `${BUCKET}.${part}`, versionKey: false });
}
