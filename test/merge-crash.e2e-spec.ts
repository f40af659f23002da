import { setTimeout as wait } from 'node:timers/promises';
import { type Caller, callerOf, startService, temporaryFolder } from '../scripts/service.mjs';
import { cases } from './support/cases.js';
import { runCommand } from './support/command-line.js';

/** How often the service is killed while it merges. */
const ROUNDS = cases(1, 50);
/** Change requests that are merged at once. */
const MERGES = 5;
/** Pages that each of them changes. */
const PAGES = 3;
/** Over how long the kills are spread, ms: about as long as the merges take. */
const SPREAD = 250;

interface Proposal {
  id: string;
  pages: string[];
  text: string;
}

describe('a service that is killed while it merges', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let service: Awaited<ReturnType<typeof startService>> | undefined;
  let space: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await startService(folder.path);
    const call = callerOf(service.url);
    const [organization] = (await call('GET', '/v1/orgs')).items as { id: string }[];
    space = (await call('POST', `/v1/orgs/${organization?.id ?? ''}/spaces`, {})).id as string;
  });
  afterAll(async () => {
    await service?.stop();
    await folder.remove();
  });

  const insert = async (call: Caller): Promise<string[]> => {
    const page = { operation: 'insert_page', document: { markdown: 'As it was.\n' } };
    const { changes } = await call('POST', `/v1/spaces/${space}/content`, { changes: Array(PAGES).fill(page) });
    return (changes as { page: { id: string } }[]).map(({ page: { id } }) => id);
  };

  /** A change request that gives pages of its own another text. */
  const propose = async (call: Caller, pages: string[], text: string): Promise<Proposal> => {
    const { id } = (await call('POST', `/v1/spaces/${space}/change-requests`, {})) as { id: string };
    const changes = pages.map((page) => ({ operation: 'update_page', page, document: { markdown: text } }));
    await call('POST', `/v1/spaces/${space}/change-requests/${id}/content`, { changes });
    return { id, pages, text };
  };

  const mergeOf = (call: Caller, id: string): ReturnType<Caller> =>
    call('POST', `/v1/spaces/${space}/change-requests/${id}/merge`);

  /** Ids of the revisions of primary content since `tip`, which must be among them; the newest first. */
  const historySince = async (call: Caller, tip: string): Promise<string[]> => {
    const line: string[] = [];
    let { revision } = (await call('GET', `/v1/spaces/${space}`)) as { revision?: string };
    while (revision !== undefined && revision !== tip) {
      line.push(revision);
      const read = (await call('GET', `/v1/spaces/${space}/revisions/${revision}`)) as { parents: string[] };
      revision = read.parents[0];
    }
    expect(revision).toBe(tip);
    return line;
  };

  /** Whether the change request is merged; throws when it is so by half. */
  const isMerged = async (call: Caller, { id, pages, text }: Proposal, line: readonly string[]): Promise<boolean> => {
    const found = (await call('GET', `/v1/spaces/${space}/change-requests/${id}`)) as {
      status: string;
      revisionMerged?: string;
    };
    const texts = await Promise.all(
      pages.map(async (page) => (await call('GET', `/v1/spaces/${space}/content/page/${page}`)).markdown as string),
    );
    const search = await call('GET', `/v1/spaces/${space}/search?query=${encodeURIComponent(text.trim())}&limit=1000`);
    const hits = (search.items as { id: string }[]).filter((item) => pages.includes(item.id)).length;
    const merged = found.status === 'merged';
    expect([found.status, texts, hits]).toEqual([
      merged ? 'merged' : 'draft',
      pages.map(() => (merged ? text : 'As it was.\n')),
      merged ? PAGES : 0,
    ]);
    expect(found.revisionMerged !== undefined && line.includes(found.revisionMerged)).toBe(merged);
    return merged;
  };

  it(
    `has each merge wholly, or not at all, after each of ${ROUNDS} kills`,
    async () => {
      let [whole, none] = [0, 0];
      for (let round = 0; round < ROUNDS; round += 1) {
        if (!service) throw new Error('The service does not run');
        let call = callerOf(service.url);
        const proposals: Proposal[] = [];
        for (let n = 0; n < MERGES; n += 1) {
          proposals.push(await propose(call, await insert(call), `kill${round}x${n}\n`));
        }
        const { revision: tip } = (await call('GET', `/v1/spaces/${space}`)) as { revision: string };
        const acknowledged = new Set<string>();
        const merging = proposals.map(({ id }) =>
          mergeOf(call, id).then(
            () => acknowledged.add(id),
            () => undefined,
          ),
        );
        await wait(Math.random() * SPREAD);
        await service.kill();
        await Promise.all(merging);

        service = await startService(folder.path);
        call = callerOf(service.url);
        const line = await historySince(call, tip);
        for (const proposal of proposals) {
          const merged = await isMerged(call, proposal, line);
          if (merged) whole += 1;
          else none += 1;
          // what was acknowledged is there; what is not there can still be merged
          if (acknowledged.has(proposal.id)) expect([proposal.id, merged]).toEqual([proposal.id, true]);
          if (!merged) expect((await mergeOf(call, proposal.id)).result).toBe('merge');
        }
      }
      // a test in which all merges come before the kill, or none, would show nothing
      if (ROUNDS > 10) expect(Math.min(whole, none)).toBeGreaterThan(0);
      expect((await runCommand(folder.path, ['doctor'])).stdout).toMatch(/\nAll is well\.\n$/);
    },
    60_000 + ROUNDS * 30_000,
  );
});
