import { type ContentProcess, startContent } from '../../test/support/content.js';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { LAYOUT } from '../../test/support/editing.js';
import { Urls } from '../common/urls.js';
import type { PageDraft } from '../revisions/index.js';
import type { Touched } from './changes/touched.js';
import { toChangesView } from './edit.view.js';
import { type PageView, toPages } from './page.view.js';
import { toRevision } from './revision.view.js';
import { toSearchItem } from './search.view.js';

const urls = new Urls('https://api.test', 'https://app.test', 'https://pub.test');
const context = { space: 's1', urls, metadata: true, documentId: (key: string) => key };

/** A page of any type. */
type AnyPage = PageView & { pages?: AnyPage[]; urls?: { app: string } };

describe('toChangesView', () => {
  const shown = (touched: Touched) =>
    toChangesView({ touched: [touched], files: [] }, 'https://api.test/content', () => 'never');
  const location = 'https://api.test/content/page/p1';

  it.each([
    [{ kind: 'created', page: 'p1', ref: 'r' }, 'created_page', { ref: 'r' }],
    [{ kind: 'created', page: 'p1' }, 'created_page', {}],
    [{ kind: 'updated', page: 'p1' }, 'updated_page', {}],
  ] as const)('shows %j', (touched, object, more) => {
    const page = { object: 'page', id: 'p1', urls: { location } };
    expect(shown(touched)).toEqual({ changes: [{ object, ...more, page }] });
  });

  it('names a page that is gone by its id', () => {
    expect(shown({ kind: 'deleted', page: 'p1', below: ['p2'] })).toEqual({
      changes: [{ object: 'deleted_page', page: 'p1' }],
    });
  });

  it('shows the files that were inserted', () => {
    const file = { id: 'f1', name: 'a.txt', contentType: 'text/plain', size: 2, blob: 'b' };
    const link = ({ id }: { id: string }): string => `https://files.test/${id}`;
    expect(toChangesView({ touched: [], files: [file] }, 'https://api.test/content', link)).toEqual({
      changes: [],
      insertedFiles: [
        { id: 'f1', name: 'a.txt', contentType: 'text/plain', size: 2, downloadURL: 'https://files.test/f1' },
      ],
    });
  });
});

describe('toSearchItem', () => {
  it('leads to the page, and to the headings in it', () => {
    const sections = [
      { anchor: '', title: 'Page', body: 'before any heading' },
      { anchor: 'größe', title: 'Größe', body: 'under it' },
    ];
    const app = 'https://app.test/s/s1/part/a%20b';
    expect(toSearchItem({ space: 's1', id: 'p1', title: 'Page', path: 'part/a b', sections }, urls)).toEqual({
      id: 'p1',
      title: 'Page',
      path: 'part/a b',
      sections: [
        { id: 'p1', title: 'Page', path: 'part/a b', body: 'before any heading', urls: { app } },
        {
          id: 'p1-größe',
          title: 'Größe',
          path: 'part/a b#größe',
          body: 'under it',
          urls: { app: `${app}#gr%C3%B6%C3%9Fe` },
        },
      ],
      urls: { app },
    });
  });
});

describe('the pages of a revision', () => {
  let test: TestDatabase;
  let content: ContentProcess;
  let views: Record<string, AnyPage>;
  let revisionId: string;

  const GIT = { oid: 'abc', path: 'a.md' };
  const DRAFTS: (PageDraft & { into?: string })[] = [
    { id: 'group', kind: 'group', title: 'Part', hidden: true },
    {
      id: 'full',
      kind: 'document',
      title: 'Full',
      into: 'group',
      document: 'd1',
      emoji: '📘',
      icon: 'book',
      description: 'About',
      layout: { width: 'wide', cover: false },
      noIndex: true,
      git: GIT,
    },
    { id: 'plain', kind: 'document', title: 'Plain', into: 'full', document: 'd2' },
    { id: 'link', kind: 'link', title: 'Link', target: { kind: 'url', url: 'https://x.test' }, href: 'https://x.test' },
    { id: 'computed', kind: 'computed', title: 'Computed', computed: { type: 'builtin:openapi' } },
  ];

  beforeAll(async () => {
    test = await startTestDatabase();
    content = await startContent(test);
    const { _id: space } = await content.spaces.create('org', 'ann', {});
    const { revision } = await content.writer.write(space, 'ann', async (editor) => {
      for (const { into, ...draft } of DRAFTS) await editor.insertPage(draft, { into: into ?? null });
    });
    revisionId = revision._id;
    views = byId(toPages(await content.reading.pages(revision._id), context));
  });

  afterAll(() => test.stop());

  const byId = (pages: AnyPage[]): Record<string, AnyPage> =>
    Object.fromEntries(pages.flatMap((page) => [[page.id, page] as const, ...Object.entries(byId(page.pages ?? []))]));

  /** A page as it is shown, without what lies below it and its dates. */
  function shown(id: string): Partial<AnyPage> {
    const { createdAt, updatedAt, pages, ...view } = views[id] ?? ({} as AnyPage);
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect(new Date(updatedAt).toISOString()).toBe(updatedAt);
    expect(pages === undefined).toBe(view.type === 'link' || view.type === 'computed');
    return view;
  }

  it('are nested', () => {
    expect(Object.keys(views).sort()).toEqual(['computed', 'full', 'group', 'link', 'plain']);
    expect(views.group?.pages?.map(({ id }) => id)).toEqual(['full']);
    expect(views.full?.pages?.map(({ id }) => id)).toEqual(['plain']);
  });

  it('show of a document all that it has, with its layout whole', () => {
    expect(shown('full')).toEqual({
      id: 'full',
      type: 'document',
      title: 'Full',
      emoji: '📘',
      icon: 'book',
      urls: { app: 'https://app.test/s/s1/part/full' },
      slug: 'full',
      path: 'part/full',
      description: 'About',
      documentId: 'd1',
      layout: { ...LAYOUT, width: 'wide', cover: false },
      hidden: false,
      noIndex: true,
      noRobotsIndex: false,
      git: GIT,
    });
    expect(Object.keys(shown('plain'))).not.toContain('emoji');
    expect(shown('plain')).toMatchObject({ path: 'part/full/plain', noIndex: false });
  });

  it('show of groups, links and computed pages what those have', () => {
    expect(shown('group')).toEqual({
      id: 'group',
      type: 'group',
      title: 'Part',
      slug: 'part',
      path: 'part',
      hidden: true,
      noIndex: false,
      noRobotsIndex: false,
    });
    expect(shown('link')).toEqual({
      id: 'link',
      type: 'link',
      title: 'Link',
      hidden: false,
      target: { kind: 'url', url: 'https://x.test' },
      href: 'https://x.test',
    });
    expect(shown('computed')).toEqual({
      id: 'computed',
      type: 'computed',
      title: 'Computed',
      computed: { type: 'builtin:openapi' },
    });
  });

  it('are shaped once for all who ask alike, and apart for others', async () => {
    const tree = await content.reading.pages(revisionId);
    expect(toPages(tree, context)).toBe(toPages(tree, { ...context }));
    const bare = byId(toPages(tree, { ...context, metadata: false }));
    expect(bare.full).not.toHaveProperty('git');
    expect(byId(toPages(tree, { ...context, space: 's2' })).full?.urls?.app).toContain('/s/s2/');
    expect(byId(toPages(tree, context)).full).toHaveProperty('git');
  });

  it('are part of the revision', async () => {
    const read = await content.reading.revision(revisionId);
    const { pages, createdAt, ...view } = toRevision(read, context, () => 'never');
    expect(view).toEqual({
      object: 'revision',
      id: revisionId,
      parents: read.revision.parents,
      type: 'edits',
      files: [],
      reusableContents: [],
      urls: { app: 'https://app.test/s/s1' },
    });
    expect([pages.length, new Date(createdAt).toISOString()]).toEqual([3, createdAt]);
  });
});
