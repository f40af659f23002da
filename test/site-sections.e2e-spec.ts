import {
  givenSite,
  type GroupBody,
  type List,
  type SectionBody,
  type SiteSpaceBody,
  type Structure,
} from './support/site-building.js';

const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const refusal = (code: number, message: unknown): object => ({ error: { code, message } });
const NOWHERE = 'AAAAAAAAAAAAAAAAAAAA';

describe('sections of sites', () => {
  const given = givenSite();
  const { at, space, post, patch, get, put, cut, group, outline, reading, beside } = given;

  describe('sections', () => {
    it('begin with a space, and take in what stood at the root', async () => {
      const guide = await put('Guide');
      await put('Guide 2');
      const made = await post('/sections', { spaceId: await space('Q'), title: null }).expect(201);
      const section = made.body as SectionBody;
      expect(section).toEqual({
        object: 'site-section',
        id: ID,
        title: 'Section Q',
        default: false,
        path: 'section-q',
        siteSpaces: [expect.objectContaining({ title: 'Q', path: 'q', section: section.id, default: true }) as unknown],
        urls: {},
      });
      expect(made.headers.location).toBe(`http://docs.test${at(`/sections/${section.id}`)}`);
      expect(await outline()).toBe('Guide*(Guide* Guide 2) Section Q(Q*)');
      const { items } = await get<List<SiteSpaceBody>>('/site-spaces');
      expect(items[0]).toEqual({ ...guide, section: expect.any(String) as string });
      // without a section, a space goes to the default one
      expect(await put('Third')).toMatchObject({ section: items[0]?.section });
      expect(await get('')).toMatchObject({
        siteSpaces: 4,
        features: [{ id: 'sites-sections' }, { id: 'sites-multivariant-site' }, { id: 'sites-public-visibility' }],
      });
      await post('/publish').expect(200);
      const base = `http://docs.test/published/${given.organization.hostname}/docs`;
      const { structure } = await get<Structure>('/structure');
      const addresses = structure.flatMap((one) => [one, ...('siteSpaces' in one ? one.siteSpaces : [])]);
      expect(addresses.map(({ urls }) => urls.published?.slice(base.length))).toEqual([
        ...['', '', '/guide-2', '/third'],
        ...['/section-q', '/section-q'],
      ]);
    });

    it('refuse what does not fit', async () => {
      const spaceId = await space('Guide');
      const bad = [
        ...[
          {},
          { spaceId: NOWHERE },
          { spaceId, title: 'a' },
          { spaceId, title: 'x'.repeat(65) },
          { spaceId, title: 5 },
        ],
      ];
      for (const body of bad) await post('/sections', body).expect(400);
      const section = await cut('API');
      const other = await cut('Other');
      const wrong = [
        ...[{ title: 'a' }, { title: null }, { title: 'x'.repeat(129) }, { path: 'A' }, { path: 'v' }, { path: null }],
        ...[{ icon: 'x'.repeat(51) }, { description: 'x'.repeat(257) }, { condition: 'a b' }, { condition: '' }],
        ...[{ defaultSiteSpace: NOWHERE }, { defaultSiteSpace: other.siteSpaces[0]?.id }, { defaultSiteSpace: null }],
      ];
      for (const body of wrong) {
        const { status } = await patch(`/sections/${section.id}`, body);
        expect([body, status]).toEqual([body, 400]);
      }
      await patch(`/sections/${section.id}`, { path: 'other' }).expect(409);
      await patch(`/sections/${NOWHERE}`, {}).expect(404, refusal(404, 'Section not found'));
      expect(await get('/sections')).toEqual({ count: 2, items: [section, other] });
      for (const user of [await given.app.create.user({ in: given.organization, role: 'review' })]) {
        await patch(`/sections/${section.id}`, { title: 5 }, user).expect(403);
        await post('/sections', {}, user).expect(403);
        expect(await get('/sections', {}, user)).toMatchObject({ count: 2 });
      }
    });

    it('change what is sent', async () => {
      const section = await cut('API');
      const second = await put('Second', section.id);
      const changes = {
        ...{ title: 'Reference', path: 'ref', condition: 'true', icon: 'book', description: '' },
        defaultSiteSpace: second.id,
      };
      const { body } = await patch(`/sections/${section.id}`, changes).expect(200);
      const { defaultSiteSpace: _, ...shown } = changes;
      expect(body).toEqual({
        ...{ ...section, ...shown },
        siteSpaces: [
          { ...section.siteSpaces[0], default: false },
          { ...second, default: true },
        ],
      });
      expect((await patch(`/sections/${section.id}`, {}).expect(200)).body).toEqual(body);
      const cleared = { condition: null, icon: null, description: null };
      const { condition: _c, icon: _i, description: _d, ...rest } = body as Record<string, unknown>;
      expect((await patch(`/sections/${section.id}`, cleared).expect(200)).body).toEqual(rest);
    });

    it('are the default one by turns', async () => {
      const [one, two] = [await cut('One'), await cut('Two')];
      expect(await outline()).toBe('One*(One*) Two(Two*)');
      const [first, second] = [one.siteSpaces[0]?.id, two.siteSpaces[0]?.id];
      await patch('', { defaultSiteSpace: second }).expect(400);
      await patch('', { defaultSiteSection: second }).expect(400);
      await patch('', { defaultSiteSection: two.id, defaultSiteSpace: second }).expect(200);
      expect(await outline()).toBe('One(One*) Two*(Two*)');
      await patch('', { defaultSiteSpace: first, title: 'Changed' }).expect(400);
      expect(await get('')).toMatchObject({ title: 'Docs' });
      await given.app
        .as(given.admin)
        .delete(at(`/sections/${two.id}`))
        .expect(205);
      await given.app
        .as(given.admin)
        .delete(at(`/sections/${two.id}`))
        .expect(404);
      expect(await outline()).toBe('One*(One*)');
      await given.app
        .as(given.admin)
        .delete(at(`/site-spaces/${first ?? ''}`))
        .expect(205);
      expect(await outline()).toBe('One*()');
      await given.app
        .as(given.admin)
        .delete(at(`/sections/${one.id}`))
        .expect(205);
      expect(await get('/structure')).toEqual({ type: 'siteSpaces', structure: [] });
      await put('Root');
      expect(await outline()).toBe('Root*');
    });

    it('move beside others, in and out of groups', async () => {
      const [a, b, c] = [await cut('Aa'), await cut('Bb'), await cut('Cc')];
      const grouped = await group('G', c, b);
      expect(await reading()).toBe('Aa G/Cc G/Bb');
      const move = (section: SectionBody, position?: object) =>
        post(`/sections/${section.id}/move`, position ? { position } : {});
      const moved = await move(a, { after: beside(c), before: beside(b) }).expect(200);
      expect(moved.body).toEqual({ ...a, sectionGroup: grouped.id });
      expect(await reading()).toBe('G/Cc G/Aa G/Bb');
      expect(await outline()).toBe('Cc(Cc*) Aa*(Aa*) Bb(Bb*)');
      await move(c).expect(200);
      expect(await reading()).toBe('G/Aa G/Bb G/Cc');
      await given.app
        .as(given.admin)
        .delete(at(`/section-groups/${grouped.id}/sections/${b.id}`))
        .expect(205);
      expect(await reading()).toBe('G/Aa G/Cc Bb');
      await move(a, { before: beside(b) }).expect(200);
      expect(await reading()).toBe('G/Cc Aa Bb');
      await move(b, { after: beside(b) }).expect(400);
      await move(b, { after: beside(a), before: beside(c) }).expect(400);
      await move(b, { after: { type: 'site-section', siteSection: grouped.id } }).expect(400);
      await move(b, { after: { type: 'site-section-group', siteSection: grouped.id } }).expect(400);
      await move(b, { before: 5 }).expect(400);
      await given.app
        .as(given.admin)
        .post(at(`/sections/${b.id}/move`))
        .expect(200);
      await post(`/sections/${NOWHERE}/move`).expect(404);
      expect(await reading()).toBe('G/Cc Aa Bb');
    });

    it('are listed in pages, in their order', async () => {
      for (const title of ['Aa', 'Bb', 'Cc', 'Dd', 'Ee']) await cut(title);
      const titles = ({ items }: List<SectionBody>) => items.map(({ title }) => title);
      const first = await get<List<SectionBody>>('/sections', { limit: 2 });
      expect([first.count, titles(first)]).toEqual([5, ['Aa', 'Bb']]);
      const second = await get<List<SectionBody>>('/sections', { limit: 2, page: first.next?.page });
      const third = await get<List<SectionBody>>('/sections', { limit: 2, page: second.next?.page });
      expect([titles(second), titles(third), third.next]).toEqual([['Cc', 'Dd'], ['Ee'], undefined]);
      expect(await get('/sections', { limit: 0 })).toEqual({ count: 5, items: [] });
      await given.app.as(given.admin).get(at('/site-spaces')).query({ page: first.next?.page }).expect(400);
      const last = first.items[1]?.id ?? '';
      await given.app
        .as(given.admin)
        .delete(at(`/sections/${last}`))
        .expect(205);
      expect(titles(await get('/sections', { page: first.next?.page }))).toEqual(['Cc', 'Dd', 'Ee']);
      await given.app.as(given.admin).get(at('/sections')).query({ limit: -1 }).expect(400);
      const few = await given.app.commandsOf(() => get('/sections', { limit: 1 }));
      const all = await given.app.commandsOf(() => get('/sections'));
      expect(all.length).toBe(few.length);
    });
  });

  describe('section groups', () => {
    it('hold sections, each in one of them at most', async () => {
      const [a, b] = [await cut('Aa'), await cut('Bb')];
      const made = await post('/section-groups', { title: 'G', icon: 'book', sections: [b.id, a.id, b.id] }).expect(
        201,
      );
      const one = made.body as GroupBody;
      expect(one).toEqual({
        object: 'site-section-group',
        id: ID,
        title: 'G',
        icon: 'book',
        sections: [
          { ...b, sectionGroup: one.id },
          { ...a, sectionGroup: one.id },
        ],
      });
      expect(made.headers.location).toBe(`http://docs.test${at(`/section-groups/${one.id}`)}`);
      const two = await group('H', b);
      expect(two).toEqual({
        object: 'site-section-group',
        id: ID,
        title: 'H',
        sections: [{ ...b, sectionGroup: two.id }],
      });
      const list = await get<List<GroupBody>>('/section-groups');
      expect([list.count, list.items.map(({ title }) => title)]).toEqual([2, ['G', 'H']]);
      const add = (body: object, id = one.id) => post(`/section-groups/${id}/sections`, body);
      expect((await add({ sectionId: a.id }).expect(201)).body).toEqual(list.items[0]);
      await add({ sectionId: b.id }).expect(201);
      expect(await reading()).toBe('G/Aa G/Bb');
      for (const body of [{}, { sectionId: NOWHERE }, { sectionId: 5 }]) await add(body).expect(400);
      await add({ sectionId: a.id }, NOWHERE).expect(404, refusal(404, 'Section group not found'));
      for (const body of [{}, { title: '' }, { title: 'x'.repeat(101) }, { title: 'G', sections: [NOWHERE] }])
        await post('/section-groups', body).expect(400);
      await post('/section-groups', { title: 'G', sections: a.id }).expect(400);
      const taken = await given.app
        .as(given.admin)
        .delete(at(`/section-groups/${two.id}/sections/${a.id}`))
        .expect(404);
      expect(taken.body).toEqual(refusal(404, 'Section not found'));
    });

    it('change, move and go, and their sections stay', async () => {
      const [a, b] = [await cut('Aa'), await cut('Bb')];
      const grouped = await group('G', a);
      expect(await reading()).toBe('Bb G/Aa');
      const path = `/section-groups/${grouped.id}`;
      expect((await patch(path, { title: 'H', icon: 'x' }).expect(200)).body).toMatchObject({ title: 'H', icon: 'x' });
      expect((await patch(path, { title: 'G', icon: null }).expect(200)).body).toEqual(grouped);
      for (const body of [{ title: null }, { title: '' }, { icon: 5 }]) await patch(path, body).expect(400);
      await patch(`/section-groups/${NOWHERE}`, {}).expect(404);
      const move = (position?: unknown) => post(`${path}/move`, { position });
      expect((await move({ before: { type: 'site-section', id: b.id } }).expect(200)).body).toEqual(grouped);
      expect(await reading()).toBe('G/Aa Bb');
      await group('I');
      await move({}).expect(200);
      expect(await reading()).toBe('Bb G/Aa');
      await move({ before: { type: 'site-section', id: a.id } }).expect(400);
      await move({ before: { type: 'site-section-group', id: grouped.id } }).expect(400);
      await move({ before: { type: 'site-space', id: b.id } }).expect(400);
      await post(`/section-groups/${NOWHERE}/move`).expect(404);
      await given.app.as(given.admin).delete(at(path)).expect(205);
      await given.app.as(given.admin).delete(at(path)).expect(404);
      expect(await reading()).toBe('Bb Aa');
    });
  });
});
