import { startApp, type TestApp } from './support/app.js';
import { cases } from './support/cases.js';
import { Editing } from './support/editing.js';

const WRITERS = 16;

describe('many writers of one space', () => {
  let one: TestApp;
  let two: TestApp;

  beforeAll(async () => {
    one = await startApp();
    const uri = new URL(process.env.TEST_DATABASE_URI ?? '');
    uri.pathname = `/${one.connection.name}`;
    two = await startApp({ MONGODB_URI: uri.href });
  });
  afterAll(async () => {
    await two.nest.close();
    await one.close();
  });

  it.each(['one process', 'two processes'])('lose nothing, in %s', async (processes) => {
    const space = await Editing.start(one);
    const shared = await space.add('Shared');
    const apps = processes === 'one process' ? [one] : [one, two];
    const rounds = Array.from({ length: cases(2, 10) }, (_, n) => n);
    const write = async (writer: number): Promise<void> => {
      const app = apps[writer % apps.length] ?? one;
      const through = new Editing(app, space.user, space.space);
      for (const n of rounds) {
        const own = await through.add(`W${writer} N${n}`, { into: shared });
        await through.edit({ operation: 'update_page', page: own, description: `by ${writer}` });
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));

    const [top] = await space.pages();
    const found = (top?.pages ?? []).map((page) => [page.title, (page as { description?: string }).description]);
    const expected = Array.from({ length: WRITERS }, (_, w) => rounds.map((n) => [`W${w} N${n}`, `by ${w}`])).flat();
    expect(found.sort()).toEqual(expected.sort());
    // the history is one line: each revision was made from the one before it
    let revision = await space.read<{ id: string; parents: string[] }>('');
    let length = 1;
    for (; revision.parents[0] !== undefined; length += 1) {
      expect(revision.parents).toHaveLength(1);
      revision = await space.get(`/v1/spaces/${space.space}/revisions/${revision.parents[0]}`);
    }
    expect(length).toBe(2 + 2 * WRITERS * rounds.length);
  });
});
