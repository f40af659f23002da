import { newId } from '../src/common/ids.js';
import { Invariants } from '../src/database/index.js';
import { startApp, type TestApp } from './support/app.js';
import { gif, png } from './support/images.js';
import { base64, install, least, type Owner, publish, refusal, type Shown, SVG } from './support/integrations.js';

interface List {
  items: Shown[];
  count: number;
  next?: { page: string };
}

const NO_INTEGRATION = refusal(404, 'Integration not found');

let app: TestApp;
let owner: Owner;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  owner = await app.create.organization();
});

const read = (name: string, user = owner.admin) => app.as(user).get(`/v1/integrations/${name}`);
const send = (body: object, name = `int.${newId()}`, user = owner.admin) =>
  app.as(user).post(`/v1/integrations/${name}`).send(body);
const list = async (query: object, user = owner.admin): Promise<List> =>
  (await app.as(user).get('/v1/integrations').query(query).expect(200)).body as List;
const namesOf = async (query: object, user = owner.admin): Promise<string[]> =>
  (await list(query, user)).items.map(({ name }) => name);

/** Everything that can be declared. */
const FULL = {
  summary: '# What it does\n',
  visibility: 'unlisted',
  target: 'site',
  scopes: ['site:script:inject', 'site:script:cookies'],
  categories: ['analytics', 'other'],
  blocks: [
    {
      id: 'card',
      title: 'Card',
      description: '',
      icon: 'https://example.org/card.svg',
      urlUnfurl: ['https://*.figma.com/file/**'],
      markdown: { codeblock: 'card', body: 'text' },
    },
    { id: 'plain', title: 'Plain' },
  ],
  contentSources: [{ id: 'pages', title: 'Pages', description: 'Made', configuration: { componentId: 'form' } }],
  externalLinks: [{ url: 'https://example.org/', label: 'Home' }],
  configurations: {
    account: {
      properties: {
        key: { type: 'string', title: 'Key', description: 'Of ours', default: 'x', completion_url: '/keys' },
        level: { type: 'string', enum: ['low', 'high'] },
        size: { type: 'number', default: 0.5 },
        on: { type: 'boolean', default: false },
        connect: { type: 'button', callback_url: '/connect', button_text: 'Connect' },
        $where: { type: 'string' },
        'a.b': { type: 'string' },
      },
      required: ['key'],
    },
    space: { componentId: 'space-form' },
    site: { properties: {} },
  },
  contentSecurityPolicy: { 'default-src': "'self'", 'upgrade-insecure-requests': '' },
};

describe('an integration', () => {
  it('is published with everything that it declares, and shown without script and secrets', async () => {
    const name = `Full_-.${newId()}`;
    const root = `http://docs.test/v1/integrations/${name}`;
    const sent = {
      ...least(owner),
      ...FULL,
      organization: owner.hostname,
      icon: base64(png(1, 1)),
      previewImages: [base64(gif(1, 1)), base64(SVG)],
      secrets: { TOKEN: 'very secret' },
      unknown: 1,
      blocks: FULL.blocks.map((block) => ({ ...block, unknown: 1 })),
    };
    const { body } = await send(sent, name).expect(200);
    const file = (ending: string) => expect.stringMatching(new RegExp(`/assets/[0-9a-f]{64}\\.${ending}$`)) as string;
    const organization = (await app.as(owner.admin).get(`/v1/orgs/${owner._id}`).expect(200)).body as object;
    expect(body).toEqual({
      object: 'integration',
      name,
      version: 1,
      title: 'Test',
      description: 'For tests',
      ...FULL,
      previewImages: [file('gif'), file('svg')],
      verified: false,
      owner: organization,
      urls: {
        location: root,
        icon: file('png'),
        app: `http://docs.test/integrations/${name}`,
        assets: `${root}/assets`,
        publicEndpoint: `${root}/script`,
      },
      permissions: { admin: true, install: true },
    });
    expect((await read(name).expect(200)).body).toEqual(body);
  });

  it('has a version of each publication; what is absent goes back to its default, but for the secrets', async () => {
    const { name } = await publish(app, owner, { ...FULL, icon: base64(png(1, 1)), secrets: { key: 'first' } });
    const stored = () => app.connection.collection<{ _id: string }>('integrations').findOne({ _id: name });
    const before = await stored();
    const { body } = await send(least(owner), name).expect(200);
    expect(body).toEqual({
      object: 'integration',
      name,
      version: 2,
      title: 'Test',
      description: 'For tests',
      visibility: 'private',
      target: 'all',
      verified: false,
      scopes: [],
      categories: [],
      blocks: [],
      contentSources: [],
      configurations: {},
      externalLinks: [],
      previewImages: [],
      owner: (body as { owner: object }).owner,
      urls: (body as { urls: object }).urls,
      permissions: { admin: true, install: true },
    });
    expect((body as Shown).urls).not.toHaveProperty('icon');
    expect(before).toHaveProperty('secrets', expect.stringMatching(/^[\w-]{30,}$/));
    expect(await stored()).toMatchObject({ secrets: (before as unknown as { secrets: string }).secrets, version: 2 });
    await send({ ...least(owner), secrets: {} }, name).expect(200);
    expect(await stored()).not.toMatchObject({ secrets: (before as unknown as { secrets: string }).secrets });
  });

  it('belongs to the organization that published it first, and is free again afterwards', async () => {
    const { name } = await publish(app, owner);
    const other = await app.create.organization();
    const { body } = await send(least(other), name, other.admin).expect(409);
    expect(body).toEqual(refusal(409, `The name is taken: another organization publishes "${name}"`));
    expect((await read(name).expect(200)).body).toMatchObject({ version: 1 });
    await app.as(owner.admin).delete(`/v1/integrations/${name}`).expect(204);
    expect((await read(name).expect(404)).body).toEqual(NO_INTEGRATION);
    expect((await app.as(owner.admin).delete(`/v1/integrations/${name}`).expect(404)).body).toEqual(NO_INTEGRATION);
    expect((await send(least(other), name, other.admin).expect(200)).body).toMatchObject({ version: 1 });
  });

  it('is published by administrators, for organizations that they belong to', async () => {
    const other = await app.create.organization();
    const member = await app.create.user({ in: owner, role: 'create' });
    expect((await send(least(owner), undefined, member).expect(403)).body).toEqual(
      refusal(403, 'organization: this takes an administrator of the organization'),
    );
    for (const organization of [other._id, other.hostname, 'nobody-at-all', '..', '$where']) {
      const { body } = await send({ ...least(owner), organization }).expect(400);
      expect(body).toEqual(refusal(400, 'organization must name an organization that you belong to'));
    }
    await app.anonymous().post('/v1/integrations/int').send(least(owner)).expect(401);
  });

  it.each(['%2e%2e', '.', 'a b', 'a%2fb', 'é', 'x'.repeat(101), '%24where'])('is not called %s', async (name) => {
    const { status, body } = await app.as(owner.admin).post(`/v1/integrations/${name}`).send(least(owner));
    // a path that ends with dots alone is another path
    expect([400, 404]).toContain(status);
    if (status === 400) expect(body).toEqual(refusal(400, expect.stringMatching(/^integrationName must be/)));
    const answer = await app.as(owner.admin).get(`/v1/integrations/${name}/installations`);
    expect(answer.status).toBe(404);
  });

  it('that is public or unlisted is read by everybody, a private one by members of its owner', async () => {
    const stranger = await app.create.user();
    const other = await app.create.organization();
    const guest = await app.create.user({ in: owner, role: null });
    for (const [visibility, seen] of [
      ['public', true],
      ['unlisted', true],
      ['private', false],
    ] as const) {
      const { name } = await publish(app, owner, { visibility });
      expect((await read(name, guest).expect(200)).body).toMatchObject({
        permissions: { admin: false, install: false },
      });
      for (const [user, mayInstall] of [[stranger, false] as const, [other.admin, true] as const]) {
        const { status, body } = await read(name, user);
        expect(status).toBe(seen ? 200 : 404);
        expect(body).toEqual(
          seen
            ? expect.objectContaining({ permissions: { admin: false, install: mayInstall }, visibility })
            : NO_INTEGRATION,
        );
        const removal = await app.as(user).delete(`/v1/integrations/${name}`);
        expect(removal.status).toBe(seen ? 403 : 404);
      }
      await app.anonymous().get(`/v1/integrations/${name}`).expect(401);
    }
  });
});

describe('what is published', () => {
  const property = (value: object) => ({ configurations: { account: { properties: { key: value } } } });
  it.each([
    [{ title: undefined }, 'title must be a string'],
    [{ title: 'x' }, 'title must be 2 to 30 characters long'],
    [{ description: undefined }, 'description must be a string'],
    [{ description: 'x'.repeat(101) }, 'description must be 0 to 100'],
    [{ summary: 'x'.repeat(2049) }, 'summary must be 0 to 2048'],
    [{ summary: null }, 'summary must be a string'],
    [{ script: undefined }, 'script must be a string'],
    [{ script: '' }, 'script must be 1 to'],
    [{ organization: undefined }, 'organization must be a string'],
    [{ visibility: 'secret' }, 'visibility must be one of: public, private, unlisted'],
    [{ target: null }, 'target must be one of: all, site, space, organization'],
    [{ scopes: ['space:everything'] }, 'scopes must be some of: '],
    [{ scopes: 'space:views:read' }, 'scopes must be some of: '],
    [{ categories: ['none'] }, 'categories must be some of: '],
    [{ blocks: [{ id: '', title: 'Card' }] }, 'blocks.0.id must be 1 to'],
    [{ blocks: [{ id: 'a', title: 'C' }] }, 'blocks.0.title must be 2 to 40'],
    [{ blocks: [{ id: 'a', title: 'Card', description: 'x'.repeat(151) }] }, 'blocks.0.description must be 0 to 150'],
    [{ blocks: [{ id: 'a', title: 'Card', urlUnfurl: [5] }] }, 'blocks.0.urlUnfurl.0 must be a string'],
    [{ blocks: [{ id: 'a', title: 'Card', markdown: { codeblock: 'a' } }] }, 'blocks.0.markdown.body must be a string'],
    [{ blocks: [null] }, 'blocks.0 must be an object'],
    [{ blocks: [{ id: 'a', title: 'Card' }, []] }, 'blocks.1 must be an object'],
    [{ blocks: {} }, 'blocks must be an array'],
    [{ blocks: Array.from({ length: 51 }, () => ({ id: 'a', title: 'Card' })) }, 'blocks must contain no more than'],
    [{ contentSources: [{ id: 'a', title: 'Card' }] }, 'contentSources.0.configuration must be an object'],
    [
      { contentSources: [{ id: 'a', title: 'Card', configuration: { componentId: '' } }] },
      'contentSources.0.configuration.componentId must be 1 to',
    ],
    [{ externalLinks: Array.from({ length: 6 }, () => ({ url: 'https://a.test', label: '' })) }, 'externalLinks must'],
    [{ externalLinks: [{ url: 'javascript:alert(1)', label: '' }] }, 'externalLinks.0.url must be an absolute http'],
    [{ externalLinks: [{ url: 'https://example.org' }] }, 'externalLinks.0.label must be a string'],
    [{ configurations: [] }, 'configurations must be an object'],
    [{ configurations: { account: {} } }, 'configurations.account must have properties or componentId'],
    [
      { configurations: { site: { componentId: 'a', properties: {} } } },
      'configurations.site must have properties or componentId, not both',
    ],
    [{ configurations: { space: { componentId: '' } } }, 'configurations.space.componentId must be 1 to'],
    [property({ type: 'date' }), 'configurations.account.properties.key.type must be one of: string, number'],
    [
      property({ type: 'string', title: 'x'.repeat(31) }),
      'configurations.account.properties.key.title must be 0 to 30',
    ],
    [property({ type: 'string', default: 5 }), 'configurations.account.properties.key.default must be a string'],
    [property({ type: 'number', default: '5' }), 'configurations.account.properties.key.default must be a number'],
    [property({ type: 'boolean', default: 0 }), 'configurations.account.properties.key.default must be true or false'],
    [property({ type: 'button', button_text: 'a' }), 'configurations.account.properties.key.callback_url must be a'],
    [property({ type: 'string', enum: 'a' }), 'configurations.account.properties.key.enum must be a list of strings'],
    [
      { configurations: { account: { properties: { a: { type: 'string' } }, required: ['a', 'a'] } } },
      'configurations.account.required must name each property once',
    ],
    [
      { configurations: { account: { properties: {}, required: ['b'] } } },
      'configurations.account.required must name properties that are declared, not b',
    ],
    [{ icon: 'not base64!' }, 'icon must be base64'],
    [{ icon: base64('text') }, 'icon must be an image: PNG, JPEG, GIF, WebP or SVG'],
    [{ icon: base64('<html><svg></svg></html>') }, 'icon must be an image: '],
    [{ icon: base64(Buffer.concat([png(1, 1), Buffer.alloc(1024 * 1024)])) }, 'icon must be an image of at most 1 MB'],
    [{ previewImages: [base64(png(1, 1)), ''] }, 'previewImages.1 must be base64'],
    [{ previewImages: Array.from({ length: 4 }, () => base64(png(1, 1))) }, 'previewImages must be at most 3 images'],
    [{ secrets: { a: 5 } }, 'secrets.a must be a string'],
    [{ secrets: 'a' }, 'secrets must be an object'],
    [
      { secrets: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${String(at)}`, ''])) },
      'secrets must have at most 20 entries',
    ],
    [{ contentSecurityPolicy: 'a\r\nSet-Cookie: b' }, 'contentSecurityPolicy must be made of printable ASCII'],
    [{ contentSecurityPolicy: { 'script-source': 'a' } }, 'contentSecurityPolicy.script-source is no directive'],
    [{ contentSecurityPolicy: { 'script-src': 'a; sandbox' } }, 'contentSecurityPolicy.script-src must hold no ";"'],
    [{ contentSecurityPolicy: { sandbox: 5 } }, 'contentSecurityPolicy.sandbox must be a string'],
    [{ contentSecurityPolicy: null }, 'contentSecurityPolicy must be'],
  ])('is refused by name: %#', async (change, message) => {
    const name = `int.${newId()}`;
    const { body } = await send({ ...least(owner), ...change }, name).expect(400);
    const { error } = body as { error: { message: string } };
    expect(error.message.slice(0, message.length)).toBe(message);
    await read(name).expect(404);
  });

  it('is refused where it declares too much together', async () => {
    const blocks = Array.from({ length: 2 }, () => ({
      id: 'a',
      title: 'Card',
      urlUnfurl: Array.from({ length: 50 }, () => `https://${'x'.repeat(2000)}`),
    }));
    const { body } = await send({ ...least(owner), blocks }).expect(400);
    expect(body).toEqual(refusal(400, expect.stringMatching(/must be at most 131072 bytes of JSON together$/)));
  });

  it('keeps names as they are, whatever they mean elsewhere', async () => {
    const properties = { '': undefined, $set: { type: 'string' }, 'x.y': { type: 'number' } };
    const configurations = { account: { properties: { $set: properties.$set, 'x.y': properties['x.y'] } } };
    const { name } = await publish(app, owner, { configurations });
    expect((await read(name).expect(200)).body).toMatchObject({ configurations });
  });
});

describe('the list of integrations', () => {
  it('has the public ones and all of the own organizations, newest first, page by page', async () => {
    const title = `T${newId().slice(0, 12)}`;
    const other = await app.create.organization();
    const [shared, own, unlisted] = [
      await publish(app, other, { title, visibility: 'public' }),
      await publish(app, owner, { title }),
      await publish(app, owner, { title, visibility: 'unlisted' }),
    ];
    const hidden = [
      await publish(app, other, { title }),
      await publish(app, other, { title, visibility: 'unlisted' }),
    ].map(({ name }) => name);
    expect(await namesOf({ search: title })).toEqual([unlisted.name, own.name, shared.name]);
    expect(await namesOf({ search: title }, await app.create.user())).toEqual([shared.name]);
    expect(await namesOf({ search: title }, other.admin)).toEqual([...hidden.reverse(), shared.name]);
    const walked: string[] = [];
    for (let page: string | undefined, first = true; first || page !== undefined; first = false) {
      const part = await list({ search: title, limit: 1, page });
      expect(part.count).toBe(3);
      walked.push(...part.items.map(({ name }) => name));
      page = part.next?.page;
    }
    expect(walked).toEqual([unlisted.name, own.name, shared.name]);
    const [shown] = (await list({ search: title })).items;
    expect(shown).toEqual((await read(unlisted.name).expect(200)).body);
    const { next } = await list({ search: title, limit: 1 });
    await app.as(owner.admin).get('/v1/integrations').query({ limit: 1, page: next?.page }).expect(400);
  });

  it('is narrowed by everything that is asked for, together', async () => {
    const card = { id: 'card', title: 'Card', urlUnfurl: ['https://gist.github.com/**', 'https://*.figma.com/*'] };
    const pages = { id: 'pages', title: 'Pages', configuration: { componentId: 'form' } };
    const one = await publish(app, owner, { title: 'Straße', categories: ['analytics'], blocks: [card] });
    const two = await publish(app, owner, { categories: ['other', 'content'], contentSources: [pages] });
    const three = await publish(app, owner, { visibility: 'public', categories: ['analytics'] });
    const both = { owner: owner._id };
    expect(await namesOf(both)).toEqual([three.name, two.name, one.name]);
    expect(await namesOf({ ...both, search: 'STRASSE' })).toEqual([one.name]);
    expect(await namesOf({ ...both, search: two.name.toUpperCase() })).toEqual([two.name]);
    expect(await namesOf({ ...both, search: '.*' })).toEqual([]);
    expect(await namesOf({ ...both, category: 'analytics' })).toEqual([three.name, one.name]);
    expect(await namesOf({ ...both, blocks: true })).toEqual([one.name]);
    expect(await namesOf({ ...both, blocks: false })).toEqual([three.name, two.name]);
    expect(await namesOf({ ...both, contentSources: true })).toEqual([two.name]);
    for (const blockDomain of ['github.com', 'gist.github.com', 'GitHub.com', 'figma.com', 'www.figma.com']) {
      expect([blockDomain, await namesOf({ ...both, blockDomain })]).toEqual([blockDomain, [one.name]]);
    }
    for (const blockDomain of ['com', 'hub.com', 'www.github.com', 'example.org']) {
      expect([blockDomain, await namesOf({ ...both, blockDomain })]).toEqual([blockDomain, []]);
    }
    expect(await namesOf({ ...both, category: 'analytics', blocks: true, search: 'stra' })).toEqual([one.name]);
    expect(await namesOf(both, await app.create.user())).toEqual([three.name]);
    expect(await namesOf({ owner: 'nobody' })).toEqual([]);
  });

  it.each([
    ['category', 'none', /^category must be one of/],
    ['blocks', 'yes', /^blocks must be true or false/],
    ['contentSources', '1', /^contentSources must be true or false/],
    ['blockDomain', 'a b', /^blockDomain must be/],
    ['blockDomain', 'x'.repeat(101), /^blockDomain must be/],
    ['limit', '1001', /^limit must be/],
    ['page', 'elsewhere', /^page is not a page of this list/],
  ])('refuses %s=%s', async (name, value, message) => {
    const { body } = await app
      .as(owner.admin)
      .get('/v1/integrations')
      .query({ [name]: value })
      .expect(400);
    expect(body).toEqual(refusal(400, expect.stringMatching(message)));
    await app.anonymous().get('/v1/integrations').expect(401);
  });
});

it('everything stored agrees', async () => {
  const { name } = await publish(app, owner, { visibility: 'public' });
  const other = await app.create.organization();
  const at = await install(app, other, name);
  const space = await app.create.space({ organization: other });
  await app.as(other.admin).post(`${at}/spaces`).send({ space: space._id }).expect(201);
  const all = app.nest.get(Invariants, { strict: false }).entries();
  const found: string[] = [];
  for (const [, find] of all) for await (const { where, what } of find()) found.push(`${where}: ${what}`);
  expect(found).toEqual([]);
});
