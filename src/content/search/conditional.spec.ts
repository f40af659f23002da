import { unconditional } from './conditional.js';

const section = (title: string, text: string) => ({ anchor: title, title, depth: 2, text });
const told = (...texts: [title: string, text: string][]): [string, string][] =>
  unconditional(texts.map(([title, text]) => section(title, text))).map(({ title, text }) => [title, text]);

describe('unconditional', () => {
  it('keeps what has no condition as it is', () => {
    const sections = [section('', 'Before'), section('A', 'In {% hint %} a hint {% endhint %}')];
    expect(unconditional(sections)).toEqual(sections);
  });

  it('cuts out what stands under a condition, the inner ones too', () => {
    const text = 'One {% if condition="a % b" %} two {% if x %} three {% endif %} four {% endif %} five';
    expect(told(['A', text])).toEqual([['A', 'One   five']]);
  });

  it('leaves out sections that begin under one', () => {
    expect(told(['A', 'one {% if x %}'], ['B', 'two'], ['C', 'three {% endif %} four'], ['D', 'five'])).toEqual([
      ['A', 'one'],
      ['D', 'five'],
    ]);
  });

  it('hides the rest of a page where a condition has no end', () => {
    expect(told(['A', 'one {% if x'], ['B', 'two'])).toEqual([['A', 'one']]);
    expect(told(['', '{% if x %} one {% endif %}'], ['B', '{% endif %} two'])).toEqual([['B', 'two']]);
  });
});
