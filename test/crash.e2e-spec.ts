import { setTimeout as wait } from 'node:timers/promises';
import { type Caller, callerOf, type RunningService, startService, temporaryFolder } from '../scripts/service.mjs';
import { runCommand } from './support/command-line.js';
import { until } from './support/until.js';

/** How often the service is killed: all of the rounds in the thorough run, a share otherwise. */
const ROUNDS = process.env.COLOPHON_THOROUGH ? 25 : 1;
const WRITERS = 6;

interface PageAnswer {
  id: string;
  title: string;
  markdown: string;
  pages?: PageAnswer[];
}

/** What a writer was told is stored: the text of each page, or that the page is gone. */
type Acknowledged = Map<string, string | null>;

/** Inserts, changes and deletes pages until the service goes away; notes what was acknowledged. */
async function write(call: Caller, space: string, writer: string, known: Acknowledged): Promise<void> {
  const path = `/v1/spaces/${space}/content`;
  let last: string | undefined;
  for (let n = 0; ; n += 1) {
    const text = `# ${writer} ${n}\n\nWritten as number ${n}.\n`;
    // two pages in one request: both are there afterwards, or neither
    const pair = [`${text}a`, `${text}b`];
    const changes = pair.map((markdown) => ({ operation: 'insert_page', document: { markdown } }));
    const answer = await call('POST', path, { changes }).catch(() => undefined);
    if (!answer) return;
    const ids = (answer.changes as { page: { id: string } }[]).map(({ page }) => page.id);
    ids.forEach((id, index) => known.set(id, pair[index] ?? ''));
    if (last !== undefined && n % 2 === 1) {
      const gone = { operation: 'delete_page', page: last };
      // from here on nobody knows until the answer comes
      const before = known.get(last) ?? null;
      known.delete(last);
      if (!(await call('POST', path, { changes: [gone] }).catch(() => undefined))) return;
      if (before !== null) known.set(last, null);
    }
    last = ids[0];
  }
}

/** Resolves at a random moment after the writers were answered some more times. */
async function someWrites(known: Acknowledged): Promise<void> {
  const enough = known.size + 2 * WRITERS;
  await until('they are answered', () => known.size >= enough);
  await wait(Math.random() * 700);
}

const flatten = (pages: PageAnswer[]): PageAnswer[] => pages.flatMap((page) => [page, ...flatten(page.pages ?? [])]);

describe('a service that is killed while it writes', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let service: RunningService | undefined;

  beforeAll(async () => {
    folder = await temporaryFolder();
  });

  afterAll(async () => {
    await service?.stop();
    await folder.remove();
  });

  it(
    `has every acknowledged write, and none by half, after each of ${ROUNDS} kills`,
    async () => {
      service = await startService(folder.path);
      const setUp = callerOf(service.url);
      const organizations = await setUp('GET', '/v1/orgs');
      const [organization] = organizations.items as { id: string }[];
      const { id: space } = (await setUp('POST', `/v1/orgs/${organization?.id ?? ''}/spaces`, {})) as { id: string };
      const known: Acknowledged = new Map();

      for (let round = 1; round <= ROUNDS; round += 1) {
        const call = callerOf(service.url);
        const writers = Array.from({ length: WRITERS }, (_, w) =>
          write(call, space, `Round ${round} writer ${w}`, known),
        );
        await someWrites(known);
        await service.kill();
        await Promise.all(writers);

        service = await startService(folder.path);
        await expectAll(callerOf(service.url), space, known);
      }
      expect(known.size).toBeGreaterThan(ROUNDS * WRITERS);
      expect((await runCommand(folder.path, ['doctor'])).stdout).toMatch(/\nAll is well\.\n$/);
    },
    (ROUNDS + 3) * 30_000,
  );

  async function expectAll(call: Caller, space: string, known: Acknowledged): Promise<void> {
    const { pages } = (await call('GET', `/v1/spaces/${space}/content/pages`)) as { pages: PageAnswer[] };
    const stored = new Map(flatten(pages).map((page) => [page.id, page]));
    const lost = [...known].filter(([id, text]) => (text === null ? stored.has(id) : !stored.has(id)));
    expect(lost).toEqual([]);
    // the texts of the newest, and of some older ones
    const sample = [...known]
      .filter(([, text]) => text !== null)
      .filter((_, n, all) => n > all.length - 40 || n % 17 === 0);
    for (const [id, text] of sample) {
      const page = (await call('GET', `/v1/spaces/${space}/content/page/${id}`)) as unknown as PageAnswer;
      expect(page.markdown).toBe(text);
    }
    // of two pages that came in one request, both are there: the first may have been deleted later
    for (const page of stored.values()) {
      if (known.has(page.id) || page.title === '') continue;
      const twins = [...stored.values()].filter((other) => other.title === page.title);
      expect(twins.length).toBe(2);
    }
  }
});
