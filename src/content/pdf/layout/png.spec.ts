import fc from 'fast-check';
import { deflateSync, inflateSync } from 'node:zlib';
import { cases } from '../../../../test/support/cases.js';
import { readPng } from './png.js';

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
}

interface Drawn {
  width?: number;
  height?: number;
  bits?: number;
  kind: number;
  interlace?: number;
  lines?: Buffer;
  more?: Buffer[];
}

/** A PNG of these lines of pixels, each with its filter. */
function png({
  width = 1,
  height = 1,
  bits = 8,
  kind,
  interlace = 0,
  lines = Buffer.alloc(5),
  more = [],
}: Drawn): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, kind, 0, 0, interlace], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    ...[signature, chunk('IHDR', header), ...more],
    ...[chunk('IDAT', deflateSync(lines)), chunk('IEND', Buffer.alloc(0))],
  ]);
}

const inflated = (bytes: Buffer | undefined): number[] => [...inflateSync(bytes ?? Buffer.alloc(0))];

describe('a PNG', () => {
  it('without transparency is passed on as it is', () => {
    const lines = Buffer.from([4, 1, 2, 3]);
    const parts = readPng(png({ kind: 2, lines }));
    expect(parts).toEqual({ width: 1, height: 1, bits: 8, kind: 2, pixels: deflateSync(lines) });
  });

  it.each([
    ['none', 0, [9, 8, 7, 6]],
    ['left', 1, [9, 8, 7, 6]],
    ['above', 2, [9 + 1, 8 + 2, 7 + 3, 6 + 4]],
    ['both', 3, [9, 9, 8, 8]],
    ['Paeth', 4, [9 + 1, 8 + 2, 7 + 3, 6 + 4]],
  ])('is read with the filter %s', (_name, filter, expected) => {
    const lines = Buffer.from([...[0, 1, 2, 3, 4], ...[filter, 9, 8, 7, 6]]);
    const parts = readPng(png({ kind: 6, height: 2, lines }));
    expect(inflated(parts?.pixels)).toEqual([0, 1, 2, 3, 0, ...expected.slice(0, 3)]);
    expect(inflated(parts?.alpha)).toEqual([4, expected[3]]);
  });

  it('of a palette has its transparency by colour', () => {
    const more = [chunk('PLTE', Buffer.from([1, 1, 1, 2, 2, 2])), chunk('tRNS', Buffer.from([7]))];
    const parts = readPng(png({ kind: 3, bits: 1, width: 3, lines: Buffer.from([0, 0b01000000]), more }));
    expect(inflated(parts?.alpha)).toEqual([7, 255, 7]);
    expect(parts).toMatchObject({ kind: 3, bits: 1, palette: Buffer.from([1, 1, 1, 2, 2, 2]) });
  });

  it('of 16 bits keeps the upper 8', () => {
    const lines = Buffer.from([0, 1, 99, 2, 99]);
    const parts = readPng(png({ kind: 4, bits: 16, lines }));
    expect([inflated(parts?.pixels), inflated(parts?.alpha), parts?.bits]).toEqual([[0, 1], [2], 8]);
  });

  it.each([
    ['interlaced', png({ kind: 2, interlace: 1 })],
    ['larger than its header says', png({ kind: 6, lines: Buffer.alloc(1000) })],
    ['smaller than its header says', png({ kind: 6, width: 100, height: 100 })],
    ['of a size that no memory holds', png({ kind: 6, width: 2 ** 31 - 1, height: 2 ** 31 - 1 })],
    ['without a palette', png({ kind: 3, more: [chunk('tRNS', Buffer.from([7]))] })],
    ['of an empty palette', png({ kind: 3, bits: 8, more: [chunk('PLTE', Buffer.alloc(0))] })],
    [
      'of a palette for 65,536 colours',
      png({ kind: 3, bits: 16, lines: Buffer.alloc(3), more: [chunk('PLTE', Buffer.alloc(3))] }),
    ],
    ['of an unknown kind', png({ kind: 5 })],
    ['cut short', png({ kind: 6 }).subarray(0, 40)],
    ['no PNG', Buffer.from('GIF89a')],
  ])('that is %s is none', (_what, bytes) => {
    expect(readPng(bytes)).toBeUndefined();
  });

  it('never fails, whatever its bytes are', () => {
    const lines = fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes));
    const side = fc.integer({ min: 0, max: 5 });
    const given = fc.record({ width: side, height: side, bits: fc.constantFrom(1, 2, 4, 8, 16), kind: side, lines });
    fc.assert(
      fc.property(given, fc.nat(80), fc.uint8Array({ maxLength: 20 }), (drawn, at, noise) => {
        const bytes = png(drawn);
        Buffer.from(noise).copy(bytes, at);
        readPng(bytes);
      }),
      { numRuns: cases(300, 10_000) },
    );
  });
});
