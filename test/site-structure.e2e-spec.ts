import { givenSite, type List, type SectionBody, type SiteSpaceBody } from './support/site-building.js';

const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const refusal = (code: number, message: unknown): object => ({ error: { code, message } });
const NOWHERE = 'AAAAAAAAAAAAAAAAAAAA';

describe('the structure of sites', () => {
  const given = givenSite();
  const { at, space, post, patch, get, put, cut, group, outline, reading, besideSpace } = given;

  describe('site-spaces', () => {
    it('stand at the root of a site without sections', async () => {
      const spaceId = await space('Guide');
      const made = await post('/site-spaces', { spaceId }).expect(201);
      const guide = made.body as SiteSpaceBody;
      const { body: whole } = await given.app.as(given.admin).get(`/v1/spaces/${spaceId}`).expect(200);
      expect(guide).toEqual({
        object: 'site-space',
        id: ID,
        title: 'Guide',
        path: 'guide',
        space: whole as object,
        default: true,
        hasAdvancedCustomizationFeature: false,
        urls: {},
      });
      expect(made.headers.location).toBe(`http://docs.test${at(`/site-spaces/${guide.id}`)}`);
      const api = await put('API');
      expect(await get('/site-spaces')).toEqual({ count: 2, items: [guide, api] });
      expect(await get('/site-spaces', { default: true })).toEqual({ count: 1, items: [guide] });
      expect(await get('/site-spaces', { default: false })).toEqual({ count: 1, items: [api] });
      expect(await get('/structure')).toEqual({ type: 'siteSpaces', structure: [guide, api] });
      await given.app.as(given.admin).get(at('/site-spaces')).query({ default: 'yes' }).expect(400);
      await post('/publish').expect(200);
      const base = `http://docs.test/published/${given.organization.hostname}/docs`;
      const { items } = await get<List<SiteSpaceBody>>('/site-spaces');
      expect(items.map(({ urls }) => urls)).toEqual([{ published: base }, { published: `${base}/api` }]);
    });

    it('take only spaces that may be put there, once', async () => {
      const guide = await put('Guide');
      const spaceId = guide.space.id;
      const creator = await given.app.create.user({ in: given.organization, role: 'create' });
      const low = await given.app.create.space({ organization: given.organization, defaultLevel: 'review' });
      const hidden = await given.app.create.space({ organization: given.organization, defaultLevel: null });
      const { _id: strange } = await given.app.create.space();
      const { body } = await post('/site-spaces', { spaceId }).expect(409);
      expect(body).toEqual(refusal(409, 'The space is in this place already: it can stand there once'));
      for (const id of [NOWHERE, strange, hidden._id, '$gt'])
        await post('/site-spaces', { spaceId: id }, creator).expect(400);
      await post('/site-spaces', { spaceId: low._id }, creator).expect(403);
      await post('/site-spaces', { spaceId: low._id, sectionId: NOWHERE }).expect(400);
      for (const bad of [{}, { spaceId: 5 }, { spaceId: low._id, sectionId: null }])
        await post('/site-spaces', bad).expect(400);
      await given.app.as(given.admin).delete(`/v1/spaces/${low._id}`).expect(205);
      await post('/site-spaces', { spaceId: low._id }).expect(400);
      expect(await outline()).toBe('Guide*');
    });

    it('change path and condition', async () => {
      const [guide, api] = [await put('Guide'), await put('API')];
      const condition = 'visitor.claims.unsigned.beta == true';
      const changed = await patch(`/site-spaces/${api.id}`, { path: 'api_v1.2', condition }).expect(200);
      expect(changed.body).toEqual({ ...api, path: 'api_v1.2', condition });
      expect((await patch(`/site-spaces/${api.id}`, { path: 'api' }).expect(200)).body).toEqual({ ...api, condition });
      expect((await patch(`/site-spaces/${api.id}`, { condition: null }).expect(200)).body).toEqual(api);
      expect((await patch(`/site-spaces/${api.id}`, {}).expect(200)).body).toEqual(api);
      const { body } = await patch(`/site-spaces/${api.id}`, { path: 'guide' }).expect(409);
      expect(body).toEqual(refusal(409, 'path is taken: something else on this level is at "guide"'));
      for (const path of [
        '',
        'A',
        'a b',
        'a/b',
        'a--b',
        '~',
        'v',
        'robots.txt',
        'sitemap-pages.xml',
        'x'.repeat(101),
        null,
      ])
        await patch(`/site-spaces/${api.id}`, { path }).expect(400);
      for (const bad of ['', 'x'.repeat(1025), 'visitor.claims.a(', 'while (true) {}', 5]) {
        const refused = await patch(`/site-spaces/${api.id}`, { condition: bad }).expect(400);
        expect((refused.body as { error: { message: string } }).error.message).toContain('condition');
      }
      await patch(`/site-spaces/${NOWHERE}`, { path: 'x' }).expect(404, refusal(404, 'Site-space not found'));
      expect(await get('/site-spaces')).toEqual({ count: 2, items: [guide, api] });
    });

    it('move, also between sections, where their space does not stand yet', async () => {
      const guide = await cut('Guide');
      const api = await cut('API');
      const more = await put('More', guide.id);
      expect(await outline()).toBe('Guide*(Guide* More) API(API*)');
      const moved = await post(`/site-spaces/${more.id}/move`, {
        position: { before: besideSpace(api.siteSpaces[0] ?? more) },
      }).expect(200);
      expect(moved.body).toEqual({ ...more, section: api.id });
      expect(await outline()).toBe('Guide*(Guide*) API(More API*)');
      await post(`/site-spaces/${more.id}/move`).expect(200);
      expect(await outline()).toBe('Guide*(Guide*) API(API* More)');
      await post(`/site-spaces/${more.id}/move`, { position: {} }).expect(200);
      const twice = await post('/site-spaces', { spaceId: more.space.id, sectionId: guide.id }).expect(201);
      const position = { after: besideSpace(more) };
      await post(`/site-spaces/${(twice.body as SiteSpaceBody).id}/move`, { position }).expect(409);
      const bad = [
        ...[besideSpace(more), { type: 'site-space', siteSpace: NOWHERE }, { type: 'site-section', siteSpace: api.id }],
        ...[{ type: 'site-space' }, null, 'first'],
      ];
      for (const after of bad) await post(`/site-spaces/${more.id}/move`, { position: { after } }).expect(400);
      await post(`/site-spaces/${more.id}/move`, { position: null }).expect(400);
      await post(`/site-spaces/${NOWHERE}/move`).expect(404);
    });

    it('go, and hand on what they were', async () => {
      const [guide, api] = [await put('Guide'), await put('API')];
      expect((await patch('', { defaultSiteSpace: api.id }).expect(200)).body).toMatchObject({ siteSpaces: 2 });
      expect(await outline()).toBe('Guide API*');
      await given.app
        .as(given.admin)
        .delete(at(`/site-spaces/${api.id}`))
        .expect(205);
      await given.app
        .as(given.admin)
        .delete(at(`/site-spaces/${api.id}`))
        .expect(404);
      expect(await outline()).toBe('Guide*');
      await given.app.as(given.admin).get(`/v1/spaces/${api.space.id}`).expect(200);
      await given.app
        .as(given.admin)
        .delete(at(`/site-spaces/${guide.id}`))
        .expect(205);
      expect(await get('/structure')).toEqual({ type: 'siteSpaces', structure: [] });
    });

    it('are not there while their space is in the trash', async () => {
      const [guide, api] = [await put('Guide'), await put('API')];
      await given.app.as(given.admin).delete(`/v1/spaces/${guide.space.id}`).expect(205);
      expect(await outline()).toBe('API*');
      await patch(`/site-spaces/${guide.id}`, {}).expect(404);
      await given.app
        .as(given.admin)
        .delete(at(`/site-spaces/${guide.id}`))
        .expect(404);
      await post(`/site-spaces/${api.id}/move`, { position: { before: besideSpace(guide) } }).expect(400);
      await patch('', { defaultSiteSpace: guide.id }).expect(400);
    });
  });

  it('is sorted by one operation for all kinds', async () => {
    const [a, b, c] = [await cut('Aa'), await cut('Bb'), await cut('Cc')];
    const grouped = await group('G', c);
    const sort = (item: unknown, position: unknown) => patch('/structure/sort', { item, position });
    const of = (type: string, { id }: { id: string }) => ({ type, id });
    const section = (one: SectionBody) => of('site-section', one);
    const moved = await sort(section(a), { after: section(b) }).expect(200);
    expect(moved.body).toEqual({ ...a, default: true });
    expect(await reading()).toBe('Bb Aa G/Cc');
    expect((await sort(of('site-section-group', grouped), { before: section(b) }).expect(200)).body).toEqual(grouped);
    await sort(section(c), { after: of('site-section-group', grouped) }).expect(200);
    expect(await reading()).toBe('Cc Bb Aa');
    const first = a.siteSpaces[0] ?? { id: '' };
    const other = b.siteSpaces[0] ?? { id: '' };
    expect((await sort(of('site-space', first), { before: of('site-space', other) }).expect(200)).body).toMatchObject({
      object: 'site-space',
      section: b.id,
    });
    await sort(section(b), undefined).expect(200);
    expect(await reading()).toBe('Cc Aa Bb');
    const bad: [unknown, unknown][] = [
      [of('site-space', first), { before: section(b) }],
      [section(a), { before: of('site-space', other) }],
      [section(a), { before: section(a) }],
      [section(a), null],
      [undefined, {}],
      [of('page', a), {}],
      [of('site-section', { id: NOWHERE }), {}],
      [of('site-space', a), {}],
    ];
    for (const [item, position] of bad) await sort(item, position).expect(400);
  });

  it('loses nothing when several change it at one moment', async () => {
    const spaces = await Promise.all(Array.from({ length: 10 }, (_, index) => space(`Space ${index}`)));
    const [first = '', ...others] = spaces;
    await post('/sections', { spaceId: first }).expect(201);
    const answers = await Promise.all(
      others.map((spaceId, index) => post(index % 2 ? '/sections' : '/site-spaces', { spaceId })),
    );
    const landed = answers.filter(({ status }) => status === 201).map(({ body }) => (body as { id: string }).id);
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(landed.length).toBeGreaterThan(0);
    const { structure } = await get<{ structure: SectionBody[] }>('/structure');
    const ids = structure.flatMap(({ id, siteSpaces }) => [id, ...siteSpaces.map((one) => one.id)]);
    expect(ids).toEqual(expect.arrayContaining(landed));
    expect(await get('')).toMatchObject({ siteSpaces: landed.length + 1 });
    // a space goes to the trash while it is put on the site: it is not there, or not shown
    const spaceId = await space('Late');
    const [added] = await Promise.all([
      post('/site-spaces', { spaceId }),
      given.app.as(given.admin).delete(`/v1/spaces/${spaceId}`).expect(205),
    ]);
    expect([201, 400, 404]).toContain(added.status);
    expect(await get('')).toMatchObject({ siteSpaces: landed.length + 1 });
  });
});
