import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import GithubSlugger from 'github-slugger';
import { toString } from 'mdast-util-to-string';
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
  let shell: Shell;

  beforeAll(async () => {
    expect(() => execFileSync('curl', ['--version'])).not.toThrow();
    app = await startApp({ SECRET_KEY: KEY, PUBLIC_URL: `http://${ADDRESS}` });
    shell = await Shell.open(new URL(app.url).host.replace('[::1]', '127.0.0.1'));
  });
  afterAll(async () => {
    await shell.close();
    await app.close();
  });

  /** The token of a new person who administers a new organization. */
  const newcomer = async (email?: string): Promise<string> => {
    const admin = await app.create.user({ displayName: 'Ada Admin', ...(email !== undefined && { email }) });
    await app.create.organization({ title: 'Demonstration', admin });
    return admin.token;
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
    const own = examplesOf(file);
    const examples = file === INDEX ? own : [...examplesOf(INDEX).slice(0, 1), ...own];
    expect(own.some(({ code }) => /\b(?:api|curl|visit) /.test(code))).toBe(true);
    const ran = await shell.run(examples, await newcomer(file === INDEX ? 'admin@demo.example' : undefined));
    const faults = examples.map((example, index) => ({ line: example.line, faults: faultsOf(example, ran[index]) }));
    expect(faults.filter((example) => example.faults.length > 0)).toEqual([]);
  });

  it('has a tour in README.md that works as it stands', async () => {
    const examples = examplesOf('README.md');
    expect(examples.length).toBeGreaterThan(5);
    const uri = new URL(process.env.TEST_DATABASE_URI ?? '');
    uri.pathname = `/${app.connection.name}`;
    const ran = await shell.run(examples, await newcomer(), { MONGODB_URI: uri.href, SECRET_KEY: KEY });
    const faults = examples.map((example, index) => ({ line: example.line, faults: faultsOf(example, ran[index]) }));
    expect(faults.filter((example) => example.faults.length > 0)).toEqual([]);
  });
});
