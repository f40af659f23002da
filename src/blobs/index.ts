export { Blobs, MAX_BLOB, type StoredBlob } from './blobs.js';
export { BlobsModule } from './blobs.module.js';
export { type ByteRange, TooManyBytesError } from './gridfs.js';
