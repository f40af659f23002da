import { deflateSync } from 'node:zlib';

/** A PNG image whose header says `width` and `height`; its one line of pixels is there, whatever they say. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(2))), chunk('IEND')]);
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
}

/** The beginning of a GIF image of that size. */
export function gif(width: number, height: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  return Buffer.concat([Buffer.from('GIF89a'), size, Buffer.from([0, 0, 0, 0x3b])]);
}

/** The beginning of a lossy WebP image of that size. */
export function webp(width: number, height: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  const frame = Buffer.concat([Buffer.from([0x30, 1, 0, 0x9d, 1, 0x2a]), size, Buffer.alloc(6)]);
  return Buffer.concat([Buffer.from('RIFF'), Buffer.from([36, 0, 0, 0]), Buffer.from('WEBPVP8 \x10\0\0\0'), frame]);
}

/** The beginning of a JPEG image of that size; `orientation` is how it lies (Exif), `before` what stands before the size. */
export function jpeg(width: number, height: number, orientation?: number, before = Buffer.alloc(0)): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const app0 = Buffer.from([0xff, 0xe0, 0, 16, ...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    app0,
    ...(orientation === undefined ? [] : [exif(orientation)]),
    before,
    frame,
    Buffer.from([0xff, 0xd9]),
  ]);
}

function exif(orientation: number): Buffer {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  return Buffer.from([0xff, 0xe1, 0, 8 + tiff.length, ...Buffer.from('Exif\0\0'), ...tiff]);
}
