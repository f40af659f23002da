/**
 * `text` as an address, beside `base` where it is a relative one; `undefined` where it is none. In place of `URL.canParse`, which
 * Node.js 20 and 22 have answer `false` for hosts such as `bücher.example` once it was called some thousand times.
 */
export function parsedUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
