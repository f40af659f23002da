import { fromFrontMatter, withoutEmpty } from './page-metadata.js';

describe('fromFrontMatter', () => {
  it('reads what a page shows', () => {
    const matter = {
      title: 'Title',
      description: 'What it is about',
      icon: 'book',
      emoji: '📘',
      hidden: true,
      noIndex: false,
      noRobotsIndex: true,
    };
    expect(fromFrontMatter(matter)).toEqual(matter);
  });

  it('is nothing without front matter, and passes over other keys', () => {
    expect(fromFrontMatter(undefined)).toEqual({});
    expect(fromFrontMatter({ slug: 'x', layout: 'wide', constructor: 'x', into: 'y' })).toEqual({});
  });

  it('lets an empty text stand for none, of all but the title', () => {
    const empty = { title: '', description: '', icon: '', emoji: '' };
    expect(fromFrontMatter(empty)).toEqual({ description: '', icon: '', emoji: '' });
    expect(fromFrontMatter({ title: ' \t' })).toEqual({});
  });

  it.each([
    [{ title: 'x'.repeat(1000) }, true],
    [{ title: 'x'.repeat(1001) }, false],
    [{ title: '📘'.repeat(1000) }, true],
    [{ description: 'x'.repeat(300) }, true],
    [{ description: 'x'.repeat(301) }, false],
    [{ icon: 'x'.repeat(50) }, true],
    [{ icon: 'x'.repeat(51) }, false],
    [{ emoji: '1f600' }, true],
    [{ emoji: 'smile' }, false],
    [{ emoji: '📘'.repeat(51) }, false],
    [{ title: true }, false],
    [{ hidden: 'true' }, false],
    [{ hidden: '' }, false],
  ])('takes or passes over a value, as a page can have it: %#', (matter, taken) => {
    expect(fromFrontMatter(matter)).toEqual(taken ? matter : {});
  });

  it('reads own keys only', () => {
    const matter = Object.create({ title: 'inherited', hidden: true }) as Record<string, string>;
    expect(fromFrontMatter(matter)).toEqual({});
    expect(fromFrontMatter(JSON.parse('{"__proto__":{"title":"x"}}') as Record<string, string>)).toEqual({});
  });
});

describe('withoutEmpty', () => {
  it('leaves out empty texts, and nothing else', () => {
    expect(withoutEmpty({ a: '', b: ' ', c: false, d: 0, e: null, f: undefined })).toEqual({
      b: ' ',
      c: false,
      d: 0,
      e: null,
      f: undefined,
    });
  });
});
