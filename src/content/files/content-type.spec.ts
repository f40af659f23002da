import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { gif, jpeg, png, webp } from '../../../test/support/images.js';
import { contentTypeOf, sniffType } from './content-type.js';

describe('the type of a file', () => {
  it.each<[string, Buffer, string | undefined]>([
    ['PNG', png(1, 1), 'image/png'],
    ['GIF', gif(1, 1), 'image/gif'],
    ['JPEG', jpeg(1, 1), 'image/jpeg'],
    ['WebP', webp(1, 1), 'image/webp'],
    ['PDF', Buffer.from('%PDF-1.7\n'), 'application/pdf'],
    ['XML', Buffer.from('<?xml version="1.0"?><svg/>'), 'application/xml'],
    ['HTML', Buffer.from('<!doctype html><script>1</script>'), undefined],
    ['text', Buffer.from('hello'), undefined],
    ['nothing', Buffer.alloc(0), undefined],
  ])('is read out of its first bytes: %s', async (_name, bytes, type) => {
    expect(await sniffType(bytes)).toBe(type);
  });

  it('never fails, whatever the bytes are', async () => {
    const start = fc.constantFrom(
      png(1, 1),
      gif(1, 1),
      jpeg(1, 1),
      webp(1, 1),
      Buffer.from('PK\x03\x04'),
      Buffer.from('%PDF'),
    );
    await fc.assert(
      fc.asyncProperty(start, fc.nat(40), fc.uint8Array({ maxLength: 400 }), async (head, cut, rest) => {
        await sniffType(Buffer.concat([head.subarray(0, cut), rest]));
      }),
      { numRuns: cases(200, 5000) },
    );
  });

  it.each<[string | undefined, string | undefined, string, string]>([
    ['image/png', 'text/html', 'a.html', 'image/png'],
    ['image/png', undefined, 'a', 'image/png'],
    [undefined, 'text/csv', 'a.txt', 'text/csv'],
    [undefined, 'Text/Plain; Charset=UTF-8; format=flowed', 'a', 'text/plain; charset=utf-8'],
    [undefined, 'text/plain; charset="latin1"', 'a', 'text/plain; charset=latin1'],
    [undefined, 'application/json; charset=utf-8', 'a', 'application/json'],
    ['application/xml', 'image/svg+xml', 'a', 'image/svg+xml'],
    ['application/xml', undefined, 'logo.svg', 'image/svg+xml'],
    ['application/xml', undefined, 'logo', 'application/xml'],
    ['application/zip', 'application/vnd.ms-excel', 'a', 'application/vnd.ms-excel'],
    ['application/zip', 'application/octet-stream', 'a', 'application/zip'],
    [undefined, 'application/octet-stream', 'a.css', 'text/css'],
    [undefined, 'nonsense', 'a.md', 'text/markdown'],
    [undefined, 'text/html\r\nX-Evil: 1', 'a', 'application/octet-stream'],
    [undefined, 'text/plain; charset=a\r\nb', 'a', 'text/plain'],
    [undefined, '', 'a.unknown-ending', 'application/octet-stream'],
  ])('with the bytes of %s, declared as %j, named %s, is %s', (sniffed, declared, name, type) => {
    expect(contentTypeOf(sniffed, { name, ...(declared !== undefined && { declared }) })).toBe(type);
  });
});
