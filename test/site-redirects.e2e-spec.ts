import { Indexer } from '../src/content/indexer.js';
import { Invariants } from '../src/database/index.js';
import { SpacePurge } from '../src/spaces/index.js';
import type { TestApp } from './support/app.js';
import { type Editing, inserting } from './support/editing.js';
import { givenRedirects, type RedirectBody } from './support/redirects.js';
import type { PartAnswer, SiteAnswer, Sites } from './support/sites.js';

const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const NOWHERE = 'AAAAAAAAAAAAAAAAAAAA';
const refusal = (code: number, message: unknown): object => ({ error: { code, message } });

let app: TestApp;
let sites: Sites;
let guide: Editing;
let old: Editing;
let site: SiteAnswer;
let main: PartAnswer;
let variant: PartAnswer;
const { redirects, create, make, list, toVariant, find, change, pageId } = givenRedirects((given) => {
  ({ app, sites, guide, old, site, main, variant } = given);
});
const automatic = (path: string) => [path, 'automatic'];

describe('redirects of a site', () => {
  it('are made, listed, changed and deleted', async () => {
    const made = await create({ source: '/legacy', destination: { ...toVariant(), pageId: 'dropped' } }).expect(201);
    const redirect = made.body as RedirectBody;
    expect(redirect).toEqual({ object: 'site-redirect', id: ID, source: '/legacy', destination: toVariant() });
    expect(made.headers.location).toBe(`http://docs.test${redirects(`/${redirect.id}`)}`);
    const destination = { kind: 'site-page', siteSpaceId: main.id, pageId: await pageId(guide, 'next') };
    const one = (body: object) =>
      app
        .as(sites.admin)
        .patch(redirects(`/${redirect.id}`))
        .send(body);
    expect((await one({ destination }).expect(200)).body).toEqual({ ...redirect, destination });
    expect((await one({ source: '/legacy/a%20b' }).expect(200)).body).toEqual({
      ...redirect,
      source: '/legacy/a%20b',
      destination,
    });
    expect((await one({}).expect(200)).body).toEqual({ ...redirect, source: '/legacy/a%20b', destination });
    expect(await list()).toEqual({ count: 1, items: [{ ...redirect, source: '/legacy/a%20b', destination }] });
    expect(await find('/legacy/a b')).toEqual(['/next', 'written']);
    expect(await find('/legacy')).toBeNull();
    await app
      .as(sites.admin)
      .delete(redirects(`/${redirect.id}`))
      .expect(205);
    expect([await list(), await find('/legacy/a%20b')]).toEqual([{ count: 0, items: [] }, null]);
    const gone = refusal(404, 'Redirect not found');
    expect((await one({}).expect(404)).body).toEqual(gone);
    expect(
      (
        await app
          .as(sites.admin)
          .delete(redirects(`/${redirect.id}`))
          .expect(404)
      ).body,
    ).toEqual(gone);
    expect((await app.as(sites.admin).delete(redirects('/no%20id')).expect(404)).body).toEqual(gone);
  });

  it('are listed newest first, page by page, and counted among the features of the site', async () => {
    const features = async () => {
      const { features: used } = await sites.send<{ features: { id: string }[] }>('get', sites.path(site));
      return used.map(({ id }) => id).includes('sites-redirects');
    };
    expect(await features()).toBe(false);
    for (const source of ['/a', '/b', '/c']) await make(source, toVariant());
    const { next, count, items } = await list({ limit: 2 });
    const rest = await list({ limit: 2, page: next?.page });
    expect([count, [...items, ...rest.items].map(({ source }) => source), rest.next]).toEqual([
      3,
      ['/c', '/b', '/a'],
      undefined,
    ]);
    await app.as(sites.admin).get(redirects()).query({ limit: 1001 }).expect(400);
    expect(await features()).toBe(true);
    for (const { id } of (await list()).items)
      await app
        .as(sites.admin)
        .delete(redirects(`/${id}`))
        .expect(205);
    expect(await features()).toBe(false);
  });

  it('have a source of their own, however it is spelled', async () => {
    const { id } = await make('/a~b', toVariant());
    const { id: other } = await make('/c', toVariant());
    const taken = (source: string) => refusal(409, `source is taken: another redirect of the site begins at ${source}`);
    for (const source of ['/a~b', '/a%7Eb', '/%61%7eb']) {
      expect((await create({ source, destination: toVariant() }).expect(409)).body).toEqual(taken(source));
    }
    const patch = (to: string, body: object) =>
      app
        .as(sites.admin)
        .patch(redirects(`/${to}`))
        .send(body);
    expect((await patch(other, { source: '/a~b' }).expect(409)).body).toEqual(taken('/a~b'));
    await patch(id, { source: '/a%7Eb' }).expect(200);
    const at = await Promise.all([1, 2, 3].map(() => create({ source: '/race', destination: toVariant() })));
    expect(at.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await list()).count).toBe(3);
    // another site may have the same
    const elsewhere = sites.path(await sites.site({ title: 'Other', spaces: [old.space] }), '/redirects');
    const same = { source: '/a~b', destination: toVariant() };
    await app.as(sites.admin).post(elsewhere).send(same).expect(400);
  });

  it('are refused with a source or a destination that cannot be', async () => {
    const destination = toVariant();
    const source = { source: expect.stringMatching(/^source must be a path of at most 512 characters/) as string };
    const bad = [undefined, null, 5, '', '/', 'a', '/a/', '//a', '/a//b', '/a?b', '/a#b', '/a b', '/%zz', '/%ff', '/ä'];
    for (const given of [...bad, `/${'a'.repeat(512)}`, '/%', '/a\n']) {
      const { body } = await create({ source: given, destination }).expect(400);
      expect([given, body]).toEqual([given, refusal(400, source.source)]);
    }
    const page = await pageId(old, 'start');
    for (const [given, message] of [
      [undefined, 'destination must be an object'],
      [null, 'destination must be an object'],
      [{}, 'destination.kind must be one of: site-section, site-space, site-page'],
      [{ kind: '__proto__' }, 'destination.kind must be one of: site-section, site-space, site-page'],
      [{ kind: 'site-space' }, /^destination\.siteSpaceId must be an id/],
      [{ kind: 'site-page', siteSpaceId: main.id, pageId: { $gt: '' } }, /^destination\.pageId must be an id/],
      [
        { kind: 'site-space', siteSpaceId: NOWHERE },
        'destination.siteSpaceId must be the id of a site-space of this site',
      ],
      [
        { kind: 'site-section', siteSectionId: main.id },
        'destination.siteSectionId must be the id of a section of this site',
      ],
      [
        { kind: 'site-page', siteSpaceId: NOWHERE, pageId: page },
        'destination.siteSpaceId must be the id of a site-space of this site',
      ],
      [
        { kind: 'site-page', siteSpaceId: main.id, pageId: page },
        'destination.pageId must be the id of a page of that site-space',
      ],
    ] as const) {
      const { body } = await create({ source: '/a', destination: given }).expect(400);
      const text = typeof message === 'string' ? message : (expect.stringMatching(message) as string);
      expect([given, body]).toEqual([given, refusal(400, text)]);
    }
    const { id } = await make('/a', destination);
    for (const given of [
      { source: null },
      { destination: null },
      { destination: { kind: 'site-space', siteSpaceId: NOWHERE } },
    ]) {
      await app
        .as(sites.admin)
        .patch(redirects(`/${id}`))
        .send(given)
        .expect(400);
    }
    expect((await list()).items).toEqual([{ object: 'site-redirect', id, source: '/a', destination }]);
  });

  it('are read by members, and written by those who manage sites', async () => {
    const { id } = await make('/a', toVariant());
    const record = await app.connection
      .collection<{ _id: string; title: string }>('organizations')
      .findOne({ _id: sites.organization });
    const reader = await app.create.user({ in: record as never });
    await app.as(reader).get(redirects()).expect(200);
    await create({ source: '/b', destination: toVariant() }, reader).expect(403);
    await app
      .as(reader)
      .patch(redirects(`/${id}`))
      .send({})
      .expect(403);
    await app
      .as(reader)
      .delete(redirects(`/${NOWHERE}`))
      .expect(403);
    await app
      .as(await app.create.user())
      .get(redirects())
      .expect(404);
    await app.anonymous().get(redirects()).expect(401);
  });

  it('are counted anew where the site has lost count', async () => {
    await make('/a', toVariant());
    await app
      .as(sites.admin)
      .patch(sites.path(site, `/site-spaces/${main.id}/customization`))
      .send({ title: 'Ours' });
    const records = app.connection.collection<{ _id: string }>('sites');
    await records.updateOne({ _id: site.id }, { $set: { redirects: 7, customized: [variant.id] } });
    const left = app.connection.collection<{ _id: string; site?: string }>('site_redirects');
    await left.insertOne({ _id: 'left', site: NOWHERE });
    const told: string[] = [];
    const check = async (): Promise<string[]> => {
      told.length = 0;
      for (const [name, invariant] of app.nest.get(Invariants, { strict: false }).entries()) {
        if (!/redirects|set for a site/.test(name)) continue;
        for await (const { where, repair } of invariant()) {
          told.push(where);
          await repair?.();
        }
      }
      return told.slice();
    };
    expect(await check()).toEqual([`site ${site.id}`, 'redirect left']);
    expect(await check()).toEqual([]);
    expect(await records.findOne({ _id: site.id })).toMatchObject({ redirects: 1, customized: [main.id] });
  });

  it('raise the version of the site, and go with it', async () => {
    const version = async () =>
      (await app.connection.collection<{ _id: string; version: number }>('sites').findOne({ _id: site.id }))?.version;
    const before = (await version()) ?? 0;
    const { id } = await make('/a', toVariant());
    await make('/b', toVariant());
    await app
      .as(sites.admin)
      .delete(redirects(`/${id}`))
      .expect(205);
    expect(await version()).toBe(before + 3);
    await change(`/site-spaces/${variant.id}`, { path: 'older' });
    await app.as(sites.admin).delete(sites.path(site)).expect(205);
    for (const name of ['site_redirects', 'site_former_paths']) {
      expect([name, await app.connection.collection(name).countDocuments({ site: site.id })]).toEqual([name, 0]);
    }
  });

  it('lead to where things are now, and nowhere when these are gone', async () => {
    const page = { kind: 'site-page', siteSpaceId: variant.id, pageId: await pageId(old, 'start') };
    await make('/a', page);
    await make('/b', toVariant());
    expect([await find('/a'), await find('/b'), await find('/B')]).toEqual([
      ['/old/start', 'written'],
      ['/old', 'written'],
      null,
    ]);
    await change(`/site-spaces/${variant.id}`, { path: 'older' });
    await old.edit({ operation: 'update_page', page: page.pageId, slug: 'begin' });
    expect([await find('/a'), await find('/b')]).toEqual([
      ['/older/begin', 'written'],
      ['/older', 'written'],
    ]);
    await old.edit({ operation: 'delete_page', page: page.pageId });
    expect(await find('/a')).toBeNull();
    await app.as(sites.admin).delete(`/v1/spaces/${old.space}`).expect(205);
    expect(await find('/b')).toBeNull();
    expect((await list()).count).toBe(2);
  });
});

describe('automatic redirects', () => {
  it('follow a site-space to its new path', async () => {
    await change(`/site-spaces/${variant.id}`, { path: 'archive' });
    await change(`/site-spaces/${variant.id}`, { path: 'past' });
    expect(await find('/old')).toEqual(automatic('/past'));
    expect(await find('/old/start')).toEqual(automatic('/past/start'));
    expect(await find('/Archive/START')).toEqual(automatic('/past/start'));
    expect([await find('/Past'), await find('/%00'), await find('/a'.repeat(300))]).toEqual([null, null, null]);
    expect(await find('/archive/nothing')).toBeNull();
    // content goes first, and nothing leads to itself
    expect([await find('/past'), await find('/past/start'), await find('/start')]).toEqual([null, null, null]);
    await make('/old', { kind: 'site-space', siteSpaceId: main.id });
    expect([await find('/old'), await find('/old/start')]).toEqual([['/', 'written'], automatic('/past/start')]);
  });

  it('follow what becomes the default, and what no longer is', async () => {
    const only = await sites.space('Third', 'Only there');
    await sites.siteSpace(site, only);
    await change('', { defaultSiteSpace: variant.id });
    expect(await find('/old')).toEqual(automatic('/'));
    expect(await find('/old/start')).toEqual(automatic('/start'));
    expect(await find('/next')).toEqual(automatic('/guide/next'));
    expect(await find('/start')).toBeNull();
  });

  it('follow sections, and site-spaces into sections', async () => {
    const api = await sites.space('API', 'Calls');
    const section = await sites.section(site, api, 'API');
    // the site-spaces at the root went into a section, which has no segment
    expect([await find('/old'), await find('/old/start')]).toEqual([null, null]);
    await change(`/sections/${section.id}`, { path: 'reference' });
    expect(await find('/api/calls')).toEqual(automatic('/reference/calls'));
    await change('', { defaultSiteSection: section.id });
    const { items } = await sites.send<{ items: PartAnswer[] }>('get', sites.path(site, '/sections'));
    const first = items.find(({ id }) => id !== section.id)?.path ?? '';
    expect(await find('/reference')).toEqual(automatic('/'));
    expect(await find('/api/calls')).toEqual(automatic('/calls'));
    expect(await find('/old/start')).toEqual(automatic(`/${first}/old/start`));
    expect(await find('/next')).toEqual(automatic(`/${first}/next`));
    const position = { after: { type: 'site-space', siteSpace: section.siteSpaces[0]?.id } };
    await sites.send('post', sites.path(site, `/site-spaces/${variant.id}/move`), { position });
    expect(await find(`/${first}/old/start`)).toEqual(automatic('/old/start'));
  });

  it('follow pages that were moved, renamed or lost their parents', async () => {
    const group = await guide.add('Group');
    const child = await guide.add('Child', { into: group });
    const leaf = await guide.add('Leaf', { into: child });
    expect(await find('/group/child/leaf')).toBeNull();
    await guide.edit({ operation: 'update_page', page: group, slug: 'set' });
    expect(await find('/group/child/leaf')).toEqual(automatic('/set/child/leaf'));
    expect(await find('/group')).toEqual(automatic('/set'));
    await guide.edit({ operation: 'update_page', page: child, into: null });
    expect(await find('/group/child/leaf')).toEqual(automatic('/child/leaf'));
    expect(await find('/set/child')).toEqual(automatic('/child'));
    await guide.edit(
      { operation: 'update_page', page: leaf, into: null },
      { operation: 'delete_page', page: child },
      { operation: 'delete_page', page: group },
    );
    expect(await find('/group/child/leaf')).toEqual(automatic('/leaf'));
    expect(await find('/set/child/leaf')).toEqual(automatic('/leaf'));
    expect([await find('/group'), await find('/set/child')]).toEqual([null, null]);
    // a page that takes the place goes first; what is below it may still be the other's
    await guide.edit(inserting('Group'));
    expect([await find('/group'), await find('/group/child/leaf')]).toEqual([null, automatic('/leaf')]);
    await change(`/site-spaces/${main.id}`, { path: 'manual' });
    await change('', { defaultSiteSpace: variant.id });
    expect(await find('/set/child/leaf')).toEqual(automatic('/manual/leaf'));
    expect(await find('/manual/set/child/leaf')).toEqual(automatic('/manual/leaf'));
  });

  it('follow pages that a merged change request moved', async () => {
    const group = await guide.add('Group');
    const page = await pageId(guide, 'next');
    const space = `/v1/spaces/${guide.space}`;
    const { id } = await sites.send<{ id: string }>('post', `${space}/change-requests`, {});
    const changes = [{ operation: 'update_page', page, into: group, slug: 'later' }];
    await sites.send('post', `${space}/change-requests/${id}/content`, { changes });
    expect(await find('/next')).toBeNull();
    await sites.send('post', `${space}/change-requests/${id}/merge`);
    expect(await find('/next')).toEqual(automatic('/group/later'));
  });

  it('follow more pages than are entered into the index at once', async () => {
    const group = await guide.add('Group');
    const half = async (from: number): Promise<string[]> => {
      const titles = Array.from({ length: 30 }, (_, number) => `Page ${String(from + number)}`);
      const { changes } = await guide.edit(...titles.map((title) => inserting(title, { into: group })));
      return changes.map(({ page }) => page.id);
    };
    const halves = [await half(0), await half(30)];
    const space = `/v1/spaces/${guide.space}`;
    const { id } = await sites.send<{ id: string }>('post', `${space}/change-requests`, {});
    for (const pages of halves) {
      const changes = pages.map((page) => ({ operation: 'update_page', page, into: null }));
      await sites.send('post', `${space}/change-requests/${id}/content`, { changes });
    }
    await sites.send('post', `${space}/change-requests/${id}/merge`);
    await app.nest.get(Indexer, { strict: false }).catchUp(guide.space);
    expect([await find('/group/page-0'), await find('/group/page-59')]).toEqual([
      automatic('/page-0'),
      automatic('/page-59'),
    ]);
  });

  it('go with the space that pages moved in', async () => {
    await guide.edit({ operation: 'update_page', page: await pageId(guide, 'next'), slug: 'later' });
    const places = app.connection.collection('former_places');
    expect(await places.countDocuments({ space: guide.space })).toBe(1);
    await app.as(sites.admin).delete(`/v1/spaces/${guide.space}`).expect(205);
    const later = new Date(Date.now() + 8 * 24 * 60 * 60_000);
    await app.nest.get(SpacePurge, { strict: false }).run(undefined, later);
    expect(await places.countDocuments({ space: guide.space })).toBe(0);
  });

  it('take no more queries on a large site than on a small one', async () => {
    await change(`/site-spaces/${variant.id}`, { path: 'past' });
    const count = async (source: string) => (await app.commandsOf(() => find(source))).length;
    await find('/old/start');
    const before = [await count('/old/start'), await count('/nothing/at/all')];
    const parts: Editing[] = [];
    for (let number = 0; number < 6; number += 1) parts.push(await sites.space(`Part ${String(number)}`));
    for (const part of parts) {
      const { id } = await sites.siteSpace(site, part);
      await change(`/site-spaces/${id}`, { path: `moved-${id.toLowerCase()}` });
    }
    await guide.edit(...Array.from({ length: 30 }, (_, number) => inserting(`Page ${String(number)}`)));
    await find('/old/start');
    const after = [await count('/old/start'), await count('/nothing/at/all')];
    expect(after.every((number, index) => number <= (before[index] ?? 0) + 2)).toBe(true);
  });
});
