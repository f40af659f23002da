import { MembersService } from '../src/organizations/index.js';
import type { TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';
import { givenLinking, type Item, Linking, type Links, type Location, short } from './support/links.js';
import { petstore, SpecClient } from './support/openapi.js';

let app: TestApp;
let space: Linking;

givenLinking((given) => {
  ({ app, space } = given);
});

const organizationId = async (): Promise<string> =>
  (await space.get<{ organization: string }>(space.root)).organization;

describe('the links of a space', () => {
  it('are listed by target, each with all places, in whole resources', async () => {
    const a = await space.write('A', 'Text\n\n# One\n\nText\n');
    await space.write('B', 'Before [a](a) and [again](/a#one).\n\n## Here\n\nUnder it [a](./a.md).\n');
    const { items, ...list } = await space.links();
    expect(list).toEqual({ count: 2, stats: { total: 2, broken: { total: 0 } } });
    expect(items.map(short)).toEqual([
      ['A', 'ok', ['B', 'B#here']],
      ['A#one', 'ok', ['B']],
    ]);
    const page = await space.get<object>(`${space.path}/page/${a}`);
    const { markdown: _, ...bare } = page as { markdown: string };
    const spaceView = await space.get(space.root);
    const organization = await space.get(`/v1/orgs/${await organizationId()}`);
    const revision = { ...(await space.get<object>(space.path)), pages: [], files: [], reusableContents: [] };
    const context = { organization, space: spaceView, versionContext: { type: 'revision', revision } };
    expect(items[1]).toEqual({
      status: 'ok',
      relation: 'reference',
      targetReference: { kind: 'page', ...context, page: bare, internalLocation: { type: 'anchor', anchor: 'one' } },
      locationReferences: [
        { kind: 'page', ...context, page: expect.objectContaining({ title: 'B', pages: [] }) as object },
      ],
    });
  });

  it('have every status, and are filtered, counted and paged by it', async () => {
    await space.putFile('f');
    await space.write('A', 'Text\n\n# One\n');
    const texts = [
      '![f](/files/f) ![gone](/files/gone) [a](a) [no](a#no) [lost](nowhere) [out](../../../x) ',
      '[app](http://app.test/writing/s/x) [web](https://example.org/?a=1) <mailto:ann@example.org> [self](#here)',
    ];
    await space.write('B', `Text\n\n# Here\n\n${texts.join('')}\n`);
    const all = await space.links();
    expect(all.stats).toEqual({ total: 10, broken: { total: 4 } });
    expect(await space.statuses()).toEqual({ ok: 5, broken: 4, 'in-app': 1 });
    const [embedded] = all.items.filter(({ targetReference }) => targetReference?.kind === 'file');
    expect(embedded).toMatchObject({ relation: 'dependsOn', targetReference: { file: { id: 'f', name: 'f.png' } } });
    const broken = await space.links({ status: 'broken' });
    expect([broken.count, broken.stats]).toEqual([4, all.stats]);
    expect(broken.items.every((item) => !('targetReference' in item))).toBe(true);
    expect((await space.links({ status: 'in-app' })).items.map(short)).toEqual([
      ['http://app.test/writing/s/x', 'in-app', ['B#here']],
    ]);
    const walked: Item[] = [];
    for (let page: string | undefined, first = true; first || page !== undefined; first = false) {
      const part = await space.links({ limit: 3, ...(page !== undefined && { page }) });
      expect(part.count).toBe(10);
      walked.push(...part.items);
      page = part.next?.page;
    }
    expect(walked).toEqual(all.items);
    expect(await space.links({ limit: 0 })).toEqual({ count: 10, items: [], stats: all.stats });
  });

  it('count what pages have beside their text', async () => {
    const a = await space.write('A', 'Text\n');
    await space.inSpace(async (editor) => {
      await editor.insertPage({ kind: 'link', title: 'Link', target: { kind: 'page', page: a } });
      await editor.updatePage(a, { cover: { ref: { kind: 'file', file: 'gone' }, yPos: 0 } });
      const computed = { type: 'builtin:openapi', dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } } };
      await editor.insertPage({ kind: 'computed', title: 'Made', computed });
    });
    const { items } = await space.links();
    expect(items.map((item) => [item.relation, ...(short(item) as unknown[])])).toEqual([
      ['dependsOn', undefined, 'broken', ['A']],
      ['dependsOn', undefined, 'broken', ['Made']],
      ['reference', 'A', 'ok', ['Link']],
    ]);
  });

  it('to descriptions of APIs are there for those who may read them', async () => {
    const organization = await organizationId();
    const spec = await new SpecClient(app, organization, space.user).putText('pets', petstore());
    await space.inSpace(async (editor) => {
      const computed = { type: 'builtin:openapi', dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } } };
      await editor.insertPage({ kind: 'computed', title: 'Made', computed });
    });
    const asAdmin = app.as(space.user);
    const { items, stats } = await space.links();
    expect(stats).toEqual({ total: 1, broken: { total: 0 } });
    expect(items).toMatchObject([{ status: 'ok', relation: 'dependsOn' }]);
    expect(items[0]?.targetReference).toEqual({
      kind: 'openapi',
      organization: (await asAdmin.get(`/v1/orgs/${organization}`)).body as object,
      openAPISpec: (await asAdmin.get(`/v1/orgs/${organization}/openapi/pets`)).body as object,
    });

    // a guest who reads the space does not see what the organization describes
    const guest = await app.create.user();
    await app.nest.get(MembersService, { strict: false }).add(organization, guest._id, null);
    const grant = { users: [guest._id], role: 'read' };
    await asAdmin.post(`/v1/spaces/${space.space}/permissions`).send(grant).expect(204);
    const forGuest = await new Linking(app, guest, space.space).links();
    expect(forGuest.items.map(({ status, targetReference }) => [status, targetReference])).toEqual([
      ['broken', undefined],
    ]);

    // and it is broken when there is none any more (decision 5.51)
    await asAdmin.delete(`/v1/orgs/${organization}/openapi/${spec.slug}`).expect(205);
    expect((await space.links()).stats).toEqual({ total: 1, broken: { total: 1 } });
  });

  it('to other spaces are there for those who may see them', async () => {
    const organization = await app.create.organization({ admin: space.user });
    const other = await app.create.space({ organization });
    const reader = await app.create.user();
    await app.connection
      .collection('spaces')
      .updateOne({ _id: space.space as never }, { $set: { defaultLevel: 'read' } });
    await joined(reader);
    const response = await app
      .as(space.user)
      .post(`/v1/spaces/${other._id}/content`)
      .send({ changes: [{ operation: 'insert_page', title: 'Far', document: { markdown: 'Text\n\n# There\n' } }] })
      .expect(200);
    const far = (response.body as { changes: [{ page: { id: string } }] }).changes[0].page.id;
    const at = `/spaces/${other._id}`;
    await space.write(
      'A',
      `[s](${at}) [p](${at}/pages/${far}) [#](${at}/pages/${far}#there) [x](${at}/pages/x) [y](/spaces/no)\n`,
    );
    await space.write('People', `[me](/users/${space.user._id}) [nobody](/users/nobody)\n`);
    expect((await space.links()).stats).toEqual({ total: 7, broken: { total: 3 } });
    const { items } = await space.links({ status: 'ok' });
    expect(items.map(short)).toEqual([
      ['space', 'ok', ['A']],
      ['Far', 'ok', ['A']],
      ['Far#there', 'ok', ['A']],
      ['user', 'ok', ['People']],
    ]);
    const forReader = await new Linking(app, reader, space.space).links({ status: 'broken' });
    expect([forReader.count, forReader.stats]).toEqual([6, { total: 7, broken: { total: 6 } }]);
    expect(JSON.stringify(forReader)).not.toContain('Far');
  });

  /** Makes `user` a member of the organization of the space. */
  const joined = async (user: TestUser): Promise<void> => {
    await app.nest.get(MembersService, { strict: false }).add(await organizationId(), user._id, 'read');
  };

  it('refuse what is malformed, and who may not ask', async () => {
    const path = `${space.root}/links`;
    for (const query of ['limit=1001', 'limit=x', 'status=fine', 'page=foreign']) {
      await app.as(space.user).get(`${path}?${query}`).expect(400);
    }
    await space.write('A', '[x](x) [y](y)\n');
    const { next } = await space.links({ limit: 1 });
    await app.as(space.user).get(path).query({ page: next?.page, status: 'broken' }).expect(400);
    await app.anonymous().get(path).expect(401);
    await app
      .as(await app.create.user())
      .get(path)
      .expect(404);
    await app.as(space.user).get('/v1/spaces/nowhere/links').expect(404);
  });
});

describe('the links of one page', () => {
  it('are those alone, with the places in it', async () => {
    const a = await space.write('A', '[b](b) [gone](gone)\n');
    const b = await space.write('B', '[a](a)\n\n## Here\n\n[a](a) [b](b)\n');
    await space.write('C', '[a](a)\n');
    const path = `${space.path}/page/${b}/links`;
    const all = await space.get<Links>(path);
    expect(all.items.map(short).sort()).toEqual([
      ['A', 'ok', ['B', 'B#here']],
      ['B', 'ok', ['B#here']],
    ]);
    expect([all.count, all.stats]).toEqual([2, { total: 2, broken: { total: 0 } }]);
    const first = await space.get<Links>(path, { limit: 1 });
    const second = await space.get<Links>(path, { limit: 1, page: first.next?.page });
    expect([...first.items, ...second.items, second.next]).toEqual([...all.items, undefined]);
    const broken = await space.get<Links>(`${space.path}/page/${a}/links`, { status: 'broken' });
    expect([broken.count, broken.stats, broken.items.map(short)]).toEqual([
      1,
      { total: 2, broken: { total: 1 } },
      [[undefined, 'broken', ['A']]],
    ]);
    for (const query of ['limit=-1', 'status=fine', 'page=foreign']) {
      await app.as(space.user).get(`${path}?${query}`).expect(400);
    }
    await app.anonymous().get(path).expect(401);
    await app.as(space.user).get(`${space.path}/page/nowhere/links`).expect(404);
  });
});

describe('backlinks', () => {
  it('of a page are the other pages that lead to it', async () => {
    const a = await space.write('A', 'Text\n\n# One\n\n[self](#one)\n');
    await space.write('B', 'Text\n\n## Here\n\n[a](a) [one](a#one)\n');
    await space.write('C', '[a](a)\n');
    const path = `${space.path}/page/${a}/backlinks`;
    const all = await space.get<{ count: number; items: Location[]; next?: object }>(path);
    const places = new Map(
      all.items.map(({ kind, page, internalLocation }) => [page?.title, [kind, internalLocation]]),
    );
    expect(places).toEqual(
      new Map([
        ['B', ['page', { type: 'anchor', anchor: 'here' }]],
        ['C', ['page', undefined]],
      ]),
    );
    const first = await space.get<{ items: Location[]; next?: { page: string } }>(path, { limit: 1 });
    const second = await space.get<{ items: Location[]; next?: object }>(path, { limit: 1, page: first.next?.page });
    expect([...first.items, ...second.items, second.next, all.next]).toEqual([...all.items, undefined, undefined]);
    expect(await space.get(path, { limit: 0 })).toEqual({ count: 2, items: [] });
    for (const query of ['limit=1001', 'page=foreign']) await app.as(space.user).get(`${path}?${query}`).expect(400);
    await app.anonymous().get(path).expect(401);
    await app.as(space.user).get(`${space.path}/page/nowhere/backlinks`).expect(404);
  });

  it('of a file are the pages that use it', async () => {
    await space.putFile('f');
    const a = await space.write('A', '![one](/files/f) [two](/files/f)\n');
    const path = `${space.path}/files/f/backlinks`;
    const { count, items } = await space.get<{ count: number; items: object[] }>(path);
    expect(count).toBe(1);
    expect(items).toEqual([
      {
        kind: 'page',
        organization: await space.get(`/v1/orgs/${await organizationId()}`),
        space: await space.get(space.root),
        versionContext: {
          type: 'revision',
          revision: expect.objectContaining({ object: 'revision', pages: [] }) as object,
        },
        page: expect.objectContaining({ id: a, title: 'A' }) as object,
        file: await space.get(`${space.path}/files/f`),
      },
    ]);
    await app.as(space.user).get(`${path}?limit=x`).expect(400);
    await app.anonymous().get(path).expect(401);
    await app.as(space.user).get(`${space.path}/files/none/backlinks`).expect(404);
  });
});
