import type { TestApp } from './support/app.js';
import { type Editing, inserting } from './support/editing.js';
import type { TestUser } from './support/factories.js';
import { givenSpace } from './support/given.js';
import { until } from './support/until.js';

describe('search', () => {
  let app: TestApp;
  let space: Editing;

  givenSpace((given) => {
    ({ app, space } = given);
  });

  const add = (title: string, more?: object) => space.add(title, more);
  const edit = (...changes: object[]) => space.edit(...changes);
  const search = async (query: string, more: object = {}) =>
    (
      await app
        .as(space.user)
        .get(`/v1/spaces/${space.space}/search`)
        .query({ query, ...more })
        .expect(200)
    ).body as {
      items: { id: string; title: string }[];
      count: number;
      next?: { page: string };
    };
  const titles = async (query: string) => (await search(query)).items.map(({ title }) => title);

  it('finds an edit at once, by words, phrases and beginnings', async () => {
    const id = await add('Ownership', {
      document: { markdown: '# Ownership\n\nIntro.\n\n## The borrow checker\n\nIt checks every borrow.\n' },
    });
    await add('Other', { document: { markdown: 'A checker of spelling. Nothing to borrow here.\n' } });
    expect(await search('borrow checker')).toEqual({
      count: 2,
      items: [
        {
          id,
          title: 'Ownership',
          path: 'ownership',
          sections: [
            {
              id: expect.any(String) as string,
              title: 'The borrow checker',
              path: 'ownership#the-borrow-checker',
              body: expect.stringContaining('It checks every borrow') as string,
              urls: { app: `http://docs.test/s/${space.space}/ownership#the-borrow-checker` },
            },
          ],
          urls: { app: `http://docs.test/s/${space.space}/ownership` },
        },
        expect.objectContaining({ title: 'Other' }),
      ],
    });
    expect(await titles('"borrow checker"')).toEqual(['Ownership']);
    expect(await titles('OWNERSH')).toEqual(['Ownership']);
    await edit({
      operation: 'update_page',
      page: id,
      title: 'Renamed',
      document: { markdown: 'Nothing of the kind.' },
    });
    expect(await titles('ownership')).toEqual([]);
    expect(await titles('renamed')).toEqual(['Renamed']);
    await edit({ operation: 'delete_page', page: id });
    expect(await titles('renamed')).toEqual([]);
  });

  it('catches up with an edit of many pages', async () => {
    const top = await add('Top');
    await edit(...Array.from({ length: 40 }, (_, n) => inserting(`Below ${n}`, { into: top })));
    await edit(...Array.from({ length: 40 }, (_, n) => inserting(`Below too ${n}`, { into: top })));
    expect((await search('below')).count).toBe(80);
    await edit({ operation: 'delete_page', page: top });
    await add('Below ground');
    await until('search catches up', async () => (await titles('below')).join() === 'Below ground');
    expect(await titles('below')).toEqual(['Below ground']);
  });

  it('leaves out what is kept out of it, with all below', async () => {
    const top = await add('Secret garden');
    await add('Secret shed', { into: top });
    await add('Secret path');
    expect((await titles('secret')).sort()).toEqual(['Secret garden', 'Secret path', 'Secret shed']);
    await edit({ operation: 'update_page', page: top, noIndex: true });
    expect(await titles('secret')).toEqual(['Secret path']);
    await edit({ operation: 'update_page', page: top, noIndex: false });
    expect((await titles('secret')).sort()).toEqual(['Secret garden', 'Secret path', 'Secret shed']);
  });

  it.each(['', ' ', '\t\n', 'x'.repeat(513)])('refuses the query %j', async (query) => {
    await app.as(space.user).get(`/v1/spaces/${space.space}/search`).query({ query }).expect(400);
  });

  it.each(['"', '.*', '$where', '((((', '\\', '"a" "b', '🦀', '%00', '-', '…'])('takes the query %j', async (query) => {
    await app.as(space.user).get(`/v1/spaces/${space.space}/search`).query({ query }).expect(200);
  });

  it('walks all results page by page, each once', async () => {
    for (let start = 0; start < 30; start += 10)
      await edit(...Array.from({ length: 10 }, (_, n) => inserting(`Walk ${start + n}`)));
    const seen: string[] = [];
    let page: string | undefined;
    do {
      const answer = await search('walk', { limit: 7, ...(page && { page }) });
      expect(answer.count).toBe(30);
      seen.push(...answer.items.map(({ id }) => id));
      page = answer.next?.page;
    } while (page);
    expect(seen.length).toBe(30);
    expect(new Set(seen).size).toBe(30);
  });

  it('covers the spaces of an organization that the caller sees', async () => {
    const organization = await app.create.organization();
    const open = await app.create.space({ organization, title: 'Open' });
    const closed = await app.create.space({ organization, title: 'Closed', defaultLevel: null });
    for (const one of [open, closed]) {
      await app
        .as(organization.admin)
        .post(`/v1/spaces/${one._id}/content`)
        .send({ changes: [inserting('Findable')] })
        .expect(200);
    }
    const find = async (user: TestUser) =>
      (
        (await app.as(user).get(`/v1/orgs/${organization._id}/search`).query({ query: 'findable' }).expect(200))
          .body as {
          items: { id: string; title: string; pages: { title: string }[] }[];
        }
      ).items.map(({ title, pages: found }) => [title, found.map((page) => page.title)]);
    expect((await find(organization.admin)).sort()).toEqual([
      ['Closed', ['Findable']],
      ['Open', ['Findable']],
    ]);
    expect(await find(await app.create.user({ in: organization, role: 'read' }))).toEqual([['Open', ['Findable']]]);
    expect(await find(await app.create.user({ in: organization, role: null }))).toEqual([]);
  });
});
