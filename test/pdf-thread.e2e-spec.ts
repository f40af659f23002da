import type { Desk, Plan } from '../src/content/pdf/layout/job.js';
import { layOutBeside } from '../src/content/pdf/layout-thread.js';
import { cases } from './support/cases.js';
import { readPdf } from './support/pdf.js';

/** Threads run compiled code only. */
const FILE = new URL('../dist/content/pdf/layout/worker.js', import.meta.url);
const PLAN: Plan = {
  ...{ title: 'Book', revision: 'r', date: '2026-01-02T03:04:05.000Z', front: true },
  chapters: Array.from({ length: 5 }, (_, n) => ({
    ...{ id: `page-${String(n)}`, title: `Chapter ${String(n)}` },
    ...{ isLink: false, chapters: [] },
  })),
};
const TEXT = `${'Some words to fill lines with. '.repeat(20)}\n\n`.repeat(cases(25, 100));

/** Answers with `text`, and keeps what is written. */
function deskOf(text: () => Promise<string>): Desk & { parts: Uint8Array[] } {
  const parts: Uint8Array[] = [];
  return {
    parts,
    text,
    targets: (_of, refs) => Promise.resolve(refs.map(() => ({ kind: 'other' }))),
    image: () => Promise.resolve(undefined),
    write: (bytes) => Promise.resolve(void parts.push(bytes)),
  };
}

describe('the thread that lays out', () => {
  it('makes a PDF a chapter at a time, and the service is not held up', async () => {
    const desk = deskOf(() => Promise.resolve(TEXT));
    let beats = 0;
    const heart = setInterval(() => (beats += 1), 20);
    const { printed } = await layOutBeside(FILE, PLAN, desk, new AbortController().signal);
    clearInterval(heart);
    expect(beats).toBeGreaterThan(10);
    expect(desk.parts.length).toBeGreaterThan(5);
    const pdf = await readPdf(Buffer.concat(desk.parts));
    expect(pdf.pages).toHaveLength(printed);
    expect(pdf.outline.map(([title]) => title)).toEqual(PLAN.chapters.map(({ title }) => title));
  });

  it('ends as soon as nobody wants the PDF', async () => {
    const gone = new AbortController();
    const desk = deskOf(() => {
      gone.abort();
      return new Promise(() => undefined);
    });
    await expect(layOutBeside(FILE, PLAN, desk, gone.signal)).rejects.toThrow('This operation was aborted');
    await expect(layOutBeside(FILE, PLAN, desk, gone.signal)).rejects.toThrow('This operation was aborted');
  });

  it('ends with what the service failed with', async () => {
    const desk = deskOf(() => Promise.reject(new Error('The database is away')));
    await expect(layOutBeside(FILE, PLAN, desk, new AbortController().signal)).rejects.toThrow('The database is away');
  });

  it('is refused what is too large', async () => {
    const chapters = Array.from({ length: 5001 }, (_, n) => ({
      id: String(n),
      title: 'x',
      isLink: false,
      chapters: [],
    }));
    const layout = layOutBeside(
      FILE,
      { ...PLAN, chapters },
      deskOf(() => Promise.resolve('')),
      new AbortController().signal,
    );
    await expect(layout).rejects.toThrow('A PDF holds at most 5000 printed pages and 128 MiB');
  });

  it('is ended when it takes too much time', async () => {
    const desk = deskOf(() => new Promise(() => undefined));
    await expect(layOutBeside(FILE, PLAN, desk, new AbortController().signal, 1000)).rejects.toThrow(
      'The layout takes too much time or memory',
    );
  });
});
