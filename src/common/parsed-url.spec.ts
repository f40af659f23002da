import { parsedUrl } from './parsed-url.js';

describe('parsedUrl', () => {
  it('reads whole addresses, and relative ones where there is something that they are relative to', () => {
    expect(parsedUrl('https://Bücher.example/ü')?.href).toBe('https://xn--bcher-kva.example/%C3%BC');
    expect(parsedUrl('../b', 'https://example.org/a/c')?.href).toBe('https://example.org/b');
    expect([parsedUrl('../b'), parsedUrl(''), parsedUrl('http://'), parsedUrl('b', 'a')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('reads an address as it did before, however often it is asked', () => {
    let refused = 0;
    for (let n = 0; n < 20_000; n += 1) if (!parsedUrl('https://bücher.example/')) refused += 1;
    expect(refused).toBe(0);
  });
});
