import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { Urls } from '../../common/urls.js';
import { SecretKey } from '../../config/index.js';
import type { FileEntry } from '../../revisions/index.js';
import { FileLinks, type SignedAddress } from './file-links.js';

const urls = new Urls('https://api.test', 'https://app.test', 'https://pub.test');
const links = new FileLinks(urls, new SecretKey('a key that is made of 32 characters'));
const HOUR = 3_600_000;

const file = (changes: Partial<FileEntry> = {}): FileEntry => ({
  id: 'f1',
  name: 'a b.png',
  contentType: 'image/png',
  size: 1,
  blob: 'b1',
  ...changes,
});

describe('the address of a file', () => {
  const now = Date.now.bind(Date);

  afterEach(() => {
    Date.now = now;
  });

  const at = (time: number, of = file(), space = 's1'): string => {
    Date.now = () => time;
    return links.of(space, of);
  };

  /** The parts of an address, as a request brings them. */
  const partsOf = (address: string): SignedAddress => {
    const { pathname, searchParams } = new URL(address);
    const [space = '', id = '', signature = ''] = pathname.split('/').slice(3).map(decodeURIComponent);
    return { space, file: id, signature, name: searchParams.get('name'), type: searchParams.get('type') };
  };

  it('is signed, and names no secret', () => {
    expect(links.of('s1', file())).toMatch(
      /^https:\/\/api\.test\/v1\/files\/s1\/f1\/b1\.[a-z0-9]{6,10}\.[A-Za-z0-9_-]{43}\?name=a\+b\.png&type=image%2Fpng$/,
    );
  });

  it('says what it was made for, whatever the name holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.string(), (name, contentType) => {
        const start = 500_000 * HOUR;
        const address = at(start, file({ name, contentType }));
        const expires = new Date(start + 2 * HOUR);
        expect(links.read(partsOf(address))).toEqual({ name, contentType, blob: 'b1', expires });
      }),
      { numRuns: cases(100, 2000) },
    );
  });

  it('works until it expires', () => {
    const start = 500_000 * HOUR;
    const parts = partsOf(at(start + HOUR - 1));
    Date.now = () => start + 2 * HOUR - 1;
    expect(links.read(parts)).toBeDefined();
    Date.now = () => start + 2 * HOUR;
    expect(links.read(parts)).toBeUndefined();
  });

  it('leads nowhere when anything of it was changed', () => {
    const parts = partsOf(links.of('s1', file()));
    const [blob = '', expires = '', signature = ''] = parts.signature.split('.');
    const forged: Partial<SignedAddress>[] = [
      { space: 's2' },
      { file: 'f2' },
      { name: 'b.png' },
      { type: 'text/html' },
      { name: undefined },
      { name: ['a b.png'] },
      { type: ['image/png', 'image/png'] },
      { signature: `b2.${expires}.${signature}` },
      { signature: `${blob}.${(parseInt(expires, 36) + 1).toString(36)}.${signature}` },
      { signature: `${blob}.${expires}.${signature.slice(1)}` },
      { signature: `${parts.signature}.x` },
      { signature: `${blob}.${expires}` },
      { signature: '' },
    ];
    for (const change of forged) expect(links.read({ ...parts, ...change })).toBeUndefined();
    expect(links.read(parts)).toBeDefined();
  });

  it('is the same within an hour, another one in the next, and good until the end of the next', () => {
    const start = 500_000 * HOUR;
    expect(at(start + 1)).toBe(at(start + HOUR - 1));
    expect(at(start + HOUR)).not.toBe(at(start));
    const expires = new URL(at(start + HOUR - 1)).pathname.split('.').at(-2) ?? '';
    expect(parseInt(expires, 36)).toBe(start + 2 * HOUR);
  });

  it('is another one for each space, file and version of it', () => {
    const all = [
      at(0),
      at(0, file({ id: 'f2' })),
      at(0, file({ blob: 'b2' })),
      at(0, file(), 's2'),
      new FileLinks(urls, new SecretKey('another key, made of 32 characters')).of('s1', file()),
    ];
    expect(new Set(all.map((address) => new URL(address).pathname.slice(-43))).size).toBe(5);
  });
});
