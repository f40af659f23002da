import { Invariants } from '../src/database/index.js';
import { startApp, type TestApp } from './support/app.js';
import { cases } from './support/cases.js';
import { Editing } from './support/editing.js';

const MOST = 16;
const ROUNDS = cases(6, 500);
/** How long a round may take, ms. */
const ROUND = 5000;

interface ChangeRequestAnswer {
  id: string;
  number: number;
  status: string;
}

/** A client's part of the page that all share: lines between them keep the parts of two clients apart. */
const slot = (client: number, value: string): string => `Slot ${client}: ${value}`;
const sharedText = (values: readonly string[]): string =>
  values.map((value, client) => `${slot(client, value)}\n\nHere ends slot ${client}.\n`).join('\n');

describe('clients that merge, pull and edit one space at once', () => {
  let one: TestApp;
  let two: TestApp;
  let editing: Editing;

  beforeAll(async () => {
    one = await startApp();
    const uri = new URL(process.env.TEST_DATABASE_URI ?? '');
    uri.pathname = `/${one.connection.name}`;
    two = await startApp({ MONGODB_URI: uri.href });
    editing = await Editing.start(one);
  });
  afterAll(async () => {
    await two.nest.close();
    await one.close();
  });

  /** Sends a request through the process that the client is connected to; answers what came. */
  const send = async (client: number, below: string, body: object = {}): Promise<{ status: number; body: unknown }> => {
    const app = client % 2 === 0 ? one : two;
    return app.as(editing.user).post(`/v1/spaces/${editing.space}${below}`).send(body);
  };
  const sent = async <T>(client: number, below: string, body: object = {}): Promise<T> => {
    const answer = await send(client, below, body);
    if (answer.status >= 300) throw new Error(`${below}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  };

  it(
    `have one winner a revision, and lose nothing, in ${ROUNDS} rounds of 2 to ${MOST}`,
    async () => {
      const values = Array.from({ length: MOST }, () => 'empty');
      const shared = await editing.add('Shared', { document: { markdown: sharedText(values) } });
      const own = await Promise.all(values.map((_, client) => editing.add(`Page of ${client}`)));
      const texts = new Map<number, string>();
      const merged = new Set<string>();
      let made = 0;

      /** Makes a change request that gives the client's slot another value. */
      const propose = async (client: number, value: string): Promise<ChangeRequestAnswer> => {
        const changeRequest = await sent<ChangeRequestAnswer>(client, '/change-requests', { subject: value });
        const markdown = sharedText(values.map((old, other) => (other === client ? value : old)));
        await sent(client, `/change-requests/${changeRequest.id}/content`, {
          changes: [{ operation: 'update_page', page: shared, document: { markdown } }],
        });
        return changeRequest;
      };
      /** Merges it from as many clients as `times` at once: one of them does it. */
      const merge = async (client: number, { id }: ChangeRequestAnswer, times = 1): Promise<void> => {
        const answers = await Promise.all(
          Array.from({ length: times }, (_, n) => send(client + n, `/change-requests/${id}/merge`)),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(times - 1).fill(409)]);
        const { revision } = answers.find(({ status }) => status === 200)?.body as { revision: string };
        expect(merged.has(revision)).toBe(false);
        merged.add(revision);
      };

      for (let round = 0; round < ROUNDS; round += 1) {
        const clients = Array.from({ length: 2 + (round % (MOST - 1)) }, (_, n) => n);
        const [writers, mergers] = [clients.filter((n) => n % 3 === 1), clients.filter((n) => n % 3 !== 1)];
        const proposals = await Promise.all(mergers.map((client) => propose(client, `round ${round}`)));
        made += proposals.length;
        await Promise.all([
          ...mergers.map(async (client, n) => {
            const proposal = proposals[n];
            if (!proposal) throw new Error('There is no proposal');
            if (client % 3 === 2) await sent(client, `/change-requests/${proposal.id}/update`);
            await merge(client, proposal, client === 0 ? 3 : 1);
          }),
          ...writers.map(async (client) => {
            const markdown = `Round ${round}\n`;
            const changes = [{ operation: 'update_page', page: own[client], document: { markdown } }];
            await sent(client, '/content', { changes });
            texts.set(client, markdown);
          }),
        ]);
        for (const client of mergers) values[client] = `round ${round}`;
        const { markdown } = await editing.read<{ markdown: string }>(`/page/${shared}`);
        expect(markdown).toBe(sharedText(values));
      }

      for (const [client, text] of texts) {
        expect((await editing.read<{ markdown: string }>(`/page/${own[client] ?? ''}`)).markdown).toBe(text);
      }
      await expectOneLine(merged);
      await expectNumbers(made);
      expect(await problems()).toEqual([]);
    },
    60_000 + ROUNDS * ROUND,
  );

  /** The history of primary content is one line, and all of `merged` stand in it. */
  async function expectOneLine(merged: ReadonlySet<string>): Promise<void> {
    const line = new Set<string>();
    let revision = await editing.read<{ id: string; type: string; parents: string[] }>('');
    for (;;) {
      line.add(revision.id);
      expect(revision.parents.length).toBe(
        revision.type === 'merge' ? 2 : line.size > 1 && revision.parents.length === 0 ? 0 : 1,
      );
      const [before] = revision.parents;
      if (before === undefined) break;
      revision = await editing.get(`/v1/spaces/${editing.space}/revisions/${before}`);
    }
    expect([...merged].filter((id) => !line.has(id))).toEqual([]);
  }

  async function expectNumbers(made: number): Promise<void> {
    const numbers: number[] = [];
    let page: string | undefined;
    do {
      const query = new URLSearchParams({ status: 'merged', limit: '1000', ...(page !== undefined && { page }) });
      const list = await editing.get<{ items: ChangeRequestAnswer[]; next?: { page: string } }>(
        `/v1/spaces/${editing.space}/change-requests?${query.toString()}`,
      );
      numbers.push(...list.items.map(({ number }) => number));
      page = list.next?.page;
    } while (page !== undefined);
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: made }, (_, n) => n + 1));
  }

  async function problems(): Promise<string[]> {
    const found: string[] = [];
    for (const [name, find] of one.nest.get(Invariants, { strict: false }).entries()) {
      for await (const { where, what } of find()) found.push(`${name}: ${where}: ${what}`);
    }
    return found;
  }
});
