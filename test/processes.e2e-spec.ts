import { MongoClient } from 'mongodb';
import { type Answer, type Asking, Group } from './support/group.js';
import { Processes } from './support/processes.js';
import { until } from './support/until.js';
import { WebhookReceiver } from './support/webhook-receiver.js';

const processes = new Processes();
afterAll(() => processes.clear());

/** What the database process says when it cannot start on `dataDir`. @throws Error when it can. */
async function refusal(dataDir: string, environment: Record<string, string> = {}): Promise<string> {
  return processes.database(dataDir, environment).then(
    () => {
      throw new Error('it has started');
    },
    (error: unknown) => String(error),
  );
}

describe('the database as a process of its own', () => {
  it('says where it is, refuses a second one on its folder or port, stops when told, and comes back as it was', async () => {
    const dataDir = await processes.folder();
    const first = await processes.database(dataDir);
    expect(first.written()).toBe(`The database is ready at ${first.uri}\n`);
    expect(first.uri).toMatch(/^mongodb:\/\/127\.0\.0\.1:\d+\/\?replicaSet=rs0$/);
    const DATABASE_PORT = new URL(first.uri).port;
    const client = await new MongoClient(first.uri).connect();
    await client.db('kept').collection('things').insertOne({ name: 'kept' });
    await client.close();

    const [folder, port] = await Promise.all([
      refusal(dataDir),
      refusal(await processes.folder(), { DATABASE_PORT, MONGODB_URI: first.uri }),
    ]);
    expect(folder).toMatch(
      new RegExp(
        `ended with 1: The database cannot start: DATA_DIR cannot be used: the data folder ${dataDir}/database is in use ` +
          `by process ${String(first.pid)}, which listens at mongodb://127\\.0\\.0\\.1:${DATABASE_PORT}/\\?replicaSet=rs0\\n$`,
      ),
    );
    expect(port).toMatch(
      /ended with 1: The database cannot start: DATABASE_PORT cannot be used: port \d+ is taken by another process\n$/,
    );
    first.kill('SIGINT');
    expect(await first.ended).toMatchObject({ code: 0, stderr: '' });

    const second = await processes.database(dataDir, { DATABASE_PORT });
    expect(second.uri).toBe(first.uri);
    const again = await new MongoClient(second.uri).connect();
    expect(await again.db('kept').collection('things').countDocuments()).toBe(1);
    await again.close();
    expect(await second.stop()).toMatchObject({ code: 0, stderr: '' });
  });
});

const PASSWORD = 'a long and private one';

interface Person {
  id: string;
  token: string;
}

/** The ends of the minutes in which `answers` were counted. */
const resetsOf = (answers: readonly Answer[]): string[] => [
  ...new Set(answers.map(({ headers }) => headers.get('x-ratelimit-reset') ?? '')),
];

describe('three processes of the service on one database', () => {
  let group: Group;
  let database: MongoClient;
  let receiver: WebhookReceiver;
  let organization: string;
  const numbers = [0, 1, 2];

  const records = (name: string) => database.db('colophon').collection<{ _id: string }>(name);
  const ask = (number: number, call: string, asking?: Asking): Promise<Answer> => group.ask(number, call, asking);
  const askAll = (call: string, asking?: Asking): Promise<Answer[]> => group.askAll(call, asking);
  const call = (what: string, body?: unknown, token?: string): Promise<Answer['body']> => group.call(what, body, token);
  const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).sort();

  const newSpace = async (fields: object = {}): Promise<string> =>
    (await call(`POST /orgs/${organization}/spaces`, fields)).id as string;
  const insertion = (title: string, markdown = `Text of ${title}.\n`) => ({
    changes: [{ operation: 'insert_page', title, document: { markdown } }],
  });

  /** Somebody who belongs to the organization with `role`. */
  const join = async (name: string, role: string): Promise<Person> => {
    const email = `${name}@example.org`;
    const { invitations } = await call(`POST /orgs/${organization}/invites`, { emails: [email], role });
    const [{ invite = '' } = {}] = invitations as { invite?: string }[];
    const made = await call('POST /auth/register', { email, displayName: name, password: PASSWORD, invite }, '');
    return { id: (made.user as { id: string }).id, token: made.token as string };
  };

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    const { uri } = await processes.database(await processes.folder());
    group = await Group.start(processes, uri, numbers.length, {
      RATE_LIMIT: '600',
      SIGN_IN_RATE_LIMIT: '20',
      OUTBOUND_ALLOW: '127.0.0.1',
      TRUST_PROXY: 'loopback',
    });
    database = await new MongoClient(uri).connect();
    const { items } = await call('GET /orgs');
    [{ id: organization } = { id: '' }] = items as { id: string }[];
  });
  afterAll(async () => {
    await database.close();
    expect(await group.stop()).toEqual(numbers.map(() => [0, '']));
    await receiver.close();
  });

  it('start together on a new database, which is made ready once, with one administrator', async () => {
    const told = group.processes.filter(({ written }) => written().includes('Administrator'));
    expect(told).toHaveLength(1);
    expect(await records('users').countDocuments()).toBe(1);
    expect(await records('organizations').countDocuments()).toBe(1);
    expect(await records('tokens').countDocuments()).toBe(1);
  });

  it('refuse at once what was ended in another: sessions, tokens, memberships, roles, spaces', async () => {
    const space = await newSpace({ title: 'Shared' });
    const [nina, omar] = [await join('nina', 'edit'), await join('omar', 'edit')];
    const read = async ({ token }: Person): Promise<number[]> =>
      statuses(await askAll(`GET /spaces/${space}`, { token }));
    const write = async ({ token }: Person): Promise<number[]> =>
      statuses(await askAll(`PATCH /spaces/${space}`, { token, body: { emoji: '1f4d8' } }));
    expect(await read(nina)).toEqual([200, 200, 200]);

    // the session that registered ends, another goes on
    const signedIn = await ask(1, 'POST /auth/login', {
      token: '',
      body: { email: 'nina@example.org', password: PASSWORD },
    });
    const second = { ...nina, token: signedIn.body.token as string };
    expect(await read(second)).toEqual([200, 200, 200]);
    expect((await ask(0, 'POST /auth/logout', { token: nina.token })).status).toBe(204);
    expect(await read(nina)).toEqual([401, 401, 401]);
    expect(await read(second)).toEqual([200, 200, 200]);

    const made = await call('POST /user/tokens', { label: 'program' }, second.token);
    const program = { ...nina, token: made.token as string };
    expect(await read(program)).toEqual([200, 200, 200]);
    await call(`DELETE /user/tokens/${made.id as string}`, undefined, second.token);
    expect(await read(program)).toEqual([401, 401, 401]);

    const edited = statuses(
      await askAll(`POST /spaces/${space}/content`, { token: omar.token, body: insertion('Omar') }),
    );
    expect(edited).toEqual([200, 200, 200]);
    await call(`PATCH /orgs/${organization}/members/${omar.id}`, { role: 'read' });
    expect(
      statuses(await askAll(`POST /spaces/${space}/content`, { token: omar.token, body: insertion('Omar') })),
    ).toEqual([403, 403, 403]);
    expect(await read(omar)).toEqual([200, 200, 200]);
    await call(`PATCH /orgs/${organization}/members/${omar.id}`, { role: 'admin' });
    expect(await write(omar)).toEqual([200, 200, 200]);
    await call(`PATCH /orgs/${organization}/members/${omar.id}`, { role: 'edit' });
    expect(await write(omar)).toEqual([403, 403, 403]);
    await call(`DELETE /orgs/${organization}/members/${omar.id}`);
    expect(await read(omar)).toEqual([404, 404, 404]);

    await call(`DELETE /spaces/${space}`);
    expect(await read(second)).toEqual([404, 404, 404]);
  });

  it('lose no edit of one space, and let one of those win who change the same thing', async () => {
    const space = await newSpace({ title: 'Raced' });
    const titles = Array.from({ length: 12 }, (_, n) => `Page ${n}`);
    const inserted = await Promise.all(
      titles.map((title, n) => ask(n, `POST /spaces/${space}/content`, { body: insertion(title) })),
    );
    expect(new Set(inserted.map(({ body }) => body.revision)).size).toBe(titles.length);
    const [page] = (await call(`GET /spaces/${space}/content`)).pages as { id: string; title: string }[];
    for (const answer of await askAll(`GET /spaces/${space}/content`)) {
      const found = (answer.body.pages as { title: string }[]).map(({ title }) => title).sort();
      expect(found).toEqual([...titles].sort());
    }

    // who changes a page without saying which one it was: each is a revision, the last one stays
    const texts = numbers.map((process) => `Written by ${process}.\n`);
    const written = await Promise.all(
      texts.map((markdown, process) =>
        ask(process, `POST /spaces/${space}/content`, {
          body: { changes: [{ operation: 'update_page', page: page?.id, document: { markdown } }] },
        }),
      ),
    );
    expect(statuses(written)).toEqual([200, 200, 200]);
    const last = (await call(`GET /spaces/${space}`)).revision;
    const winner = texts[written.findIndex(({ body }) => body.revision === last)];
    for (const { body } of await askAll(`GET /spaces/${space}/content/page/${page?.id ?? ''}?format=markdown`)) {
      expect(body.markdown).toBe(winner);
    }

    for (let round = 0; round < 5; round += 1) {
      const tags = (await askAll(`GET /spaces/${space}`)).map(({ headers }) => headers.get('etag') ?? '');
      expect(new Set(tags).size).toBe(1);
      const named = numbers.map((process) => `Round ${round} of ${process}`);
      const answers = await Promise.all(
        named.map((title, process) =>
          ask(process, `PATCH /spaces/${space}`, { body: { title }, headers: { 'If-Match': tags[process] ?? '' } }),
        ),
      );
      expect(statuses(answers)).toEqual([200, 412, 412]);
      const title = named[answers.findIndex(({ status }) => status === 200)];
      for (const { body } of await askAll(`GET /spaces/${space}`)) expect(body.title).toBe(title);
    }
  });

  it('carry a request with an Idempotency-Key out once, whichever of them it reaches', async () => {
    const request = { body: { title: 'Once' }, headers: { 'Idempotency-Key': 'made-once' } };
    const first = await ask(0, `POST /orgs/${organization}/spaces`, request);
    expect(first.status).toBe(201);
    for (const answer of await askAll(`POST /orgs/${organization}/spaces`, request)) {
      expect([answer.status, answer.body.id]).toEqual([201, first.body.id]);
    }
    const raced = await askAll(`POST /orgs/${organization}/spaces`, {
      body: { title: 'Raced once' },
      headers: { 'Idempotency-Key': 'raced' },
    });
    const done = raced.filter(({ status }) => status === 201);
    expect(done.length).toBeGreaterThan(0);
    expect(new Set(done.map(({ body }) => body.id)).size).toBe(1);
    expect(raced.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(await records('spaces').countDocuments({ title: { $in: ['Once', 'Raced once'] } })).toBe(2);
  });

  it('run a job in one of them, and deliver what happens once', async () => {
    await call(`POST /orgs/${organization}/webhooks`, { url: receiver.url, events: ['content.updated'] });
    const spaces = await Promise.all(numbers.map(() => newSpace()));
    const edits = Array.from({ length: 12 }, (_, n) => n);
    const revisions = await Promise.all(
      edits.map(
        async (n) =>
          (await ask(n, `POST /spaces/${spaces[n % 2] ?? ''}/content`, { body: insertion(`Edit ${n}`) })).body.revision,
      ),
    );

    const purges = (): Promise<number> => group.figure('job_duration_seconds_count{job="purge-spaces"}');
    await until('the purge of the start has run', async () => (await purges()) > 0);
    expect(await purges()).toBe(1);
    const [doomed = ''] = spaces.slice(2);
    await call(`DELETE /spaces/${doomed}`);
    await records('spaces').updateOne({ _id: doomed }, { $set: { deletedAt: new Date(0) } });
    await database
      .db('colophon')
      .collection('jobs')
      .updateOne({ name: 'purge-spaces' }, { $set: { nextRunAt: new Date() } });
    await until('the space is purged', async () => (await records('spaces').countDocuments({ _id: doomed })) === 0);
    await until('the purge is over', async () => (await purges()) > 1);
    expect(await purges()).toBe(2);
    expect(await records('audit_events').countDocuments({ action: 'space.purge' })).toBe(1);

    await until('all is delivered', () => receiver.arrivals.length >= edits.length);
    await until(
      'nothing is due',
      async () => (await records('webhook_lanes').countDocuments({ idleSince: null })) === 0,
    );
    const arrived = receiver.arrivals.map(({ data }) => data.revision);
    expect([...arrived].sort()).toEqual([...revisions].sort());
  });

  it('let as many sign in from one address as the limit says, together', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.7' };
    const answers = await Promise.all(
      Array.from({ length: 45 }, (_, n) => {
        const body = { email: `nobody-${n}@example.org`, displayName: 'Nobody', password: PASSWORD };
        return ask(n, 'POST /auth/register', { token: '', body, headers });
      }),
    );
    for (const reset of resetsOf(answers)) {
      const inMinute = answers.filter((answer) => resetsOf([answer])[0] === reset);
      const counted = inMinute.filter(({ status }) => status === 403);
      expect(counted).toHaveLength(Math.min(20, inMinute.length));
      expect(inMinute.filter(({ status }) => status === 429)).toHaveLength(inMinute.length - counted.length);
    }
  });

  it('let no more requests through together than the limit says, and what comes before they tell each other', async () => {
    /** 588, and 3 more until each has read what all have counted; then the answers to a burst of 60, and to 30 after it. */
    const minute = async (): Promise<Answer[][]> => {
      const token = (await call('POST /user/tokens', { label: 'limited' })).token as string;
      const send = async (count: number): Promise<Answer[]> => {
        const answers: Answer[] = [];
        while (answers.length < count) {
          const part = Array.from({ length: Math.min(30, count - answers.length) }, (_, n) => n);
          answers.push(...(await Promise.all(part.map((n) => ask(n, 'GET /user', { token })))));
        }
        return answers;
      };
      const before = await send(588);
      const told = (): Promise<void> =>
        until('the processes have told each other', async () => {
          const isOver = Number(resetsOf(before)[0]) * 1000 < Date.now();
          return isOver || (await records('rate_counts').countDocuments({ count: before.length })) > 0;
        });
      await told();
      for (let haveRead = false; !haveRead && before.length < 597;) {
        // the sum may be in the database before each has read it
        const knowing = String(600 - before.length - 1);
        const each = await send(3);
        haveRead = each.every(({ headers }) => headers.get('x-ratelimit-remaining') === knowing);
        before.push(...each);
        await told();
      }
      return [before, await send(60), await send(30)];
    };
    let parts = await minute();
    while (resetsOf(parts.flat()).length > 1) parts = await minute();
    const [before = [], burst = [], after = []] = parts;
    const through = (answers: Answer[]): number => answers.filter(({ status }) => status === 200).length;
    expect(through(before)).toBe(before.length);
    // each knows of all but what the two others have just added
    const left = 600 - before.length;
    expect(through(burst)).toBeGreaterThanOrEqual(left);
    expect(through(burst)).toBeLessThanOrEqual(3 * (left + 2));
    expect(through(after)).toBe(0);
    expect(after.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(Array(30).fill('0'));
  });

  it('show settings of the organization that another changed after a second', async () => {
    const space = await newSpace({ title: 'Inheriting' });
    const levels = async (): Promise<unknown[]> =>
      (await askAll(`GET /spaces/${space}`)).map(({ body }) => body.defaultLevel);
    const before = await levels();
    expect(new Set(before).size).toBe(1);
    await ask(0, `PATCH /orgs/${organization}`, { body: { defaultRole: 'comment' } });
    // the organization itself is as it is now
    for (const { body } of await askAll(`GET /orgs/${organization}`)) expect(body.defaultRole).toBe('comment');
    await until('all show it', async () => (await levels()).every((level) => level === 'comment'));
  });
});
