import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callerOf, TOKEN } from '../scripts/service.mjs';
import { Processes } from './support/processes.js';

const FIRST = 'the first key of this installation, long enough';
const SECOND = 'the second key of this installation, long enough';
const PASSWORD = 'PasswordOfSomebody17';
const INTEGRATION_SECRET = 'IntegrationSecret23';
const CONFIGURED = 'ConfiguredKeyOfOthers29';
const REFUSED = 'SecretOfARefusedRequest31';
/** What is kept as it is: where it is not found, nothing would be. */
const FINDABLE = 'FindableTitle37';
const PATIENCE = 120_000;

type Call = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

const processes = new Processes();
afterAll(() => processes.clear());

const text = (value: unknown): string => String(value);
const shareKeyOf = ({ urls }: Record<string, unknown>): string =>
  (urls as { published: string }).published.split('/').at(-1) ?? '';

/** As a caller does it, with a key under which the answer is kept. */
async function keyed(url: string, path: string, body: object): Promise<Record<string, unknown>> {
  const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'once' };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Record<string, unknown>;
}

/** What a request that is refused is answered. */
async function refused(url: string, method: string, path: string, body: string, token = TOKEN): Promise<string> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await fetch(url + path, { method, headers, body });
  expect(response.status).toBeGreaterThanOrEqual(400);
  return response.text();
}

/** Everything below `folder`, as one text. */
async function filesOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
}

/** Which of `secrets` stand in `where`. */
const foundIn = (where: string, secrets: Record<string, string>): string[] =>
  Object.entries(secrets).flatMap(([name, secret]) => (where.includes(secret) ? [name] : []));

/** What is read of an organization with one secret of every kind. */
interface Scene {
  organization: string;
  at: string;
  integration: string;
  installation: string;
  shareUrl: string;
}

/** Writes a secret of every kind; answers them, and all answers but those that show one on purpose. */
async function write(url: string) {
  const answers: unknown[] = [];
  const call = callerOf(url);
  const told: Call = async (...request) => {
    const answer = await call(...request);
    answers.push(answer);
    return answer;
  };
  const { items } = (await call('GET', '/v1/orgs')) as { items: { id: string }[] };
  const organization = items[0]?.id ?? '';
  const root = `/v1/orgs/${organization}`;
  const token = await keyed(url, '/v1/user/tokens', { label: 'For tests' });
  const webhook = await call('POST', `${root}/webhooks`, { url: 'https://example.org/', events: ['spec.processed'] });
  const site = await told('POST', `${root}/sites`, { title: FINDABLE, spaces: 'sample', visibility: 'share-link' });
  const at = `${root}/sites/${text(site.id)}`;
  await told('POST', `${at}/publish`);
  const link = await call('POST', `${at}/share-links`, { name: 'Friends' });
  const auth = await call('GET', `${at}/publishing/auth`);
  const integration = '/v1/integrations/with-secrets';
  const published = {
    ...{ organization, title: 'Secretive', description: 'Keeps them', script: 'export {};' },
    configurations: { account: { properties: { key: { type: 'string' } } } },
    secrets: { TOKEN: INTEGRATION_SECRET },
  };
  await told('POST', integration, published);
  await told('GET', integration);
  await told('GET', '/v1/integrations');
  const { id } = await told('POST', `${integration}/installations`, { organization });
  const installation = `${integration}/installations/${text(id)}`;
  await call('PATCH', installation, { configuration: { key: CONFIGURED } });
  await told('GET', `${root}/audit-events?limit=1000`);
  const shareUrl = (link.urls as { published: string }).published;
  const scene: Scene = { organization, at, integration, installation, shareUrl };
  const secrets = {
    password: PASSWORD,
    token: text(token.token),
    bootstrap: TOKEN,
    webhook: text(webhook.secret).replace('whsec_', ''),
    share: shareKeyOf(link),
    visitors: text(auth.privateKey),
    integration: INTEGRATION_SECRET,
    configured: CONFIGURED,
    refused: REFUSED,
    first: FIRST,
  };
  return { scene, secrets, published, answers: JSON.stringify(answers) };
}

/** Sends what is refused, with secrets in it; answers what is said of it. */
async function provoke(url: string, { scene, published }: Awaited<ReturnType<typeof write>>): Promise<string> {
  const { integration, installation, at } = scene;
  const send = (path: string, body: object, method = 'POST') => refused(url, method, path, JSON.stringify(body));
  const hidden = { TOKEN: REFUSED };
  const said = [
    await send(integration, { ...published, title: '', secrets: hidden }),
    await send(integration, { ...published, organization: 'nobody', secrets: hidden }),
    await send(integration, { ...published, secrets: { TOKEN: REFUSED.repeat(1000) } }),
    await send(integration, { ...published, secrets: { TOKEN: [REFUSED] } }),
    await send(integration, { ...published, secrets: REFUSED }),
    await send('/v1/integrations/no body', { ...published, secrets: hidden }),
    await send(installation, { configuration: { key: [REFUSED] } }, 'PATCH'),
    await send(installation, { configuration: { key: REFUSED.repeat(1000) } }, 'PATCH'),
    await send('/v1/auth/login', { email: 'nobody@example.org', password: REFUSED }),
    await send('/v1/auth/register', { email: 'nobody', displayName: 'No', password: REFUSED }),
    await send(`${at}/publishing/auth`, { privateKey: REFUSED, backend: 'none' }, 'PATCH'),
    await refused(url, 'POST', integration, `{"secrets": {"TOKEN": ${REFUSED}`),
    await refused(url, 'POST', integration, JSON.stringify(REFUSED)),
    await refused(url, 'POST', integration, '{}', REFUSED),
  ];
  return said.join('\n');
}

/** What is read that was kept encrypted. */
async function kept(url: string, { at, installation, shareUrl }: Scene): Promise<unknown[]> {
  const call = callerOf(url);
  const links = (await call('GET', `${at}/share-links`)) as unknown as { items: Record<string, unknown>[] };
  // the service is at another port each time
  const resolved = await call('POST', '/v1/urls/published', { url: url + new URL(shareUrl).pathname });
  return [
    links.items.map(shareKeyOf),
    (await call('GET', `${at}/publishing/auth`)).privateKey,
    (await call('GET', installation)).configuration,
    resolved.shareKey,
  ];
}

it(
  'secrets are found in no answer, no error, no log and no file, and go over to another key',
  async () => {
    const data = await processes.folder();
    const verbose = { LOG_LEVEL: 'trace', REGISTRATION: 'open' };
    const service = await processes.ready(data, { ...verbose, SECRET_KEY: FIRST });
    const login = { email: 'ann@example.org', password: PASSWORD };
    await callerOf(service.url)('POST', '/v1/auth/register', { ...login, displayName: 'Ann' });
    const session = await callerOf(service.url)('POST', '/v1/auth/login', login);
    const written = await write(service.url);
    const secrets = { ...written.secrets, session: text(session.token) };
    expect(Object.values(secrets).filter((secret) => secret.length < 15)).toEqual([]);
    const before = await kept(service.url, written.scene);
    expect(before).toEqual([[secrets.share], secrets.visitors, { key: CONFIGURED }, secrets.share]);

    expect(foundIn(written.answers, secrets)).toEqual([]);
    expect(foundIn(await provoke(service.url, written), secrets)).toEqual([]);
    const ended = await service.stop();
    expect([ended.code, foundIn(ended.stdout + ended.stderr, secrets)]).toEqual([0, []]);
    expect(ended.stdout).toContain('"level":"debug"');
    const stored = await filesOf(data);
    expect(foundIn(stored, { ...secrets, FINDABLE })).toEqual(['FINDABLE']);

    const both = { SECRET_KEY: SECOND, SECRET_KEY_FORMER: FIRST };
    const between = await processes.ready(data, { ...verbose, ...both });
    expect(await kept(between.url, written.scene)).toEqual(before);
    const rotate = (environment: Record<string, string>) => processes.command(data, ['secrets', 'rotate'], environment);
    const done = 'Everything is encrypted with SECRET_KEY; SECRET_KEY_FORMER is needed no more.\n';
    const { code, stdout, stderr } = await rotate(both);
    expect([code, stderr, stdout.endsWith(done)]).toEqual([0, '', true]);
    const kinds = ['kept answers', 'keys of visitors', 'secrets of integrations', 'share links', 'webhooks'];
    expect(stdout.split('\n').slice(0, -2).sort()).toEqual([
      'configurations of installations: 1 encrypted anew',
      'configurations on spaces and sites: 0 encrypted anew',
      ...kinds.map((kind) => `${kind}: 1 encrypted anew`),
    ]);
    expect(await kept(between.url, written.scene)).toEqual(before);
    expect(foundIn((await between.stop()).stdout, secrets)).toEqual([]);

    const after = await processes.ready(data, { ...verbose, SECRET_KEY: SECOND });
    expect(await kept(after.url, written.scene)).toEqual(before);
    await after.stop();
    const lost = await rotate({ SECRET_KEY: FIRST });
    expect([lost.code, lost.stdout.split('\n').at(-2)]).toEqual([
      1,
      '6 cannot be opened with SECRET_KEY or SECRET_KEY_FORMER.',
    ]);
  },
  PATIENCE,
);
