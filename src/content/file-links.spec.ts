import { Urls } from '../common/urls.js';
import { SecretKey } from '../config/index.js';
import type { FileEntry } from '../revisions/index.js';
import { FileLinks } from './file-links.js';

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

  it('is signed, and names no secret and no name', () => {
    expect(links.of('s1', file())).toMatch(
      /^https:\/\/api\.test\/v1\/files\/s1\/f1\/b1\.[a-z0-9]{6,10}\.[A-Za-z0-9_-]{43}$/,
    );
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
    expect(new Set(all.map((address) => address.slice(-43))).size).toBe(5);
  });
});
