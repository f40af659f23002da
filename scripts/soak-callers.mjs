// What the callers of `npm run soak` do: each repeats a piece of work that leaves behind as many things as it found.
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** How long a caller rests between two requests, ms: memory is watched, not speed. */
const REST = 30;
/** Pages that a space has when it is full; from then on, one goes for each that comes. */
const PAGES = 200;
/** How many pieces of work a caller does before it begins with another space, so that histories stay short. */
const TURNS = 500;
const WORDS = 'reads writes pages spaces merges revisions search index chapter section soup salt'.split(' ');

const some = (list) => list[Math.floor(Math.random() * list.length)];
const text = (words) => Array.from({ length: words }, () => some(WORDS)).join(' ');
const markdown = () => `# ${text(3)}\n\n${text(80)}\n\n## ${text(2)}\n\n- ${text(5)}\n- ${text(5)}\n`;

/** Calls that rest, and count what was answered by operation. `call` throws where it is no success. */
export function counting(call, counts) {
  return async (operation, ...request) => {
    await wait(REST);
    const answer = await call(...request);
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
    return answer;
  };
}

/** Repeats `work` on a space of its own, and on a new one after a while, until `signal` is aborted. */
async function onSpaces({ ask, organization, signal }, work) {
  while (!signal.aborted) {
    const { id } = await ask('make space', 'POST', `/v1/orgs/${organization}/spaces`, { title: text(2) });
    const known = [];
    for (let turn = 0; turn < TURNS && !signal.aborted; turn += 1) await work(`/v1/spaces/${id}`, known);
    await ask('delete space', 'DELETE', `/v1/spaces/${id}`);
  }
}

const change = async (ask, operation, path, ...changes) => (await ask(operation, 'POST', path, { changes })).changes;

/** Inserts, changes, reads and deletes pages. */
export const edits = (given) =>
  onSpaces(given, async (space, pages) => {
    const { ask } = given;
    const content = `${space}/content`;
    const insert = { operation: 'insert_page', document: { markdown: markdown() } };
    const [{ page }] = await change(ask, 'insert page', content, insert);
    pages.push(page.id);
    const update = { operation: 'update_page', page: some(pages), document: { markdown: markdown() } };
    await change(ask, 'update page', content, update);
    await ask('read page', 'GET', `${content}/page/${some(pages)}?format=markdown`);
    await ask('read tree', 'GET', `${content}/pages`);
    if (pages.length > PAGES)
      await change(ask, 'delete page', content, { operation: 'delete_page', page: pages.shift() });
  });

/** Searches in a space and in the organization. */
export async function searches({ ask, organization, space, signal }) {
  while (!signal.aborted) {
    const query = encodeURIComponent(text(1 + Math.floor(Math.random() * 3)));
    await ask('search space', 'GET', `/v1/spaces/${space}/search?query=${query}`);
    await ask('search organization', 'GET', `/v1/orgs/${organization}/search?query=${query}`);
  }
}

/** Says something, answers it, reads and deletes it. */
export const comments = (given) =>
  onSpaces(given, async (space) => {
    const { ask } = given;
    const path = `${space}/comments`;
    const { id } = await ask('comment', 'POST', path, { body: { markdown: text(12) } });
    await ask('reply', 'POST', `${path}/${id}/replies`, { body: { markdown: text(6) } });
    await ask('react', 'PUT', `${path}/${id}`, { addedReactions: ['1f44d'] });
    await ask('list comments', 'GET', path);
    await ask('delete comment', 'DELETE', `${path}/${id}`);
  });

/** Makes change requests, edits, compares and merges them. */
export const merges = (given) =>
  onSpaces(given, async (space, pages) => {
    const { ask } = given;
    const { id } = await ask('make change request', 'POST', `${space}/change-requests`, { subject: text(4) });
    const path = `${space}/change-requests/${id}`;
    const insert = { operation: 'insert_page', document: { markdown: markdown() } };
    const changes = [insert];
    if (pages.length > 10) changes.push({ operation: 'delete_page', page: pages.shift() });
    await ask('edit change request', 'POST', `${path}/content`, { changes });
    const compared = await ask('compare', 'GET', `${path}/changes`);
    for (const { type, page } of compared.changes) if (type === 'page_created') pages.push(page.id);
    await ask('merge', 'POST', `${path}/merge`);
  });

/** Adds files and reads their bytes; content has no way to be rid of a file, so they are small. */
export const files = (given) =>
  onSpaces(given, async (space) => {
    const { ask } = given;
    const content = `${space}/content`;
    const bytes = randomBytes(2000).toString('base64');
    const file = { name: `${text(1)}.bin`, contentType: 'application/octet-stream', base64: bytes };
    await change(ask, 'insert file', content, { operation: 'insert_files', files: [file] });
    const { items } = await ask('list files', 'GET', `${content}/files`);
    const { pathname, search } = new URL(some(items).downloadURL);
    await ask('read file', 'GET', pathname + search);
  });

/** Visits a published site as whoever renders it does. */
export async function visits({ ask, callAs, organization, site, space, url, signal }) {
  while (!signal.aborted) {
    const { apiToken } = await ask('find site', 'POST', '/v1/urls/published', { url });
    const visit = callAs(apiToken);
    await visit('read site', 'GET', `/v1/orgs/${organization}/sites/${site}/published`);
    await visit('read tree of site', 'GET', `/v1/spaces/${space}/content/pages`);
  }
}

/** Signs in, looks who that is, signs out; and fails to sign in. */
export async function signIns({ ask, callAs, person, signal }) {
  while (!signal.aborted) {
    const { token } = await ask('sign in', 'POST', '/v1/auth/login', person);
    const own = callAs(token);
    await own('read user', 'GET', '/v1/user');
    await own('list organizations', 'GET', '/v1/orgs');
    await own('sign out', 'POST', '/v1/auth/logout');
  }
}
