import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { callerOf, runCli, TOKEN } from '../scripts/service.mjs';
import { generateBook, writeBook } from './support/book.js';
import { runCommand } from './support/command-line.js';
import { MIGRATED, type Ending, Processes, UNPREPARED } from './support/processes.js';

/** What `doctor` says where nothing is wrong. */
const WELL = /^(ok {5}.+\n){12,}All is well\.\n$/;

interface Listed {
  items: { id: string; title: string; permissions?: { admin: boolean } }[];
}
interface PageAnswer {
  title: string;
  pages?: PageAnswer[];
}

/** Longest that a test of several starts may take on a busy machine, ms. */
const PATIENCE = 90_000;

const processes = new Processes();
afterAll(() => processes.clear());

/** The groups of `pattern` in `text`. */
const groups = (pattern: RegExp, text: string): string[] => {
  const found = pattern.exec(text);
  if (!found) throw new Error(`${String(pattern)} is not in: ${text}`);
  return found.slice(1);
};
const signIn = (url: string, email: string, password: string) =>
  callerOf(url)('POST', '/v1/auth/login', { email, password });
const list = async (url: string, token: string, path: string) =>
  ((await callerOf(url, token)('GET', path)) as unknown as Listed).items;
const refused = (sentence: string): Ending => ({ code: 1, stdout: '', stderr: `${sentence}\n` });
const countOf = (pages: PageAnswer[]): number =>
  pages.reduce((sum, { pages: below = [] }) => sum + 1 + countOf(below), 0);

describe('the command line while the service does not run', () => {
  it('shows what there is to do, and knows nothing else', async () => {
    const data = join(await processes.folder(), 'none');
    const command = (...args: string[]) => processes.command(data, args);
    const [help, unknown] = await Promise.all([command('--help'), command('fly')]);
    expect([help.code, help.stderr]).toEqual([0, '']);
    const names = [...help.stdout.matchAll(/^ {2}([a-z]+) .*/gm)].map(([, name]) => name);
    expect(names).toEqual([
      'user',
      'token',
      'demo',
      'import',
      'export',
      'backup',
      'restore',
      'doctor',
      'migrate',
      'secrets',
      'help',
    ]);
    expect([unknown.code, unknown.stdout]).toEqual([1, '']);
    expect(unknown.stderr).toMatch(/^error: unknown command 'fly'\n/);
    expect(existsSync(data)).toBe(false);
  });

  it('refuses what it cannot use before it touches the database', async () => {
    const data = join(await processes.folder(), 'none');
    const [address, password, name, label, folder, setting] = await Promise.all([
      runCommand(data, ['user', 'create', 'nobody']),
      runCommand(data, ['user', 'create', 'ann@example.org', '--password', 'short']),
      runCommand(data, ['user', 'create', 'ann@example.org', '--name', 'x'.repeat(65)]),
      runCommand(data, ['token', 'create', 'ann@example.org', '--label', 'x'.repeat(51)]),
      runCommand(data, ['import', '/nowhere/at/all', '--space', 'x']),
      processes.command(data, ['migrate'], { LOG_LEVEL: 'loud' }),
    ]);
    expect([address.code, password.code, name.code, label.code]).toEqual([1, 1, 1, 1]);
    expect(address.stderr).toMatch(/^error: .* 'nobody' is invalid .* It must be an e-mail address\.\n/);
    expect(password.stderr).toMatch(/^error: .* 'short' is invalid\. It must be 8 to 128 characters long\.\n/);
    expect(name.stderr).toMatch(/ is invalid\. It must be 1 to 64 characters long\.\n/);
    expect(label.stderr).toMatch(/ is invalid\. It must be 1 to 50 characters long\.\n/);
    expect(folder).toEqual(refused('/nowhere/at/all is not a folder'));
    expect(setting).toEqual(refused('LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent'));
    expect(existsSync(data)).toBe(false);
  });

  it('does not take a place without a database for one in which nothing is wrong', async () => {
    const data = join(await processes.folder(), 'none');
    const asked = await Promise.all(
      [['doctor'], ['backup', join(data, 'backup')], ['secrets', 'rotate'], ['token', 'list', 'ann@example.org']].map(
        (args) => runCommand(data, args),
      ),
    );
    const sentence = `There is no database in ${data}: give the command the DATA_DIR or MONGODB_URI of the service`;
    expect(asked).toEqual(Array(4).fill(refused(sentence)));
    expect(existsSync(data)).toBe(false);
  });

  it(
    'makes the database, people, tokens and the demonstration, which the service then has',
    async () => {
      const data = await processes.folder();
      expect(await runCli(data, ['migrate'])).toMatch(MIGRATED);
      const done = async (...args: string[]) => {
        const { code, stdout, stderr } = await runCommand(data, args);
        expect([code, stderr]).toEqual([0, '']);
        return stdout;
      };
      const made = await done('user', 'create', 'Ann@Example.org', '--name', 'Ann Author');
      const [id = '', password = ''] = groups(/^User {6}(\S+) {2}ann@example\.org\nPassword {2}(\S{16})\n$/, made);
      const [token = ''] = groups(/^(\S+)\n$/, await done('token', 'create', 'ann@example.org'));
      const [organization = '', guide = '', empty = '', admin = ''] = groups(
        /^Organization {2}(\S+)\nGuide {9}(\S+)\nEmpty space {3}(\S+)\nToken {9}(\S+)\n$/,
        await done('demo'),
      );
      expect(await runCli(data, ['doctor'])).toMatch(WELL);

      const { url, written, stop } = await processes.ready(data, UNPREPARED);
      expect(written()).toContain(`Token to use it with  ${admin}\n`);
      expect(await signIn(url, 'ann@example.org', password)).toMatchObject({ user: { id, displayName: 'Ann Author' } });
      expect(await callerOf(url, token)('GET', '/v1/user')).toMatchObject({ id });
      expect(await list(url, admin, '/v1/orgs')).toMatchObject([{ id: organization, title: 'Demonstration' }]);
      const spaces = await list(url, admin, `/v1/orgs/${organization}/spaces`);
      expect(spaces.map((space) => space.id)).toEqual([empty, guide]);
      await stop();
    },
    PATIENCE,
  );
});

describe('the command line while the service runs', () => {
  let data: string;
  let url: string;
  let organization: string;

  const command = (...args: string[]) => runCommand(data, args);
  const newSpace = async () => {
    const made = await callerOf(url)('POST', `/v1/orgs/${organization}/spaces`, { title: 'Book' });
    return String(made.id);
  };
  const found = async (space: string, query: string) =>
    list(url, TOKEN, `/v1/spaces/${space}/search?query=${encodeURIComponent(query)}`);
  const importBook = async (space: string) => {
    const folder = join(await processes.folder(), 'src');
    await writeBook(generateBook(), folder);
    return runCli(data, ['import', folder, '--space', space, '--author', 'ADMIN@example.org']);
  };
  /** Does `work` on the database that the service has open. */
  const tamper = async (work: (db: ReturnType<MongoClient['db']>) => Promise<unknown>) => {
    const { uri } = JSON.parse(await readFile(join(data, 'database', 'engine.json'), 'utf8')) as { uri: string };
    const client = await new MongoClient(uri).connect();
    try {
      await work(client.db('colophon'));
    } finally {
      await client.close();
    }
  };

  beforeAll(async () => {
    data = await processes.folder();
    ({ url } = await processes.ready(data));
    organization = (await list(url, TOKEN, '/v1/orgs'))[0]?.id ?? '';
  });

  it(
    'makes people who can sign in, as members where an organization is named',
    async () => {
      const [plain, member] = await Promise.all([
        command('user', 'create', 'ann@example.org'),
        command(
          'user',
          'create',
          'ben@example.org',
          '--password',
          'a good password',
          '--organization',
          organization,
          '--role',
          'admin',
        ),
      ]);
      const [, password = ''] = groups(/^User {6}(\S+) {2}ann@example\.org\nPassword {2}(\S+)\n$/, plain.stdout);
      const ann = await signIn(url, 'ann@example.org', password);
      expect(ann).toMatchObject({ user: { displayName: 'ann', email: 'ann@example.org' } });
      expect(await list(url, String(ann.token), '/v1/orgs')).toEqual([]);

      expect(member.stdout).toMatch(/^User {6}\S+ {2}ben@example\.org\nMember {4}Books \(admin\)\n$/);
      const ben = await signIn(url, 'ben@example.org', 'a good password');
      expect(await list(url, String(ben.token), '/v1/orgs')).toMatchObject([
        { id: organization, permissions: { admin: true } },
      ]);

      const [taken, nowhere] = await Promise.all([
        command('user', 'create', 'ANN@example.org'),
        command('user', 'create', 'cleo@example.org', '--organization', 'AAAAAAAAAAAAAAAAAAAA'),
      ]);
      expect(taken).toEqual(refused('email is taken: there is already an account for ann@example.org'));
      expect(nowhere).toEqual(refused('Organization not found'));
      await expect(signIn(url, 'cleo@example.org', 'whatever it is')).rejects.toThrow('401');
    },
    PATIENCE,
  );

  it('makes tokens that work until they expire', async () => {
    const [made, unknown] = await Promise.all([
      command('token', 'create', 'admin@example.org', '--label', 'by hand', '--days', '3'),
      command('token', 'create', 'nobody@example.org'),
    ]);
    const [token = ''] = groups(/^(\S+)\n$/, made.stdout);
    expect(await callerOf(url, token)('GET', '/v1/user')).toMatchObject({ email: 'admin@example.org' });
    const { items } = (await callerOf(url)('GET', '/v1/user/tokens')) as {
      items: { label: string; expiresAt?: string }[];
    };
    const { expiresAt = '' } = items.find(({ label }) => label === 'by hand') ?? {};
    const days = (Date.parse(expiresAt) - Date.now()) / (24 * 60 * 60 * 1000);
    expect(days).toBeGreaterThan(2.99);
    expect(days).toBeLessThan(3);
    expect(unknown).toEqual(
      refused('There is nobody with the address nobody@example.org: make them with "user create"'),
    );
  });

  it(
    'gives a new password, which ends sign-ins and leaves tokens',
    async () => {
      const made = await command('user', 'create', 'dora@example.org', '--password', 'the former one');
      const [id = ''] = groups(/^User {6}(\S+) {2}dora@example\.org\n$/, made.stdout);
      const { token: session } = await signIn(url, 'dora@example.org', 'the former one');
      const token = (await command('token', 'create', 'dora@example.org')).stdout.trim();
      const changed = await command('user', 'password', 'dora@example.org');
      const [password = ''] = groups(
        new RegExp(`^User {6}${id} {2}dora@example\\.org\nPassword {2}(\\S{16})\nSign-ins {2}1 ended\n$`),
        changed.stdout,
      );
      await expect(callerOf(url, String(session))('GET', '/v1/user')).rejects.toThrow('401');
      await expect(signIn(url, 'dora@example.org', 'the former one')).rejects.toThrow('401');
      expect(await callerOf(url, token)('GET', '/v1/user')).toMatchObject({ id });
      expect(await signIn(url, 'dora@example.org', password)).toMatchObject({ user: { id } });
    },
    PATIENCE,
  );

  it(
    'lists and ends the tokens of somebody, and all that they are signed in with',
    async () => {
      await command('user', 'create', 'emil@example.org', '--password', 'a good password');
      const signedIn = String((await signIn(url, 'emil@example.org', 'a good password')).token);
      const tokens: string[] = [];
      for (const options of [
        ['--label', 'laptop'],
        ['--days', '2'],
      ]) {
        tokens.push((await command('token', 'create', 'emil@example.org', ...options)).stdout.trim());
      }
      const [second = '', first = ''] = groups(
        /^(\w{20}) {2}\d{4}-\d\d-\d\d {2}\d{4}-\d\d-\d\d {2}made by hand\n(\w{20}) {2}\d{4}-\d\d-\d\d {2}never {7}laptop\n$/,
        (await command('token', 'list', 'emil@example.org')).stdout,
      );
      const statuses = async (): Promise<number[]> =>
        Promise.all(
          [...tokens, signedIn].map(async (token) => {
            const { status } = await fetch(`${url}/v1/user`, { headers: { authorization: `Bearer ${token}` } });
            return status;
          }),
        );
      expect(await statuses()).toEqual([200, 200, 200]);
      expect((await command('token', 'revoke', 'emil@example.org', first)).stdout).toBe(`Token     ${first} ended\n`);
      expect(await statuses()).toEqual([401, 200, 200]);
      expect(await command('token', 'revoke', 'emil@example.org', first)).toEqual(refused('Token not found'));
      const which = 'Name one token, as "token list" shows it, or end all tokens and sign-ins with --all';
      expect(await command('token', 'revoke', 'emil@example.org')).toEqual(refused(which));
      expect(await command('token', 'revoke', 'emil@example.org', second, '--all')).toEqual(refused(which));
      expect(await statuses()).toEqual([401, 200, 200]);
      expect((await command('token', 'revoke', 'emil@example.org', '--all')).stdout).toBe(
        'Tokens    1 ended\nSign-ins  1 ended\n',
      );
      expect(await statuses()).toEqual([401, 401, 401]);
      expect(await command('token', 'list', 'emil@example.org')).toEqual({ code: 0, stdout: '', stderr: '' });
    },
    PATIENCE,
  );

  it('imports a book that is there and found at once', async () => {
    const space = await newSpace();
    const said = await importBook(space);
    const { id, parents, pages } = await callerOf(url)('GET', `/v1/spaces/${space}/content`);
    expect(said).toBe(`Imported 123 pages into ${space}, revision ${String(id)}\n`);
    expect([parents, countOf(pages as PageAnswer[])]).toEqual([[expect.any(String)], 123]);
    expect(await found(space, '"marker77"')).toHaveLength(1);
  });

  it('says which files of a book are missing, and refuses what it cannot import', async () => {
    const space = await newSpace();
    const folder = await processes.folder();
    await writeFile(join(folder, 'SUMMARY.md'), '- [Lost](lost.md)\n- [Outside](../../etc/passwd)\n');
    const empty = join(folder, 'empty');
    await mkdir(empty);
    const [imported, noSummary, noSpace, noAuthor] = await Promise.all([
      command('import', folder, '--space', space),
      command('import', empty, '--space', space),
      command('import', folder, '--space', 'AAAAAAAAAAAAAAAAAAAA'),
      command('import', folder, '--space', space, '--author', 'nobody@example.org'),
    ]);
    expect([imported.code, imported.stderr, imported.stdout.replace(/revision \S+/, 'revision ID')]).toEqual([
      0,
      '',
      `Imported 2 pages into ${space}, revision ID\n` +
        '  lost.md is named, but is not there\n' +
        '  ../../etc/passwd is named, but is not there\n',
    ]);
    expect(noSummary).toEqual(refused('The folder cannot be imported: it holds no Markdown'));
    expect(noSpace).toEqual(refused('Space not found'));
    expect(noAuthor).toEqual(refused('There is nobody with the address nobody@example.org'));
  });

  it(
    'finds with doctor what search does not know, and repairs it',
    async () => {
      const [space, other] = [await newSpace(), await newSpace()];
      for (const id of [space, other]) {
        const page = { operation: 'insert_page', title: 'Page', document: { markdown: 'A numbat.\n' } };
        await callerOf(url)('POST', `/v1/spaces/${id}/content`, { changes: [page, { ...page, title: 'Other' }] });
      }
      const indexed = 'search knows the pages of every space, and no others';
      const before = await command('doctor');
      expect(before).toEqual({ code: 0, stdout: expect.stringMatching(WELL), stderr: '' });
      expect(before.stdout).toContain(`ok     ${indexed}\n`);

      await tamper((db) => db.collection('search_segments').deleteMany({ space }));
      expect(await found(space, 'numbat')).toEqual([]);
      const problem = `       space ${space}: search does not know its pages as they are`;
      const told = before.stdout
        .replace(`ok     ${indexed}\n`, `${problem}\nWRONG  ${indexed} (1)\n`)
        .replace('All is well.\n', '');
      expect(await processes.command(data, ['doctor'])).toEqual({
        code: 1,
        stdout: `${told}1 problem is left; --repair puts right what it can.\n`,
        stderr: '',
      });
      expect(await found(space, 'numbat')).toEqual([]);
      expect(await command('doctor', '--repair')).toEqual({
        code: 0,
        stdout: `${told.replace('they are\n', 'they are - repaired\n')}All is well.\n`,
        stderr: '',
      });
      expect(await found(space, 'numbat')).toHaveLength(2);
      expect(await found(other, 'numbat')).toHaveLength(2);
    },
    PATIENCE,
  );

  it('tells with doctor of lost texts, which nothing can repair', async () => {
    const space = await newSpace();
    const change = { operation: 'insert_page', title: 'Lost', document: { markdown: 'Soon to be lost.\n' } };
    await callerOf(url)('POST', `/v1/spaces/${space}/content`, { changes: [change] });
    const { pages } = (await callerOf(url)('GET', `/v1/spaces/${space}/content/pages`)) as {
      pages?: { documentId: string }[];
    };
    // the key of the text, without the signature
    const lost = pages?.[0]?.documentId.slice(0, 43) ?? '';
    await tamper((db) => db.collection<{ _id: string }>('documents').deleteOne({ _id: lost }));
    const { code, stdout } = await command('doctor', '--repair');
    expect(code).toBe(1);
    expect(stdout).toContain(
      `       space ${space}: 1 of its texts are missing, ${lost} the first\nWRONG  every space`,
    );
    expect(stdout).toMatch(/\n1 problem is left\.\n$/);
  });

  it('migrates beside the service without a change', async () => {
    expect(await command('migrate')).toEqual({ code: 0, stdout: 'Nothing to do\n', stderr: '' });
  });

  it('makes the demonstration beside what there is, and the next start shows its token', async () => {
    const [, , , token = ''] = groups(
      /^Organization {2}(\S+)\nGuide {9}(\S+)\nEmpty space {3}(\S+)\nToken {9}(\S+)\n$/,
      (await command('demo')).stdout,
    );
    expect(await list(url, token, '/v1/orgs')).toMatchObject([{ title: 'Demonstration' }]);
    expect(await list(url, TOKEN, '/v1/orgs')).toMatchObject([{ title: 'Books' }]);
    expect(await readFile(join(data, 'demonstration-token'), 'utf8')).toBe(`${token}\n`);
  });
});
