import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import GithubSlugger from 'github-slugger';
import { toString } from 'mdast-util-to-string';
import { Slots } from '../src/common/slots.js';
import { startApp, type TestApp } from './support/app.js';
import { examplesOf, faultsOf, nodesOf, treeOf } from './support/guide.js';
import { ADDRESS, Shell } from './support/guide-shell.js';

const KEY = 'a key for tests that is long enough to be one';
const GUIDE = 'docs/guide';
const INDEX = `${GUIDE}/README.md`;

const markdownIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
    .sort();
const pages = markdownIn(GUIDE);
const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...markdownIn('docs')];

/** Addresses that the Markdown in `file` leads to. */
const linksOf = (file: string): string[] =>
  nodesOf(treeOf(file)).flatMap((node) => (node.type === 'link' ? [node.url] : []));

/** @throws with what is missing when the examples cannot be run on this machine. */
function requireCurl(): void {
  try {
    execFileSync('curl', ['--fail-with-body', '--version'], { stdio: 'ignore' });
  } catch {
    throw new Error('The examples of the guide need curl 7.76 or newer: install it, and run the test again');
  }
}

/** With what the command line finds the database of `app`. */
function settings(app: TestApp): Record<string, string> {
  const uri = new URL(process.env.TEST_DATABASE_URI ?? '');
  uri.pathname = `/${app.connection.name}`;
  return { MONGODB_URI: uri.href, SECRET_KEY: KEY };
}

describe('the links of the documentation', () => {
  const anchorsOf = (file: string): string[] => {
    const slugger = new GithubSlugger();
    return nodesOf(treeOf(file)).flatMap((node) => (node.type === 'heading' ? [slugger.slug(toString(node))] : []));
  };

  it.each(documents)('%s leads to what there is', (file) => {
    const inside = linksOf(file).filter((url) => !/^[a-z]+:/.test(url));
    const lost = inside.filter((url) => {
      const [path = '', anchor] = url.split('#');
      const target = path === '' ? file : join(dirname(file), decodeURIComponent(path));
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(lost).toEqual([]);
  });
});

describe('the guide', () => {
  let app: TestApp;
  /** What is wrong with each page. Two run at a time: a shell mostly waits for the service, and the service for shells. */
  let faults: Map<string, Promise<object[]>>;

  beforeAll(async () => {
    requireCurl();
    app = await startApp({ SECRET_KEY: KEY, PUBLIC_URL: `http://${ADDRESS}` });
    const slots = new Slots(2);
    faults = new Map(['README.md', ...pages].map((file) => [file, slots.run(() => faultsIn(file))]));
    // what fails is told where it is waited for, which may be later
    for (const each of faults.values()) void each.catch(() => []);
  });
  afterAll(async () => {
    await Promise.allSettled(faults.values());
    await app.close();
  });

  /** What `file` came to, run by a new person with an organization; `INDEX` by the one whose address it shows. */
  const faultsIn = async (file: string): Promise<object[]> => {
    const email = file === INDEX ? 'admin@demo.example' : `${randomUUID()}@demo.example`;
    const admin = await app.create.user({ displayName: 'Ada Admin', email });
    await app.create.organization({ title: 'Demonstration', admin });
    const setUp = file === INDEX || file === 'README.md' ? [] : examplesOf(INDEX).slice(0, 1);
    const examples = [...setUp, ...examplesOf(file)];
    const shell = await Shell.open(new URL(app.url).host);
    try {
      const ran = await shell.run(examples, admin.token, settings(app));
      const all = examples.map((example, index) => ({ line: example.line, faults: faultsOf(example, ran[index]) }));
      return all.filter(({ faults }) => faults.length > 0);
    } finally {
      await shell.close();
    }
  };

  it('has a page for each tag of the description, linked from its index', async () => {
    const description = (await app.anonymous().get('/openapi.json').expect(200)).body as { tags: { name: string }[] };
    const linked = linksOf(INDEX)
      .map((url) => relative('.', resolve(GUIDE, url.split('#')[0] ?? '')))
      .filter((file) => pages.includes(file));
    expect([...new Set([INDEX, ...linked])].sort()).toEqual(pages);
    const tags = pages.flatMap(linksOf).flatMap((url) => /\/docs#\/(.+)$/.exec(url)?.[1] ?? []);
    expect([...new Set(tags)].sort()).toEqual(description.tags.map(({ name }) => name).sort());
  });

  it.each(pages)('%s is short, and its examples answer as it says', async (file) => {
    expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThan(201);
    expect(examplesOf(file).length).toBeGreaterThan(0);
    expect(await faults.get(file)).toEqual([]);
  });

  it('has a tour in README.md that works as it stands', async () => {
    expect(examplesOf('README.md').length).toBeGreaterThan(5);
    expect(await faults.get('README.md')).toEqual([]);
  });
});
