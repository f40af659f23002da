import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { gif, jpeg, png, webp } from '../../../test/support/images.js';
import { HEAD } from './content-type.js';
import { dimensionsOf } from './dimensions.js';
import { measure } from '../../../test/support/spent.js';

/** Longest that one image may hold up everybody else, in ms, on a machine that is busy. */
const LONG = 0.5;

describe('the size of an image', () => {
  it.each([
    ['image/png', png(640, 480)],
    ['image/apng', png(640, 480)],
    ['image/gif', gif(640, 480)],
    ['image/webp', webp(640, 480)],
    ['image/jpeg', jpeg(640, 480)],
    ['image/jpeg', jpeg(640, 480, 3)],
    ['image/jpeg', jpeg(480, 640, 6)],
  ])('is read out of the header: %s', (type, head) => {
    expect(dimensionsOf(head, type)).toEqual({ width: 640, height: 480 });
  });

  it('is what the header says, though no memory could hold the picture', () => {
    expect(dimensionsOf(png(2 ** 31 - 1, 2 ** 31 - 1), 'image/png')).toEqual({
      width: 2 ** 31 - 1,
      height: 2 ** 31 - 1,
    });
    expect(dimensionsOf(png(2 ** 31, 1), 'image/png')).toBeUndefined();
    expect(dimensionsOf(png(0, 10), 'image/png')).toBeUndefined();
  });

  it('is unknown of other formats, and of headers that do not fit', () => {
    expect(dimensionsOf(Buffer.from('<svg width="1" height="1"/>'), 'image/svg+xml')).toBeUndefined();
    expect(dimensionsOf(gif(1, 1), 'image/png')).toBeUndefined();
    expect(dimensionsOf(gif(1, 1), undefined)).toBeUndefined();
    expect(dimensionsOf(png(1, 1).subarray(0, 20), 'image/png')).toBeUndefined();
  });

  it('is two whole numbers or nothing, whatever the bytes are', () => {
    const images: [string, Buffer][] = [
      ['image/png', png(3, 5)],
      ['image/gif', gif(3, 5)],
      ['image/webp', webp(3, 5)],
      ['image/jpeg', jpeg(3, 5, 6)],
    ];
    const image = fc.constantFrom(...images);
    fc.assert(
      fc.property(image, fc.nat(60), fc.uint8Array({ maxLength: 200 }), ([type, bytes], cut, rest) => {
        const size = dimensionsOf(Buffer.concat([bytes.subarray(0, cut), rest]), type);
        for (const side of Object.values(size ?? {})) expect(Number.isInteger(side) && side > 0).toBe(true);
      }),
      { numRuns: cases(500, 20_000) },
    );
  });

  it.each<[string, Buffer<ArrayBuffer>]>([
    ['zeros', Buffer.alloc(HEAD)],
    ['markers', Buffer.alloc(HEAD, 0xff)],
    ['empty segments', Buffer.alloc(HEAD, Buffer.from([0xff, 0xe2, 0, 2]))],
    ['empty Exif segments', Buffer.alloc(HEAD, Buffer.from([0xff, 0xe1, 0, 8, ...Buffer.from('Exif\0\0')]))],
  ])('takes no time to be missed in a JPEG of %s', (_name, filling) => {
    const head = jpeg(1, 1, undefined, filling).subarray(0, HEAD);
    const spent = measure();
    dimensionsOf(head, 'image/jpeg');
    expect(spent()).toBeLessThan(LONG);
  });
});
