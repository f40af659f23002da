import { offsetsIn, readHtml } from './html-tags.js';
import { measure } from '../../test/support/spent.js';

/** Tags as what is written of them: name, then attributes with their values and where those stand. */
const read = (html: string): unknown[] =>
  readHtml(html).tags.map(({ name, attributes }) => [
    name,
    ...[...attributes].map(([key, { value, start, end }]) => [key, value, html.slice(start, end)]),
  ]);

describe('readHtml', () => {
  it.each<[string, unknown[]]>([
    ['<a href="x" B=\'y\' c=z d>', [['a', ['href', 'x', 'x'], ['b', 'y', 'y'], ['c', 'z', 'z'], ['d', '', '']]]],
    ['<A\n\tHref = " x&amp;y " href="z"/>', [['a', ['href', 'x&y', 'x&amp;y']]]],
    ['<img src=a/b=c/>', [['img', ['src', 'a/b=c/', 'a/b=c/']]]],
    ['<br/><x-y/z>', [['br'], ['x-y', ['z', '', '']]]],
    [
      '<a href=>x<b =c="d">',
      [
        ['a', ['href', '', '']],
        ['b', ['=c', 'd', 'd']],
      ],
    ],
    ['a < b <1> <> </> <!> <?a <b>', []],
    ['<!--<a>--><b><!--><i><!-- <a>', [['b'], ['i']]],
    ['<!doctype html><a></a href="<b>"><i>', [['a'], ['i']]],
    ['<script>"<a>"</scripts></SCRIPT ><b><style><a>', [['script'], ['b'], ['style']]],
    ['<a title="<b>"><i><a href="', [['a', ['title', '<b>', '<b>']], ['i']]],
    ['<a href=x', []],
  ])('reads %j', (html, expected) => {
    expect(read(html)).toEqual(expected);
  });

  it.each([
    ['<p>a > b<!-- c --> d</p><br alt="->">e', ' a > b  d  e'],
    ['a < b <script>c < d</script> <i>e', 'a < b     e'],
    ['a <b title="c', 'a <b title="c'],
    ['a <!-- b <i>c</i>', 'a <!-- b <i>c</i>'],
  ])('leaves the text of %j', (html, text) => {
    expect(readHtml(html).text).toBe(text);
  });

  it.each([
    '<a',
    '<a ',
    '<a href="',
    '<a href="x',
    '<a href=\'"',
    '<!--',
    '<!',
    '<script>',
    '</',
    ' a=',
    '<a / = ',
    '<a>',
    '<img alt=x src=y>',
  ])('reads two million characters of %j in time', (piece) => {
    const html = `<a ${piece.repeat(Math.ceil(2_000_000 / piece.length))}`;
    const spent = measure();
    expect(readHtml(html).text.length).toBeLessThanOrEqual(html.length);
    expect(spent()).toBeLessThan(5);
  });
});

describe('offsetsIn', () => {
  it('finds the same characters in Markdown whose lines begin with what marks quotes and lists', () => {
    const written = '<div\r\n> -  a="b"\r\n>\r\n>   c>';
    const value = '<div\r\n a="b"\r\n\r\nc>';
    const offsetOf = offsetsIn(written, value);
    for (const word of ['<div', 'a="', 'b"', 'c>']) {
      expect(offsetOf(value.indexOf(word))).toBe(written.indexOf(word));
    }
  });
});
