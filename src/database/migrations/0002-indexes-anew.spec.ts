import { type ContentProcess, startContent } from '../../../test/support/content.js';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { indexesAnew } from './0002-indexes-anew.js';

const TEXT = '# Start\n\n<a id="here"></a>See <img alt="A > B" src="/files/gone"> and <a href="other">the other</a>.\n';

describe('0002-indexes-anew', () => {
  let test: TestDatabase;
  let content: ContentProcess;

  beforeAll(async () => {
    test = await startTestDatabase();
    content = await startContent(test);
  });
  afterAll(() => test.stop());

  /** A space with two pages, as version 0.1.0 stored it. */
  async function oldSpace(): Promise<string> {
    const { _id: space } = await content.spaces.create('org', 'ann', {});
    await content.writer.write(space, null, async (editor) => {
      await editor.insertPage(await content.draft('Start', TEXT));
      await editor.insertPage(await content.draft('Other'));
    });
    await content.indexer.catchUp(space);
    const old = {
      $unset: { outlineVersion: '', anchors: '' },
      $set: { links: [], headings: [], touchedAt: new Date(0) },
    };
    await content.connection.collection('documents').updateMany({}, old);
    for (const name of ['links', 'link_targets']) await content.connection.collection(name).deleteMany({});
    return space;
  }

  it('has spaces indexed from what their texts are now known to hold', async () => {
    const space = await oldSpace();
    const { db } = content.connection;
    if (!db) throw new Error('it is not connected');
    await indexesAnew.up(db);
    await indexesAnew.up(db);
    expect(await content.spaces.get(space)).toMatchObject({ indexedRevision: null, indexTarget: null, indexing: true });
    for (const name of ['links', 'link_targets', 'search_segments', 'search_blocks'])
      expect(await db.collection(name).countDocuments()).toBe(0);

    const later = await startContent(test);
    await later.indexer.catchUp(space);
    const { revision, ...state } = await later.spaces.get(space);
    expect(state).toMatchObject({ indexedRevision: revision, indexTarget: null, indexing: false });
    const pages = [...(await later.pages(space)).byId.values()];
    expect(await later.links.agrees(space, later.revisions.tree(await later.revisions.get(revision)))).toBe(true);
    expect(await later.index.documents(space)).toEqual(new Map(pages.map(({ node }) => [node.id, node.document])));
    const targets = await db.collection('link_targets').find({ space }).sort({ key: 1 }).toArray();
    const other = pages.find(({ node }) => node.title === 'Other')?.node.id ?? '';
    expect(targets.map(({ key, status, needing }): unknown[] => [key, status, needing])).toEqual([
      ['/files/gone', 'broken', 1],
      [`/pages/${other}`, 'ok', 0],
    ]);
  });

  it('leaves spaces alone that are being removed', async () => {
    const { db } = await test.connect('purging');
    if (!db) throw new Error('it is not connected');
    const spaces = db.collection<{ _id: string; purging?: boolean; indexing: boolean }>('spaces');
    await spaces.insertMany([
      { _id: 'a', purging: true, indexing: false },
      { _id: 'b', indexing: false },
    ]);
    await indexesAnew.up(db);
    expect(await spaces.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'a', purging: true, indexing: false },
      { _id: 'b', indexing: true, indexedRevision: null, indexTarget: null },
    ]);
  });
});
