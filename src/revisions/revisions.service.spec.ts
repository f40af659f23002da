import { getConnectionToken } from '@nestjs/mongoose';
import { Test, type TestingModule } from '@nestjs/testing';
import type { Connection } from 'mongoose';
import { startTestEngine, type TestEngine } from '../../test/support/embedded-engine.js';
import { Database, DatabaseModule } from '../database/index.js';
import { OUTLINE_VERSION } from './read-outline.js';
import { DocumentsService, type PageDraft, type Revision, RevisionsModule, RevisionsService } from './index.js';

let database: TestEngine;
let app: TestingModule;
let connection: Connection;
let revisions: RevisionsService;
let documents: DocumentsService;

/** A process of its own on the same data: nothing in memory. */
async function boot(): Promise<TestingModule> {
  return Test.createTestingModule({ imports: [DatabaseModule.of(database.engine.uri), RevisionsModule] }).compile();
}

beforeAll(async () => {
  database = await startTestEngine();
  app = await (await boot()).init();
  connection = app.get(getConnectionToken());
  revisions = app.get(RevisionsService);
  documents = app.get(DocumentsService);
  await connection.syncIndexes();
});

afterAll(async () => {
  await app.close();
  await database.stop();
});

const doc = (title: string, document: string): PageDraft => ({ kind: 'document', title, document });

async function spaceWith(pages: number, organization = 'org'): Promise<Revision> {
  const first = await revisions.createFirst({ organization, space: 'space', author: 'ann' });
  const editor = revisions.edit(first);
  const { _id: key } = await documents.put(organization, `# Text of ${organization}\n`);
  for (let index = 0; index < pages; index++) await editor.insertPage(doc(`Page ${index}`, key));
  const { root } = await editor.finish();
  return revisions.commit({ organization, space: 'space', type: 'edits', parents: [first._id], root, author: 'ann' });
}

const countAll = async (): Promise<number> => {
  const counts = await Promise.all(
    ['chunks', 'documents', 'revisions'].map((name) => connection.collection(name).countDocuments()),
  );
  return counts.reduce((sum, count) => sum + count, 0);
};

describe('RevisionsService', () => {
  it('keeps a first revision that holds nothing', async () => {
    const first = await revisions.createFirst({ organization: 'org', space: 'first', author: null });
    expect(await revisions.get(first._id)).toMatchObject({
      organization: 'org',
      space: 'first',
      type: 'edits',
      parents: [],
      author: null,
      changeRequest: null,
      git: null,
    });
    expect((await revisions.tree(first).tree()).pages).toEqual([]);
    expect(await revisions.tree(first).counts()).toEqual({ pages: 0, files: 0, reusableContents: 0 });
  });

  it('does not find what is not there', async () => {
    expect(await revisions.find('nowhere')).toBeNull();
    await expect(revisions.get('nowhere')).rejects.toThrow('Revision not found');
  });

  it('reads a revision as it was written, also from another process', async () => {
    const revision = await spaceWith(120);
    const other = await boot();
    const read = other.get(RevisionsService);
    const tree = read.tree(await read.get(revision._id));
    const { pages, byId } = await tree.tree();
    expect(pages.map((page) => page.path)).toEqual(Array.from({ length: 120 }, (_, index) => `page-${index}`));
    expect(byId.size).toBe(120);
    const page = await tree.findPageByPath('page-77');
    expect(page).toEqual(pages[77]?.node);
    expect(Object.isFrozen(page)).toBe(true);
    expect(await revisions.diff(revision, await read.get(revision._id))).toEqual({
      pages: [],
      files: [],
      reusableContents: [],
      links: [],
    });
    await other.close();
  });

  it('writes a handful of records for an edit among very many pages', async () => {
    const base = await spaceWith(3000);
    const before = await countAll();
    const editor = revisions.edit(base);
    const id = (await revisions.tree(base).findPageByPath('page-1234'))?.id ?? '';
    const text = await documents.put('org', '# Edited\n');
    await editor.updatePage(id, { document: text._id });
    const { root, changes, chunks } = await editor.finish();
    const edited = await revisions.commit({
      organization: 'org',
      space: 'space',
      type: 'edits',
      parents: [base._id],
      root,
      author: null,
    });
    expect((await countAll()) - before).toBe(chunks + 2);
    expect(chunks).toBeLessThanOrEqual(5);
    expect(changes.pages.map((change) => [change.kind, change.id])).toEqual([['updated', id]]);
    expect((await revisions.diff(base, edited)).pages).toHaveLength(1);
    expect((await revisions.tree(base).findPage(id))?.document).not.toBe(text._id);
  });

  it('stores equal content once, and apart for each organization', async () => {
    const one = await spaceWith(50, 'one');
    const chunks = await connection.collection('chunks').countDocuments();
    const two = await spaceWith(50, 'two');
    expect(two.root).not.toBe(one.root);
    expect(await connection.collection('chunks').countDocuments()).toBeGreaterThan(chunks);
    const again = revisions.edit(one);
    const page = await again.insertPage(doc('x', 'key'));
    await again.deletePage(page.id);
    expect((await again.finish()).root).toBe(one.root);
  });

  it('may write again what is there, and what somebody swept', async () => {
    const base = await spaceWith(10);
    const edit = async (service: RevisionsService): Promise<string> => {
      const editor = service.edit(base, new Date('2026-01-01'));
      await editor.insertPage({ ...doc('Added', 'key'), id: 'added' });
      return (await editor.finish()).root;
    };
    const root = await edit(revisions);
    const before = await connection.collection('chunks').findOne<{ touchedAt: Date }>({ text: /added/ });
    const other = await boot();
    expect(await edit(other.get(RevisionsService))).toBe(root);
    const after = await connection.collection('chunks').findOne<{ touchedAt: Date }>({ text: /added/ });
    expect(after?.touchedAt.getTime()).toBeGreaterThanOrEqual(before?.touchedAt.getTime() ?? Infinity);
    await connection.collection('chunks').deleteOne({ text: /added/ });
    const third = await boot();
    expect(await edit(third.get(RevisionsService))).toBe(root);
    expect((await third.get(RevisionsService).tree({ root }).findPage('added'))?.title).toBe('Added');
    await Promise.all([other.close(), third.close()]);
  });

  it('stays outside of a transaction that fails', async () => {
    const { _id } = await documents.put('org', 'There already');
    const failing = app.get(Database).transaction(async () => {
      await documents.put('org', 'Written inside');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await documents.missing([_id, 'nowhere'])).toEqual(['nowhere']);
    expect(await connection.collection('documents').countDocuments({ markdown: 'Written inside' })).toBe(1);
  });

  it('lists the history of a space, newest first', async () => {
    const first = await revisions.createFirst({ organization: 'org', space: 'history', author: null });
    const second = await revisions.commit({
      organization: 'org',
      space: 'history',
      type: 'merge',
      parents: [first._id, 'x'],
      root: first.root,
      author: 'ann',
      changeRequest: 'cr',
    });
    const page = await revisions.history('history', { limit: 1 });
    expect(page.count).toBe(2);
    const rest = await revisions.history('history', { limit: 1, ...page.next });
    expect([page.items[0]?._id, rest.items[0]?._id]).toEqual([second._id, first._id]);
    expect((await revisions.findMany([second._id, 'nowhere'])).get(second._id)?.changeRequest).toBe('cr');
  });

  it('makes each revision later than its parents, whatever the clocks of the processes say', async () => {
    const owner = { organization: 'org', space: 'clocks', author: null };
    const first = await revisions.createFirst(owner);
    const now = jest.spyOn(Date, 'now').mockReturnValue(first.createdAt.getTime() - 60_000);
    try {
      const second = await revisions.commit({ ...owner, type: 'edits', parents: [first._id], root: first.root });
      const third = await revisions.commit({
        ...owner,
        type: 'merge',
        parents: [first._id, second._id],
        root: first.root,
      });
      const page = await revisions.history('clocks', { limit: 10 });
      expect(page.items.map(({ _id }) => _id)).toEqual([third._id, second._id, first._id]);
      expect(third.createdAt.getTime() - first.createdAt.getTime()).toBe(2);
    } finally {
      now.mockRestore();
    }
  });

  it('merges two revisions that come from one', async () => {
    const organization = 'merging';
    const base = await spaceWith(30, organization);
    const [one, two] = (await revisions.tree(base).children(null)).map(({ id }) => id);
    if (one === undefined || two === undefined) throw new Error('There are no pages');
    const change = async (edits: Record<string, string>): Promise<{ root: string }> => {
      const editor = revisions.edit(base);
      for (const [page, markdown] of Object.entries(edits)) {
        await editor.updatePage(page, { document: (await documents.put(organization, markdown))._id });
      }
      return editor.finish();
    };
    const text = `# Text of ${organization}\n`;
    const ours = await change({ [one]: `${text}end\n`, [two]: 'ours\n' });
    const theirs = await change({ [one]: `start\n${text}` });
    const merged = await revisions.merge({ base, ours, theirs }, { organization });
    if (merged.root === undefined) throw new Error('There are conflicts');
    const texts = await Promise.all(
      [one, two].map(async (id) => documents.markdown((await revisions.tree(merged).findPage(id))?.document ?? '')),
    );
    expect(texts).toEqual([`start\n${text}end\n`, 'ours\n']);
    expect(merged.changes.pages.map(({ id }) => id).sort()).toEqual([one, two].sort());
    expect((await revisions.diff(theirs, merged)).pages).toEqual(merged.changes.pages);

    const other = await change({ [two]: 'theirs\n' });
    const conflict = { page: two, path: 'page-1', kind: 'text', base: text, ours: 'ours\n', theirs: 'theirs\n' };
    expect(await revisions.merge({ base, ours, theirs: other }, { organization })).toEqual({ conflicts: [conflict] });
    const resolutions = [{ page: two, document: { markdown: 'both\n' } }];
    const settled = await revisions.merge({ base, ours, theirs: other }, { organization, resolutions });
    expect(settled.conflicts).toBeUndefined();
    const refused = revisions.merge({ base, ours, theirs }, { organization, resolutions });
    await expect(refused).rejects.toMatchObject({ reason: 'invalid', property: 'resolutions' });
  });

  it('says that content is damaged instead of showing less of it', async () => {
    const revision = await spaceWith(300, 'damaged');
    const victim = await connection
      .collection('chunks')
      .findOneAndDelete({ organization: 'damaged', text: /"level":0.*Page 99/ });
    expect(victim).not.toBeNull();
    const other = await boot();
    await expect(other.get(RevisionsService).tree(revision).tree()).rejects.toThrow(/^Chunk .* is missing$/);
    await other.close();
  });
});

describe('DocumentsService', () => {
  it('gives back Markdown byte for byte, and what was read out of it', async () => {
    const markdown = '---\r\ntitle: "Front: matter"\r\nhidden: true\r\n---\r\n# Héad\r\n\r\n[a](./b.md)\t\u00a0 \r\n';
    const record = await documents.put('org', markdown);
    const other = await boot();
    const read = other.get(DocumentsService);
    expect(await read.markdown(record._id)).toBe(markdown);
    expect((await read.outlines([record._id, 'nowhere'])).get(record._id)).toEqual(record);
    expect(await read.sections([record._id, 'nowhere'])).toEqual(new Map([[record._id, record.sections]]));
    expect(record).toMatchObject({ title: 'Front: matter', frontMatter: { title: 'Front: matter', hidden: true } });
    expect(record.links.map(({ start, end }) => markdown.slice(start, end))).toEqual(['./b.md']);
    await other.close();
  });

  it('reads texts anew whose outlines an earlier version stored, and stores what is known now', async () => {
    const stored = connection.collection<{ _id: string }>('documents');
    const [one, two, tooMuch] = await documents.putMany('org', [
      '# One\n\n<a href="b.md">b</a>\n',
      '# Two\n\n<a id="two">x</a>\n',
      'Later refused\n',
    ]);
    if (!one || !two || !tooMuch) throw new Error('they were not stored');
    const old = { links: [], headings: [], touchedAt: new Date(0) };
    const keys = [one._id, two._id, tooMuch._id];
    await stored.updateMany({ _id: { $in: keys } }, { $set: old, $unset: { outlineVersion: '' } });
    await stored.updateOne({ _id: one._id }, { $set: { anchors: ['never-set'] } });
    // longer than texts may be today
    const huge = { markdown: 'a'.repeat(3_000_000), headings: [{ slug: 'a', text: 'a', depth: 1 }] };
    await stored.updateOne({ _id: tooMuch._id }, { $set: huge });

    const other = await boot();
    // within a transaction it reads, and keeps what it writes out of it
    const read = await other.get(Database).transaction(() => other.get(DocumentsService).outlines(keys));
    expect(read.get(one._id)).toEqual(one);
    expect(read.get(two._id)).toEqual(two);
    expect(read.get(tooMuch._id)).toMatchObject({ links: [], headings: huge.headings });
    await other.close();

    const kept = await stored.find({ _id: { $in: keys } }, { projection: { markdown: 0, organization: 0 } }).toArray();
    for (const record of [one, two]) {
      const now = { ...record, outlineVersion: OUTLINE_VERSION, touchedAt: new Date(0) };
      expect(kept.find(({ _id }) => _id === record._id)).toEqual(now);
    }
    expect(kept.find(({ _id }) => _id === tooMuch._id)).toMatchObject({ ...read.get(tooMuch._id), outlineVersion: 2 });
  });

  it('gives sections of texts that an earlier version read as they are known now', async () => {
    const stored = connection.collection<{ _id: string }>('documents');
    const { _id, sections } = await documents.put('org', '# Sections\n\nas they are\n');
    await stored.updateOne({ _id }, { $set: { sections: [] }, $unset: { outlineVersion: '' } });
    const other = await boot();
    expect((await other.get(DocumentsService).sections([_id])).get(_id)).toEqual(sections);
    await other.close();
  });

  it('stores a text once an organization', async () => {
    const [one, same, empty] = await documents.putMany('org', ['Same', 'Same', '']);
    expect(one?._id).toBe(same?._id);
    expect((await documents.put('org', ''))._id).toBe(empty?._id);
    expect((await documents.put('other', 'Same'))._id).not.toBe(one?._id);
    expect(await connection.collection('documents').countDocuments({ markdown: 'Same' })).toBe(2);
    expect(await documents.markdown(empty?._id ?? '')).toBe('');
  });

  it.each(['a\0b', 'a\ud800b', '\udc00'])('refuses %j', async (markdown) => {
    await expect(documents.putMany('org', ['fine', markdown])).rejects.toMatchObject({
      reason: 'invalid',
      property: 'document',
    });
  });

  it('does not find what is not there', async () => {
    await expect(documents.markdown('nowhere')).rejects.toThrow('Document not found');
    expect(await documents.markdowns(['nowhere'])).toEqual(new Map());
  });
});
