import { decodeHtml } from './decode-html.js';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('decodeHtml', () => {
  it.each<[string, Buffer, string, string]>([
    ['UTF-8 when nothing is said', Buffer.from('<p>ü'), 'text/html', '<p>ü'],
    ['Windows-1252 when it is no UTF-8', latin('<p>\xfc\x80'), '', '<p>ü€'],
    ['the header', latin('<meta charset=utf-8>\xe4'), 'text/html; charset="ISO-8859-1"', '<meta charset=utf-8>ä'],
    ['the page', latin('<meta charset="windows-1251">\xc6'), 'text/html', '<meta charset="windows-1251">Ж'],
    ['the mark before all', Buffer.from('\ufeffü'), 'text/html; charset=latin1', 'ü'],
    ['UTF-16', Buffer.from('\ufeff<p>ü', 'utf16le'), '', '<p>ü'],
    ['no name of an encoding', Buffer.from('ü'), 'text/html; charset=nonsense', 'ü'],
    ['a page that says it is UTF-16, and is not', Buffer.from('<meta charset=utf-16>ü'), '', '<meta charset=utf-16>ü'],
  ])('goes by %s', (_what, bytes, contentType, text) => {
    expect(decodeHtml(bytes, contentType)).toBe(text);
  });
});
