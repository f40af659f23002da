import { ConversionThread } from '../src/content/conversion/conversion-thread.js';
import type { ConvertedPage } from '../src/content/import/convert/convert-page.js';
import { cases } from './support/cases.js';

/** Threads run compiled code only. */
const FILE = new URL('../dist/content/conversion/worker.js', import.meta.url);

const pageJob = (html: string) => ({
  kind: 'page' as const,
  input: { bytes: Buffer.from(html), contentType: 'text/html', address: 'https://x.org/', secret: 'Secret' },
});

describe('the thread that converts', () => {
  let thread: ConversionThread;

  beforeEach(() => {
    thread = new ConversionThread(FILE, 60_000);
  });
  afterEach(() => thread.stop());

  it('does each kind of work, one after the other', async () => {
    const robots = {
      address: 'https://x.org/robots.txt',
      text: 'User-agent: colophon\nDisallow: /a\nCrawl-delay: 2\n\nUser-agent: *\nDisallow: /',
      questions: ['https://x.org/a', 'https://x.org/b', 'https://y.org/b'],
    };
    const [page, wiki, summary, rules] = await Promise.all([
      thread.run(pageJob('<main><h1>Title</h1><p>Some words.</p></main>')),
      thread.run({ kind: 'wiki', input: '[[A b]]' }),
      thread.run({ kind: 'summary', input: '- [A](a.md)' }),
      thread.run({ kind: 'robots', input: robots }),
    ]);
    expect(page).toMatchObject({ title: 'Title', markdown: 'Some words.\n' });
    expect(wiki).toBe('[A b](A-b)');
    expect(summary).toEqual([{ kind: 'page', title: 'A', file: 'a.md', children: [] }]);
    expect(rules).toEqual({ allowed: ['https://x.org/b'], delay: 2 });
  });

  it('gives up what takes too long, and goes on with the next; the service is not held up', async () => {
    thread = new ConversionThread(FILE, 10_000);
    let beats = 0;
    const heart = setInterval(() => (beats += 1), 50);
    // links in links make the parser copy what is open again and again
    const slow = thread.run(pageJob('<a href=x>'.repeat(50_000)));
    const next = thread.run(pageJob('<p>Next</p>'));
    await expect(slow).rejects.toThrow('takes too much time or memory to be read');
    expect((await next) as ConvertedPage).toMatchObject({ markdown: 'Next\n' });
    clearInterval(heart);
    expect(beats).toBeGreaterThan(10);
  });

  it.each([
    ['very deep', '<div>'.repeat(100_000)],
    ['very deep lists', '<ul><li>'.repeat(20_000)],
    ['a table of spans', `<table>${'<tr><td rowspan=50 colspan=50>x'.repeat(cases(300, 10_000))}`],
    ['marks of emphasis', `<p>${'*a_'.repeat(cases(20_000, 500_000))}`],
    ['nested quotes', '<blockquote>x'.repeat(5000)],
    ['formatting over blocks', '<b><p>'.repeat(cases(1000, 5000))],
  ])('comes back from a page that is %s', async (_what, html) => {
    const outcome = await thread.run(pageJob(html)).then(
      () => 'converted',
      (error: unknown) => (error as Error).name,
    );
    expect(['converted', 'ConversionError']).toContain(outcome);
    expect(await thread.run({ kind: 'wiki', input: 'after' })).toBe('after');
  });
});
