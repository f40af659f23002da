import { toDocument } from '../revisions/index.js';
import { beforeConditions, mayBeCut, toldSections } from './told-sections.js';

const told = async (markdown: string): Promise<unknown> =>
  toldSections(await toDocument(markdown))?.map(({ title, text }) => [title, text]);
const section = (text: string, title = '') => ({ anchor: title, title, depth: title === '' ? 0 : 2, text });

describe('the sections that every visitor is told of', () => {
  it('are all of them where there is no condition', async () => {
    expect(await told('Before\n\n{% hint style="info" %}\nA hint\n{% endhint %}\n')).toBeUndefined();
  });

  it('leave out what stands under a condition, the inner ones too, and expressions', async () => {
    const inner = '{% if condition="x" %}\ntwo\n\n{% if condition="y" %}\nthree\n{% endif %}\n\nfour\n{% endif %}';
    expect(await told(`One <code class="expression">visitor.claims.name</code>.\n\n${inner}\n\nfive\n`)).toEqual([
      ['', 'One .\nfive'],
    ]);
  });

  it('leave out headings under a condition, and keep the anchors of the others', async () => {
    const document = await toDocument(
      '## A\n\none\n\n{% if condition="x" %}\n## A\n\ntwo\n{% endif %}\n\n## A\n\nthree\n',
    );
    expect(toldSections(document)).toEqual([
      { anchor: 'a', title: 'A', depth: 2, text: 'one' },
      { anchor: 'a-2', title: 'A', depth: 2, text: 'three' },
    ]);
  });

  it('end at the first condition in a text that is long', () => {
    const long = section('x '.repeat(9000), 'Long');
    expect(beforeConditions([section('{% if condition="x" %} one')])).toBeUndefined();
    expect(beforeConditions([long, section('{% if condition="x" %} one', 'B'), section('two', 'C')])).toEqual([long]);
    expect(beforeConditions([long])).toEqual([long]);
  });
});

describe('mayBeCut', () => {
  it.each([
    ['{% if condition="x" %} one', true],
    ['{% -if condition="x" %} one', true],
    ['{% block %} {"type":"if"}', true],
    ['Hello visitor?.claims.name', true],
    ['A visitor. {% hint %} Claims {% endhint %}', false],
  ])('%j: %j', (text, expected) => {
    expect(mayBeCut([section('Before'), section(text)])).toBe(expected);
  });
});
