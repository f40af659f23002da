// Imports a real book into a new service and checks what comes back: npm run check:book -- FOLDER ['a query' …]
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPdf } from './check-pdf.mjs';
import { callerOf, runCli, startService, temporaryFolder } from './service.mjs';

const [folder, ...queries] = process.argv.slice(2);
if (!folder) {
  console.error("Say which book: npm run check:book -- FOLDER ['a query' …]; FOLDER holds SUMMARY.md");
  process.exit(2);
}

const failures = [];
const check = (holds, what) => {
  if (!holds) failures.push(what);
};

/** Title as plain words: without the marks of Markdown. */
const plain = (text) => text.replace(/[`*_\\]/g, '').trim();

/** The entries of a SUMMARY.md read line by line, not with the service's own reader: [depth, title, file]. */
function expectedEntries(summary) {
  const entries = [];
  let part = 0;
  let titled = false;
  for (const line of summary.split(/\r?\n/)) {
    const heading = /^#+\s+(.*)$/.exec(line);
    if (heading) {
      if (!titled && entries.length === 0) titled = true;
      else {
        entries.push([0, plain(heading[1]), null]);
        part = 1;
      }
      continue;
    }
    const item = /^(\s*)(?:([-*+])\s+)?\[(.*)\]\(([^)]*)\)\s*$/.exec(line);
    if (!item) continue;
    const listed = item[2] !== undefined;
    if (!listed) part = 0;
    entries.push([{ indent: item[1].length, part: listed ? part : 0 }, plain(item[3]), decodeURIComponent(item[4])]);
  }
  // depth is the number of ancestors whose lines are indented less
  const open = [];
  return entries.map(([place, title, file]) => {
    if (place === 0) {
      open.length = 0;
      return [0, title, file];
    }
    while (open.length > 0 && open.at(-1) >= place.indent) open.pop();
    open.push(place.indent);
    return [open.length - 1 + place.part, title, file];
  });
}

/** The page tree flattened: [depth, title, page]. */
function flatten(pages, depth = 0) {
  return pages.flatMap((page) => [[depth, page.title, page], ...flatten(page.pages ?? [], depth + 1)]);
}

/** Words of a text in one line, for looking up phrases the simple way. */
const inOneLine = (text) =>
  text
    // addresses and the names of definitions are no words of the text
    .replace(/\]\([^)]*\)|\]\[[^\]]*\]|^\[[^\]]*\]:.*$|<[^>]*>/gm, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ');

const data = await temporaryFolder();
const service = await startService(data.path);
try {
  const call = callerOf(service.url);
  const organization = (await call('GET', '/v1/orgs')).items[0].id;
  const { id: space } = await call('POST', `/v1/orgs/${organization}/spaces`, { title: 'Book' });
  const started = performance.now();
  await runCli(data.path, ['import', folder, '--space', space]);
  const seconds = (performance.now() - started) / 1000;

  const expected = expectedEntries(await readFile(join(folder, 'SUMMARY.md'), 'utf8'));
  const { pages } = await call('GET', `/v1/spaces/${space}/content/pages`);
  const found = flatten(pages);
  check(expected.length === found.length, `SUMMARY.md has ${expected.length} entries, the tree ${found.length}`);
  const texts = new Map();
  let bytes = 0;
  for (const [index, [depth, title, file]] of expected.entries()) {
    const [foundDepth, foundTitle, page] = found[index] ?? [];
    check(
      depth === foundDepth && title === plain(foundTitle ?? ''),
      `entry ${index}: ${depth} "${title}" is ${foundDepth} "${foundTitle}"`,
    );
    if (!file || !page) continue;
    const stored = await readFile(join(folder, file));
    const { markdown } = await call('GET', `/v1/spaces/${space}/content/page/${page.id}`);
    check(Buffer.from(markdown).equals(stored), `${file} does not come back byte for byte`);
    texts.set(page.id, stored.toString('utf8'));
    bytes += stored.length;
  }
  const { count: files } = await call('GET', `/v1/spaces/${space}/content/files?limit=0`);
  console.log(
    `${found.length} pages (${(bytes / 1024).toFixed(0)} KiB) and ${files} files imported in ${seconds.toFixed(2)} s; service ready in ${(service.ready / 1000).toFixed(2)} s`,
  );

  for (const query of queries.length > 0 ? queries : ['borrow checker', '"trait objects"']) {
    const answers = [];
    let next;
    do {
      const page = next ? `&page=${next}` : '';
      const answer = await call(
        'GET',
        `/v1/spaces/${space}/search?query=${encodeURIComponent(query)}&limit=100${page}`,
      );
      answers.push(...answer.items);
      next = answer.next?.page;
    } while (next);
    const [, phrase] = /^"(.*)"$/.exec(query) ?? [];
    const holds = (text) =>
      phrase
        ? inOneLine(text).includes(inOneLine(phrase))
        : query.split(/\s+/).every((word) => inOneLine(text).includes(word.toLowerCase()));
    const wanted = [...texts].filter(([, text]) => holds(text)).map(([id]) => id);
    const ids = answers.map((answer) => answer.id);
    for (const id of wanted)
      check(ids.includes(id), `${query}: does not find ${found.find(([, , page]) => page.id === id)[1]}`);
    // those with every word come before those with some
    if (!phrase)
      for (const id of ids.slice(0, wanted.length))
        check(wanted.includes(id), `${query}: ${answers.find((a) => a.id === id).title} comes too early`);
    console.log(
      `${query}: ${answers.length} pages, ${wanted.length} of them to be found; first: ${answers
        .slice(0, 6)
        .map(({ title }) => title)
        .join(' | ')}`,
    );
  }

  await checkPdf({ call, service, space, titles: found.map(([, title]) => title), check });

  const linkCounts = async () => {
    const counts = {};
    for (const status of ['ok', 'broken', 'in-app'])
      counts[status] = (await call('GET', `/v1/spaces/${space}/links?limit=0&status=${status}`)).count;
    return counts;
  };
  const documents = found.filter(([, , page]) => page.type === 'document').map(([, , page]) => page);
  /** How many of what each page leads to is broken. */
  const brokenByPage = async () => {
    const broken = new Map();
    for (const { id } of documents)
      broken.set(id, (await call('GET', `/v1/spaces/${space}/content/page/${id}/links?limit=0`)).stats.broken.total);
    return broken;
  };
  console.log('links after the import:', await linkCounts());
  const before = await brokenByPage();
  const step = Math.max(1, Math.floor(documents.length / 20));
  const chosen = documents.filter((_, index) => index % step === 0).slice(0, 20);
  for (const [index, { id, title }] of chosen.entries()) {
    const change = index % 2 === 0 ? { title: `${title}, by another name` } : { into: null, at: 0 };
    await call('POST', `/v1/spaces/${space}/content`, { changes: [{ operation: 'update_page', page: id, ...change }] });
  }
  console.log(`links after ${chosen.length} pages were renamed or moved:`, await linkCounts());
  for (const [id, broken] of await brokenByPage())
    check(broken <= before.get(id), `${documents.find((page) => page.id === id).title}: a link broke in a move`);
} finally {
  await service.stop();
  await data.remove();
}

for (const failure of failures.slice(0, 40)) console.error(`WRONG  ${failure}`);
console.log(failures.length === 0 ? 'All is as it should be.' : `${failures.length} things are wrong.`);
process.exit(failures.length === 0 ? 0 : 1);
