import { SpacesService } from '../src/spaces/index.js';
import type { TestApp } from './support/app.js';
import { type ChangeRequest, givenProposing, type Proposing } from './support/change-requests.js';
import { ID, inserting, ISO, outline, type PageAnswer } from './support/editing.js';
import type { TestUser } from './support/factories.js';
import { type Links, short } from './support/links.js';

const TEXT = 'See [the other](other).\n';
const ANY = expect.any(String) as string;
const BYTES = Buffer.from('hello').toString('base64');

let app: TestApp;
let space: Proposing;
let one: ChangeRequest;
givenProposing((given) => {
  ({ app, space } = given);
});
beforeEach(async () => {
  await space.add('Guide');
  one = await space.open('Subject');
});

const batch = (...changes: object[]): object => ({ changes });

describe('an edit of a change request', () => {
  it('is one revision of it, and nothing of the space', async () => {
    const [before, primary] = [await one.now(), await space.read('')];
    const answer = await one.edit(
      inserting('Page', { ref: 'page', document: { markdown: TEXT } }),
      inserting('Other', { document: { markdown: 'Back to [the page](./page.md) and ![it](./file.md).' } }),
      { operation: 'insert_files', files: [{ name: 'a.txt', base64: BYTES, contentType: 'text/plain', ref: 'file' }] },
    );
    const location = (id: string): string => `http://docs.test${one.path}/content/page/${id}`;
    const [page, other] = answer.changes.map((change) => change.page.id);
    const after = await one.now();
    expect(answer).toEqual({
      changeRequest: { ...before, revision: ID, updatedAt: ISO },
      changes: [
        {
          object: 'created_page',
          ref: 'page',
          page: { object: 'page', id: page, urls: { location: location(page ?? '') } },
        },
        { object: 'created_page', page: { object: 'page', id: other, urls: { location: location(other ?? '') } } },
      ],
      insertedFiles: [
        {
          id: ID,
          name: 'a.txt',
          contentType: 'text/plain',
          size: 5,
          downloadURL: expect.stringContaining('http://docs.test/v1/files/') as string,
        },
      ],
    });
    expect(answer.changeRequest).toEqual(after);
    expect(await one.get('/content')).toMatchObject({ id: after.revision, parents: [before.revision], type: 'edits' });
    expect(await space.read('')).toEqual(primary);
    // the address leads to the page
    await app
      .as(space.user)
      .get(new URL(location(page ?? '')).pathname)
      .expect(200);
  });

  it('answers the change request alone unless asked', async () => {
    const body = await one.post('/content', batch(inserting('Page')), 200);
    expect(body).toEqual(await one.now());
    expect(await one.post('/content?compat=true', batch(inserting('More')), 200)).toEqual(await one.now());
  });

  it('that changes nothing makes no revision, and makes nobody a contributor', async () => {
    const [page] = await space.pages();
    const before = await one.now();
    await one.update(page?.id ?? '', { title: page?.title });
    expect(await one.now()).toEqual(before);
  });

  it('goes back to what the space had, where no revision is named', async () => {
    const [page] = await space.pages();
    await one.update(page?.id ?? '', { title: 'Manual' });
    await one.update(page?.id ?? '', { title: 'Book' });
    await one.edit({ operation: 'revert_page', page: page?.id });
    expect((await one.get<PageAnswer>(`/content/page/${page?.id ?? ''}`)).title).toBe('Guide');
    expect(await one.get('/changes')).toEqual({ changes: [] });
  });

  it('is all or nothing, and refused with the place of what cannot be done', async () => {
    const before = await one.now();
    const refused = await one.post('/content', batch(inserting('Page'), { operation: 'delete_page', page: 'no' }), 400);
    expect(refused).toEqual({ error: { code: 400, message: 'changes.1: There is no page no' } });
    expect(await one.post('/content', batch(), 400)).toMatchObject({ error: { code: 400 } });
    expect(await one.post('/content?compat=yes', batch(inserting('Page')), 400)).toEqual({
      error: { code: 400, message: 'compat must be true or false' },
    });
    expect(await one.now()).toEqual(before);
  });

  it('waits for others, so that nothing is lost', async () => {
    const titles = Array.from({ length: 8 }, (_, index) => `Page ${String(index)}`);
    await Promise.all(titles.map((title) => one.add(title)));
    const { pages } = await one.get<{ pages: PageAnswer[] }>('/content/pages');
    expect(pages.map(({ title }) => title).sort()).toEqual(['Guide', ...titles]);
  });

  it('goes on in a locked space', async () => {
    await app.as(space.user).patch(space.root).send({ editMode: 'locked' }).expect(200);
    await one.add('Page');
    await one.pull();
  });
});

describe('what a change request holds', () => {
  it('is read as what a space holds', async () => {
    const other = await one.add('Other');
    const page = await one.add('Page', { document: { markdown: TEXT }, into: other });
    const { insertedFiles: [file] = [] } = await one.edit({
      operation: 'insert_files',
      files: [{ name: 'a.txt', base64: BYTES, contentType: 'text/plain' }],
    });
    const { revision } = await one.now();
    const at = `${space.root}/revisions/${revision}`;
    for (const below of [
      '',
      '/pages',
      `/page/${page}`,
      '/path/other/page',
      '/path/other%2Fpage',
      '/files',
      `/files/${file?.id ?? ''}`,
    ]) {
      expect(await one.get(`/content${below}`)).toEqual(await space.get(at + below));
    }
    const { pages } = await one.get<{ pages: PageAnswer[] }>('/content/pages');
    expect(outline(pages)).toEqual([['guide'], ['other', [['other/page']]]]);
    const read = await one.get<PageAnswer>(`/content/page/${page}`, { format: 'document' });
    expect(await space.get(`${space.root}/documents/${read.documentId ?? ''}`)).toEqual(read.document);
    expect(await one.get('/content/files')).toMatchObject({ count: 1, items: [{ id: file?.id }] });
  });

  it('is found by number too', async () => {
    const { number } = await one.now();
    expect(await space.get(`${space.root}/change-requests/${String(number)}/content`)).toEqual(
      await one.get('/content'),
    );
  });

  it('is not what it does not hold', async () => {
    for (const below of ['/page/no', '/path/no/way', '/files/no', '/reusable-contents/no']) {
      await app.as(space.user).get(`${one.path}/content${below}`).expect(404);
    }
    await app.as(space.user).get(`${one.path}/content/page/no?format=html`).expect(400);
    await app.as(space.user).get(`${one.path}/changes?limit=-1`).expect(400);
  });

  it('shows what it changes, as much as is asked for', async () => {
    await one.edit(inserting('One'), inserting('Two'), inserting('Three'));
    const changes = await one.get<{ changes: unknown[]; more?: number }>('/changes', { limit: 1 });
    expect(changes).toEqual({
      changes: [{ type: 'page_created', page: { id: ID, type: 'document', title: ANY, path: ANY } }],
      more: 2,
    });
  });
});

describe('the links of a change request', () => {
  const links = (query: object = {}): Promise<Links> => one.get<Links>('/links', query);

  it('are those of the space but for what differs', async () => {
    const [other, gone] = [await space.add('Other'), await space.add('Gone')];
    await space.write('Same', `${TEXT}\n[Away](https://example.org/) [gone](gone) [broken](nowhere)\n`);
    one = await space.open();
    await one.edit(
      { operation: 'delete_page', page: gone },
      { operation: 'update_page', page: other, title: 'Another' },
    );
    await one.add('New', { document: { markdown: '[Other](/pages/' + other + ') [nothing](nothing)\n' } });
    const all = await links();
    const shown = all.items.map(short).map((item) => JSON.stringify(item));
    expect(shown.map((item) => item.replace('"New","Same"', '"Same","New"')).sort()).toEqual(
      [
        ['Another', 'ok', ['Same', 'New']],
        ['https://example.org/', 'ok', ['Same']],
        [null, 'broken', ['Same']],
        [null, 'broken', ['Same']],
        [null, 'broken', ['New']],
      ]
        .map((item) => JSON.stringify(item))
        .sort(),
    );
    expect([all.count, all.stats]).toEqual([5, { total: 5, broken: { total: 3, changeRequest: 2 } }]);
    const { count, stats, items } = await links({ status: 'broken' });
    expect([count, items.length, stats]).toEqual([3, 3, all.stats]);
    expect((await space.links()).stats).toEqual({ total: 4, broken: { total: 1 } });
    expect(all.items[0]?.locationReferences[0]).toMatchObject({
      versionContext: { type: 'changeRequest', changeRequest: await one.now() },
    });
  });

  it('are listed in parts', async () => {
    await space.write('Some', '[a](a) [c](c) [e](e)\n');
    one = await space.open();
    await one.add('More', { document: { markdown: '[b](b) [d](d)\n' } });
    const all = await links();
    const parts: unknown[] = [];
    for (let page: string | undefined, more = true; more;) {
      const part: Links = await links({ limit: 2, ...(page !== undefined && { page }) });
      parts.push(...part.items);
      page = part.next?.page;
      more = page !== undefined;
    }
    expect(parts).toEqual(all.items);
    expect(parts).toHaveLength(5);
    const { items, ...counts } = await links({ limit: 0 });
    expect([items, counts]).toEqual([[], { count: 5, stats: { total: 5, broken: { total: 5, changeRequest: 2 } } }]);
  });

  it('become those of the space by a merge', async () => {
    const page = await space.write('Page', '[a](a)\n');
    one = await space.open();
    await one.edit({ operation: 'update_page', page, document: { markdown: '[guide](guide) [b](b)\n' } });
    const before = await links();
    await one.merge();
    const after = await space.links();
    expect(after.items.map(short)).toEqual(before.items.map(short));
    expect(after.stats).toEqual({ total: 2, broken: { total: 1 } });
  });
});

describe('states', () => {
  const refuseAll = async (message: string): Promise<void> => {
    const before = await one.now();
    for (const [below, body] of [
      ['/content', batch(inserting('Page'))],
      ['/update', undefined],
      ['/merge', undefined],
    ] as const) {
      expect(await one.post(below, body, 409)).toEqual({ error: { code: 409, message } });
    }
    // an entry that cannot be applied is told even so
    await one.post('/content', batch({ operation: 'delete_page', page: 'no' }), 400);
    expect(await one.now()).toEqual(before);
  };
  const patch = (status: string) => app.as(space.user).patch(one.path).send({ status }).expect(200);

  it.each(['draft', 'open'])('%s lets its content change', async (status) => {
    await patch(status);
    await one.add('Page');
    await space.add('Other');
    await one.pull();
    expect((await one.now()).status).toBe(status);
    await one.merge();
  });

  it('archived keeps its content until it is opened', async () => {
    await patch('archived');
    await refuseAll('The change request is archived: open it first');
    await one.get('/content');
    await patch('draft');
    await one.add('Page');
  });

  it('merged keeps its content for ever', async () => {
    await one.add('Page');
    await one.merge();
    await refuseAll('The change request is merged: it cannot be changed any more');
    expect(await one.get('/changes')).toMatchObject({ changes: [{ type: 'page_created' }] });
  });
});

describe('who may', () => {
  const people = async (): Promise<Record<'commenter' | 'editor' | 'reader' | 'reviewer' | 'stranger', TestUser>> => {
    const organization = await app.nest.get(SpacesService, { strict: false }).get(space.space);
    const member = (role: 'comment' | 'edit' | 'read' | 'review') =>
      app.create.user({ in: { _id: organization.organization } as never, role });
    return {
      commenter: await member('comment'),
      editor: await member('edit'),
      reader: await member('read'),
      reviewer: await member('review'),
      stranger: await app.create.user(),
    };
  };

  it('read, edit, update and merge', async () => {
    const { commenter, editor, reader, reviewer, stranger } = await people();
    const post = (user: TestUser, below: string) =>
      app
        .as(user)
        .post(one.path + below)
        .send(batch(inserting('Page')));
    for (const below of ['/content', '/content/pages', '/content/files', '/changes', '/links']) {
      await app
        .anonymous()
        .get(one.path + below)
        .expect(401);
      await app
        .as(stranger)
        .get(one.path + below)
        .expect(404);
      await app
        .as(reader)
        .get(one.path + below)
        .expect(200);
      await app.as(reader).get(`${space.root}/change-requests/99${below}`).expect(404);
    }
    for (const below of ['/content', '/update']) {
      await app
        .anonymous()
        .post(one.path + below)
        .expect(401);
      await post(stranger, below).expect(404);
      await post(reader, below).expect(403);
      await post(commenter, below).expect(403);
      await post(editor, below).expect(200);
    }
    await app.anonymous().post(`${one.path}/merge`).expect(401);
    await post(stranger, '/merge').expect(404);
    await post(editor, '/merge').expect(403);
    await post(reviewer, '/merge').expect(200);
    await app.as(editor).post(`${space.root}/change-requests/99/merge`).expect(403);
    await app.as(reviewer).post(`${space.root}/change-requests/99/merge`).expect(404);
    await app.as(reviewer).post(`${space.root}/change-requests/99/content`).send({}).expect(400);
  });
});
