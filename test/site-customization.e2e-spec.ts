import type { TestApp } from './support/app.js';
import { colors, images, initialCustomization, MISTAKES, url } from './support/customizations.js';
import { Editing } from './support/editing.js';
import type { TestUser } from './support/factories.js';
import { givenOrganization, type GivenOrganization } from './support/given.js';

const NOWHERE = 'AAAAAAAAAAAAAAAAAAAA';
const refusal = (code: number, message: unknown): object => ({ error: { code, message } });

describe('the customization of a site', () => {
  let app: TestApp;
  let organization: GivenOrganization['organization'];
  let admin: TestUser;
  let spaces: { _id: string }[];
  let site: Awaited<ReturnType<TestApp['create']['site']>>;

  givenOrganization(async (given) => {
    ({ app, organization, admin } = given);
    spaces = [await app.create.space({ organization }), await app.create.space({ organization, title: 'Old' })];
    site = await app.create.site({ organization, title: 'Guide', spaces });
  });

  const path = (below = '') => `/v1/orgs/${organization._id}/sites/${site._id}${below}`;
  const get = (below: string, user = admin) => app.as(user).get(path(below));
  const put = (body: unknown, user = admin) =>
    app
      .as(user)
      .put(path('/customization'))
      .send(body as object);
  const settings = async (): Promise<unknown> => (await get('/customization').expect(200)).body;
  const siteSpaces = async (): Promise<string[]> => {
    const { body } = await get('/site-spaces').expect(200);
    return (body as { items: { id: string }[] }).items.map(({ id }) => id);
  };
  const own = (id: string) => path(`/site-spaces/${id}/customization`);
  const patch = (id: string, body: unknown) =>
    app
      .as(admin)
      .patch(own(id))
      .send(body as object);
  const siteView = async () =>
    (await get('').expect(200)).body as { icon: unknown; features: { id: string }[]; title: string };
  const version = async (): Promise<number> => {
    const record = await app.connection
      .collection<{ _id: string; version: number }>('sites')
      .findOne({ _id: site._id });
    return record?.version ?? 0;
  };

  it('has a value for everything before anybody has set anything, its title that of the site', async () => {
    expect(await settings()).toEqual(initialCustomization('Guide'));
    await app.as(admin).patch(path()).send({ title: 'Handbook' }).expect(200);
    expect(await settings()).toEqual(initialCustomization('Handbook'));
  });

  it('is set as a whole, and what is left out takes its default', async () => {
    const before = await version();
    const [space = { _id: '' }] = spaces;
    const page = await new Editing(app, admin, space._id).add('Start', { document: { markdown: '# First\n\ntext\n' } });
    const to = { kind: 'page', page };
    const whole = {
      title: 'Ours',
      styling: {
        ...initialCustomization('').styling,
        theme: 'bold',
        primaryColor: colors,
        tint: { color: colors },
        font: 'RobotoSlab',
        sidebar: { background: 'filled', list: 'line' },
      },
      internationalization: { locale: 'pt-br' },
      favicon: { emoji: '1f600' },
      header: {
        preset: 'none',
        logo: images,
        backgroundColor: colors,
        linkColor: colors,
        links: [
          { title: 'Start', style: 'button-primary', to, links: [], condition: 'visitor.claims.plan === "gold"' },
          {
            title: 'More',
            to: null,
            links: [{ title: 'First', to: { kind: 'anchor', page, anchor: 'first', space: space._id } }],
          },
          { title: 'Space', to: { kind: 'space', space: spaces[1]?._id }, links: [{ title: '', to: url }] },
        ],
      },
      footer: {
        logo: images,
        groups: [{ title: 'People', links: [{ title: 'Ann', to: { kind: 'user', user: admin._id } }] }],
        copyright: '© us',
      },
      announcement: { enabled: true, message: 'New!', style: 'info', link: { title: 'See', to: url } },
      themes: { default: 'dark', toggeable: false },
      pdf: { enabled: false },
      feedback: { enabled: true },
      pagination: { enabled: false },
      trademark: { enabled: true },
      advancedCustomization: { enabled: true },
      ai: { mode: 'search' },
      git: { showEditLink: true },
      pageActions: { externalAI: false, markdown: false },
      externalLinks: { target: 'blank' },
      privacyPolicy: { url: 'https://example.org/privacy' },
      socialPreview: { url: 'https://example.org/preview.png' },
      insights: { trackingCookie: false },
    };
    expect((await put(whole).expect(200)).body).toEqual(whole);
    expect(await settings()).toEqual(whole);
    expect(await version()).toBe(before + 1);
    const { body } = await put({ styling: { theme: 'muted' }, header: { links: [{ title: 'A', to: null }] } }).expect(
      200,
    );
    const muted = initialCustomization('Guide');
    muted.styling.theme = 'muted';
    muted.header.links = [{ title: 'A', to: null, links: [] }];
    expect([body, await settings()]).toEqual([muted, muted]);
    expect((await put({}).expect(200)).body).toEqual(initialCustomization('Guide'));
    expect(await settings()).toEqual(initialCustomization('Guide'));
  });

  it('makes the icon of the site', async () => {
    const shown: unknown[] = [(await siteView()).icon];
    for (const favicon of [{ icon: images }, { emoji: '📘' }, {}]) {
      await put({ favicon }).expect(200);
      shown.push((await siteView()).icon);
    }
    expect(shown).toEqual([null, { icon: images }, { emoji: '📘' }, null]);
  });

  it('drops what it does not know, and refuses what is not what it must be, by its place', async () => {
    const { body } = await put({ nothing: 1, styling: { theme: 'bold', shape: 'round' }, favicon: { svg: '' } }).expect(
      200,
    );
    expect(body).toEqual({
      ...initialCustomization('Guide'),
      styling: { ...initialCustomization('').styling, theme: 'bold' },
    });
    for (const [given, message] of MISTAKES) {
      const { body: told } = await put(given).expect(400);
      const text = typeof message === 'string' ? message : (expect.stringMatching(message) as string);
      expect([given, told]).toEqual([given, refusal(400, text)]);
    }
    const long = { title: 'x'.repeat(64), to: { kind: 'url', url: `https://example.org/${'x'.repeat(1900)}` } };
    const { body: told } = await put({ footer: { groups: [{ title: '', links: Array(20).fill(long) }] } }).expect(400);
    expect(told).toEqual(refusal(400, 'The settings must be at most 32768 bytes of JSON'));
    expect(await settings()).toEqual(body);
  });

  it('refers only to what is there for who sets it', async () => {
    const foreign = await app.create.space();
    const [space = { _id: '' }] = spaces;
    const page = await new Editing(app, admin, space._id).add('Start');
    const gone: [object, string][] = [
      [{ kind: 'page', page: NOWHERE }, 'page'],
      [{ kind: 'page', page, space: spaces[1]?._id }, 'page'],
      [{ kind: 'anchor', page, anchor: 'nowhere' }, 'anchor'],
      [{ kind: 'file', file: NOWHERE }, 'file'],
      [{ kind: 'space', space: foreign._id }, 'space'],
      [{ kind: 'user', user: foreign.admin._id }, 'user'],
      [{ kind: 'collection', collection: NOWHERE }, 'collection'],
      [{ kind: 'reusable-content', reusableContent: NOWHERE }, 'reusable-content'],
      [{ kind: 'openapi', spec: 'pets' }, 'openapi'],
    ];
    const described = async ({ admin: by, _id }: GivenOrganization['organization']): Promise<void> => {
      const source = { text: '{}' };
      await app.as(by).put(`/v1/orgs/${_id}/openapi/pets`).send({ source }).expect(200);
    };
    await described(await app.create.organization());
    for (const [to, kind] of gone) {
      const links = [
        { title: 'A', to: url, links: [] },
        { title: 'B', to: null, links: [{ title: 'C', to }] },
      ];
      const { body } = await put({ header: { links } }).expect(400);
      const message = expect.stringMatching(
        new RegExp(`^header\\.links\\.1\\.links\\.0\\.to names no ${kind} that is there for you`),
      ) as string;
      expect([to, body]).toEqual([to, refusal(400, message)]);
    }
    expect(await settings()).toEqual(initialCustomization('Guide'));
    await described(organization);
    const specLink = { title: 'API', to: { kind: 'openapi', spec: 'pets' }, links: [] };
    await put({ header: { links: [specLink] } }).expect(200);
    await put({
      announcement: { enabled: true, message: 'Hi', style: 'info', link: { title: 'A', to: { kind: 'page', page } } },
    }).expect(200);
  });

  it('is read by members and set by those who manage sites', async () => {
    const reader = await app.create.user({ in: organization });
    const guest = await app.create.user({ in: organization, role: null });
    const creator = await app.create.user({ in: organization, role: 'create' });
    expect((await get('/customization', reader).expect(200)).body).toEqual(initialCustomization('Guide'));
    await put({}, reader).expect(403);
    await put({ title: 5 }, reader).expect(403);
    expect((await get('/customization', guest).expect(404)).body).toEqual(refusal(404, 'Site not found'));
    await get('/customization', await app.create.user()).expect(404);
    await app.anonymous().get(path('/customization')).expect(401);
    await put({ title: 'Theirs' }, creator).expect(200);
  });

  it('is overridden for a site-space, part by part', async () => {
    const [first = '', second = ''] = await siteSpaces();
    await put({ styling: { theme: 'bold', corners: 'circular' }, header: { logo: images } }).expect(200);
    const below = (await settings()) as ReturnType<typeof initialCustomization>;
    expect((await app.as(admin).get(own(second)).expect(200)).body).toEqual({ ...below, hasOverrides: false });
    const { body } = await patch(second, {
      title: 'Old guide',
      styling: { theme: 'muted', sidebar: { list: 'pill' } },
      internationalization: { locale: 'fr' },
      announcement: { enabled: true, message: 'Old', style: 'warning' },
    }).expect(200);
    const above = {
      ...below,
      title: 'Old guide',
      styling: { ...below.styling, theme: 'muted', sidebar: { background: 'default', list: 'pill' } },
      internationalization: { locale: 'fr' },
      announcement: { enabled: true, message: 'Old', style: 'warning' },
      hasOverrides: true,
    };
    expect(body).toEqual(above);
    expect((await patch(second, {}).expect(200)).body).toEqual(above);
    expect((await siteView()).features.map(({ id }) => id)).toContain('sites-advanced-customization');
    // the site goes on deciding what is not overridden
    await put({ styling: { theme: 'gradient', corners: 'straight' } }).expect(200);
    expect((await app.as(admin).get(own(second)).expect(200)).body).toMatchObject({
      styling: { theme: 'muted', corners: 'straight' },
      title: 'Old guide',
      hasOverrides: true,
    });
    expect((await app.as(admin).get(own(first)).expect(200)).body).toMatchObject({
      styling: { theme: 'gradient' },
      hasOverrides: false,
    });
    const reset = { title: null, styling: { theme: null, sidebar: { list: null } }, announcement: null };
    const { body: partly } = await patch(second, reset).expect(200);
    expect(partly).toEqual({
      ...((await settings()) as object),
      internationalization: { locale: 'fr' },
      hasOverrides: true,
    });
    const { body: none } = await patch(second, { internationalization: { locale: null }, favicon: null }).expect(200);
    expect(none).toEqual({ ...((await settings()) as object), hasOverrides: false });
    expect((await siteView()).features.map(({ id }) => id)).not.toContain('sites-advanced-customization');
  });

  it('loses its overrides, which may not be there, and those of a site-space that is taken off', async () => {
    const [first = '', second = ''] = await siteSpaces();
    await patch(first, { title: 'One' }).expect(200);
    await patch(second, { title: 'Two' }).expect(200);
    const before = await version();
    await app.as(admin).delete(own(first)).expect(205);
    expect(await version()).toBe(before + 1);
    const events = `/v1/orgs/${organization._id}/audit-events`;
    const { body: told } = await app.as(admin).get(events).query({ limit: 1 }).expect(200);
    expect(told).toMatchObject({
      items: [
        {
          action: 'site-space.customize',
          resource: { object: 'site-space', id: first },
          changes: { title: { before: 'One' } },
        },
      ],
    });
    await app.as(admin).delete(own(first)).expect(205);
    expect(await version()).toBe(before + 1);
    expect((await app.as(admin).get(own(first)).expect(200)).body).toEqual({
      ...initialCustomization('Guide'),
      hasOverrides: false,
    });
    const records = app.connection.collection('site_customizations');
    expect(await records.countDocuments({ site: site._id })).toBe(1);
    await app
      .as(admin)
      .delete(path(`/site-spaces/${second}`))
      .expect(205);
    expect(await records.countDocuments({ site: site._id })).toBe(0);
    await put({}).expect(200);
    await app.as(admin).delete(path()).expect(205);
    expect(await records.countDocuments({ site: site._id })).toBe(0);
  });

  it('names the site-space that is not there, and what is wrong with overrides', async () => {
    const [first = ''] = await siteSpaces();
    const missing = refusal(404, 'Site-space not found');
    for (const id of [NOWHERE, 'no id!', site._id]) {
      expect(
        (
          await app
            .as(admin)
            .get(own(encodeURIComponent(id)))
            .expect(404)
        ).body,
      ).toEqual(missing);
      expect((await patch(encodeURIComponent(id), { title: 'Old' }).expect(404)).body).toEqual(missing);
      expect(
        (
          await app
            .as(admin)
            .delete(own(encodeURIComponent(id)))
            .expect(404)
        ).body,
      ).toEqual(missing);
    }
    for (const [given, message] of [
      [{ styling: null }, 'styling must be an object'],
      [{ styling: { primaryColor: { light: null, dark: '#fff' } } }, /^styling\.primaryColor\.light must be a colour/],
      [
        { header: { links: [{ title: 'A', to: { kind: 'page', page: NOWHERE }, links: [] }] } },
        /^header\.links\.0\.to names no page/,
      ],
    ] as const) {
      const { body } = await patch(first, given).expect(400);
      expect(body).toEqual(
        refusal(400, typeof message === 'string' ? message : (expect.stringMatching(message) as string)),
      );
    }
    await app
      .as(admin)
      .delete(`/v1/spaces/${spaces[1]?._id ?? ''}`)
      .expect(205);
    const second = site.structure.siteSpaces[1]?.id ?? '';
    expect((await app.as(admin).get(own(second)).expect(404)).body).toEqual(missing);
  });

  it('keeps every override when they are set at the same moment', async () => {
    const [first = '', second = ''] = await siteSpaces();
    const changes = [
      { title: 'One' },
      { pdf: { enabled: false } },
      { ai: { mode: 'search' } },
      { themes: { default: 'dark' } },
    ];
    const sent = await Promise.all([...changes.map((change) => patch(first, change)), patch(second, { title: 'Two' })]);
    const done = changes.filter((_change, index) => sent[index]?.status === 200);
    expect(sent.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect((await app.as(admin).get(own(first)).expect(200)).body).toMatchObject(Object.assign({}, ...done) as object);
  });
});
