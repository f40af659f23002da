// What the benchmark measures: each operation, what it is held to beside its floor, and the requests that it sends.
import { PAGES, SITE_SPACES, WORDS } from './fill.mjs';

/** Parts of the floor's throughput that reads and writes have to reach. */
export const READS = 0.6;
const WRITES = 0.5;

/**
 * The operations on what `fill` has made. `next` makes the next request; `prepare`, where there is one, makes what `count` requests of
 * an operation use up.
 */
export function operationsOn({ organization, space, page, site, writers }, call) {
  const reading = (name, path) => ({ name, goal: READS, next: () => ({ method: 'GET', path }) });
  let sent = 0;
  const writer = () => writers[sent++ % writers.length];
  const merges = [];
  let made = 0;
  return [
    reading('who am I', '/v1/user'),
    reading('get space', `/v1/spaces/${space}`),
    reading('list spaces', `/v1/orgs/${organization}/spaces`),
    reading('get page', `/v1/spaces/${space}/content/page/${page}`),
    reading('get page as Markdown', `/v1/spaces/${space}/content/page/${page}?format=markdown`),
    reading(`page tree of ${PAGES}`, `/v1/spaces/${space}/content/pages`),
    reading(`search in ${PAGES} pages`, `/v1/spaces/${space}/search?query=reads%20merges&limit=10`),
    {
      name: 'search for words that nobody searched for',
      goal: READS,
      next: () => {
        sent += 1;
        return { method: 'GET', path: `/v1/spaces/${space}/search?query=${fourWords(sent).join('%20')}&limit=10` };
      },
    },
    reading(`published site of ${SITE_SPACES} site-spaces`, `/v1/orgs/${organization}/sites/${site}/published`),
    {
      name: 'create comment',
      goal: WRITES,
      next: () => {
        const { space: id, page: on } = writer();
        return {
          method: 'POST',
          path: `/v1/spaces/${id}/comments`,
          body: { body: { markdown: 'Well said.' }, page: on },
        };
      },
    },
    {
      name: 'edit one page',
      goal: WRITES,
      next: () => {
        const { space: id, page: on } = writer();
        const changes = [editOf(on, sent)];
        return { method: 'POST', path: `/v1/spaces/${id}/content`, body: { changes } };
      },
    },
    {
      name: 'merge',
      goal: WRITES,
      prepare: async (count) => {
        const make = async ({ space: id, pages }) => {
          // what is merged together does not touch the same page: that would be a conflict
          const on = pages[made % pages.length];
          const { id: request } = await call('POST', `/v1/spaces/${id}/change-requests`, { subject: 'Bench' });
          const path = `/v1/spaces/${id}/change-requests/${request}`;
          await call('POST', `${path}/content`, { changes: [editOf(on, sent)] });
          merges.push(`${path}/merge`);
        };
        for (let left = count; left > 0; left -= writers.length, made += 1) {
          await Promise.all(writers.slice(0, left).map(make));
        }
      },
      next: () => ({ method: 'POST', path: merges.shift() }),
    },
  ];
}

/** Each of the first ten thousand numbers has other words: more than the service keeps the answers of. */
const fourWords = (n) => [1, 10, 100, 1000].map((power) => WORDS[Math.floor(n / power) % WORDS.length]);

const editOf = (page, n) => ({
  operation: 'update_page',
  page,
  document: { markdown: `# Page\n\nWritten anew as number ${n} at ${Date.now()}.\n` },
});
