/** How much of a page is searched for what it says of its own encoding, bytes. */
const HEAD = 4096;

/** What Windows-1252 has from 0x80 to 0x9F; Node 20 reads it as ISO 8859-1, which has controls there. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * The text of an HTML page. Its encoding is what a mark at the beginning says, else the header, else the page itself;
 * when nothing does, UTF-8, or Windows-1252 where the bytes are no UTF-8 (HTML standard, 13.2.3).
 */
export function decodeHtml(bytes: Uint8Array, contentType: string): string {
  const label = markAt(bytes) ?? charsetIn(contentType) ?? charsetInPage(bytes);
  return (
    decode(bytes, label ?? 'utf-8', label === undefined) ??
    decode(bytes, label === undefined ? 'windows-1252' : 'utf-8', false) ??
    ''
  );
}

/** `undefined` when there is no encoding of that name, or, where the name is a guess, the bytes do not fit. */
function decode(bytes: Uint8Array, label: string, isGuess: boolean): string | undefined {
  try {
    const decoder = new TextDecoder(label, { fatal: isGuess });
    const text = decoder.decode(bytes);
    if (decoder.encoding !== 'windows-1252') return text;
    return text.replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252.charAt(character.charCodeAt(0) - 0x80));
  } catch {
    return undefined;
  }
}

function markAt([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return a === 0xff && b === 0xfe ? 'utf-16le' : undefined;
}

function charsetIn(text: string): string | undefined {
  return /charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(text)?.[1];
}

function charsetInPage(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD)).toString('latin1');
  const tag = /<meta\s[^>]{0,500}charset\s*=[^>]{0,100}/i.exec(head)?.[0];
  const label = tag === undefined ? undefined : charsetIn(tag);
  // a page that could be read up to here is no UTF-16, whatever it says
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}
