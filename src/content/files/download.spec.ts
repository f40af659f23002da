import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { planDownload } from './download.js';
import type { LinkedFile } from './file-links.js';

const NOW = 1_000_000;
const file = (changes: Partial<LinkedFile> = {}): LinkedFile => ({
  name: 'a.png',
  contentType: 'image/png',
  blob: 'abc',
  expires: new Date(NOW + 90_500),
  ...changes,
});

const SHARED = {
  ETag: '"abc"',
  'Cache-Control': 'private, max-age=90, immutable',
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'Accept-Ranges': 'bytes',
};
const WHOLE = { ...SHARED, 'Content-Type': 'image/png', 'Content-Disposition': 'inline; filename=a.png' };

describe('how a file is sent', () => {
  const plan = (...[request, given = file()]: [Parameters<typeof planDownload>[2], LinkedFile?]) =>
    planDownload(given, 10, request, NOW);

  it('is whole, when nothing else is asked for', () => {
    const whole = { status: 200, headers: { ...WHOLE, 'Content-Length': '10' }, body: { start: 0, end: 10 } };
    expect(plan({ fresh: false })).toEqual(whole);
    expect(plan({ fresh: false, range: -2 })).toEqual(whole);
    expect(
      plan({
        fresh: false,
        range: [
          { start: 0, end: 1 },
          { start: 4, end: 5 },
        ],
      }),
    ).toEqual(whole);
    expect(plan({ fresh: false, range: [{ start: 0, end: 1 }], ifRange: '"other"' })).toEqual(whole);
    expect(plan({ fresh: false, range: -1, ifRange: 'Sat, 21 Nov 2026 00:00:00 GMT' })).toEqual(whole);
  });

  it('is the part that was asked for', () => {
    const part = {
      status: 206,
      headers: { ...WHOLE, 'Content-Range': 'bytes 2-9/10', 'Content-Length': '8' },
      body: { start: 2, end: 10 },
    };
    expect(plan({ fresh: false, range: [{ start: 2, end: 9 }] })).toEqual(part);
    expect(plan({ fresh: false, range: [{ start: 2, end: 9 }], ifRange: '"abc"' })).toEqual(part);
  });

  it('is not at all, for parts that are not there and for who has it', () => {
    expect(plan({ fresh: false, range: -1 })).toEqual({
      status: 416,
      headers: { ...SHARED, 'Content-Range': 'bytes */10' },
    });
    expect(plan({ fresh: true, range: [{ start: 2, end: 9 }] })).toEqual({ status: 304, headers: SHARED });
  });

  const headersOf = (name: string, contentType: string): [string | undefined, string | undefined] => {
    const { headers } = plan({ fresh: false }, file({ name, contentType }));
    return [headers['Content-Type'], headers['Content-Disposition']];
  };

  it.each([
    'text/html',
    'text/html; charset=utf-8',
    'application/xhtml+xml',
    'image/svg+xml',
    'application/xml',
    'text/xml',
    'image/x+xml',
    'text/javascript',
    'text/css',
    'application/pdf',
    'application/octet-stream',
    'video/x+xml',
    '__proto__',
  ])('is a download, when it is %s', (type) => {
    expect(headersOf('a', type)[1]).toBe('attachment; filename=a');
  });

  it.each(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'video/mp4', 'audio/mpeg', 'text/plain'])(
    'is shown, when it is %s',
    (type) => {
      expect(headersOf('a', type)[1]).toBe('inline; filename=a');
    },
  );

  it('names the charset of text, and no type that a header cannot name', () => {
    expect(headersOf('a', 'text/plain')[0]).toBe('text/plain; charset=utf-8');
    expect(headersOf('a', 'text/plain; charset=latin1')[0]).toBe('text/plain; charset=latin1');
    expect(headersOf('a', 'text/plain\r\nX-Evil: 1')[0]).toBe('application/octet-stream');
    expect(headersOf('a', '')[0]).toBe('application/octet-stream');
  });

  it.each([
    ['a "quoted" name.png', 'inline; filename="a \\"quoted\\" name.png"'],
    ['日本.png', 'inline; filename="??.png"; filename*=UTF-8\'\'%E6%97%A5%E6%9C%AC.png'],
    ['../../etc/passwd', 'inline; filename=passwd'],
    ['C:\\Windows\\a.png', 'inline; filename=a.png'],
    ['a\r\nX-Evil: 1', 'inline; filename="a__X-Evil: 1"'],
    ['gpj\u202eexe', 'inline; filename=gpj_exe'],
    ['a/', 'inline; filename=file'],
  ])('carries the name %j safely', (name, expected) => {
    expect(headersOf(name, 'image/png')[1]).toBe(expected);
  });

  it('carries every name in what a header may hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(headersOf(name, 'image/png')[1]).toMatch(/^inline; filename[\x20-\x7e]*$/);
      }),
      { numRuns: cases(200, 5000) },
    );
  });
});
