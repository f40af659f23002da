import { BadRequestException } from '@nestjs/common';
import { startContent, type ContentProcess } from '../../../test/support/content.js';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { type PageNode, type Revision, toDocument, type TreeEditor } from '../../revisions/index.js';
import type { ChangeDto } from '../dto/change-content.dto.js';
import type { InsertPageDto, UpdatePageDto } from '../dto/page-changes.dto.js';
import type { Touched } from './touched.js';

let test: TestDatabase;
let content: ContentProcess;
let base: Revision;

beforeAll(async () => {
  test = await startTestDatabase();
  content = await startContent(test);
  base = await content.revisions.createFirst({ organization: 'org', space: 's', author: null });
});

afterAll(() => test.stop());

const newEditor = (): Promise<TreeEditor> => Promise.resolve(content.revisions.edit(base));

const inserting = (fields: Partial<InsertPageDto> = {}): InsertPageDto => ({ operation: 'insert_page', ...fields });
const updating = (page: string, fields: Partial<UpdatePageDto> = {}): UpdatePageDto => ({
  operation: 'update_page',
  page,
  ...fields,
});

/** Applies `change` as a batch by itself. */
async function touch(editor: TreeEditor, change: ChangeDto): Promise<Touched | undefined> {
  const batch = await content.batches.prepare('org', [change]);
  const [touched] = await content.batches.apply(batch, editor, { revision: base, before: null });
  return touched;
}

/** Applies `change` and answers its page. */
async function apply(editor: TreeEditor, change: ChangeDto): Promise<PageNode> {
  const touched = await touch(editor, change);
  const node = await editor.findPage(touched?.page ?? '');
  if (!node) throw new Error('there is no such page');
  return node;
}

const document = (markdown = ''): { markdown: string } => ({ markdown });

describe('the text of a page', () => {
  const stored = async (fields: Partial<InsertPageDto>): Promise<string> => {
    const node = await apply(await newEditor(), inserting(fields));
    return content.documents.markdown(node.document ?? '');
  };

  it('is the Markdown that is given, empty where a document says nothing', async () => {
    expect(await stored({ document: { markdown: '# A\n' } })).toBe('# A\n');
    expect(await stored({ document: {} })).toBe('');
  });

  it('is made of a tree of nodes', async () => {
    const markdown = '# A\n\nSome words.\n';
    expect(await stored({ document: { document: { ...(await toDocument(markdown)) } } })).toBe(markdown);
  });

  it('is refused when it is given twice, or no tree of nodes', async () => {
    await expect(stored({ document: { markdown: 'a', document: {} } })).rejects.toThrow(
      'changes.0: document takes either markdown or document, not both',
    );
    for (const tree of [{}, { object: 'block' }, { object: 'document', nodes: 'x' }, { nodes: [{}] }]) {
      await expect(stored({ document: { document: tree } })).rejects.toThrow(BadRequestException);
    }
  });
});

describe('inserting a page', () => {
  it.each([
    ['---\ntitle: Matter\n---\n# Heading\n', 'Given', 'Matter'],
    ['# Heading\n', 'Given', 'Heading'],
    ['Words only\n', 'Given', 'Given'],
    ['Words only\n', undefined, 'Untitled'],
    ['---\ntitle: ""\n---\nWords\n', 'Given', 'Given'],
    [`# ${'x'.repeat(1001)}\n`, 'Given', 'Given'],
  ])('is called after its text, or as it says: %#', async (markdown, title, expected) => {
    const node = await apply(await newEditor(), inserting({ title, document: { markdown } }));
    expect(node.title).toBe(expected);
    expect(await content.documents.markdown(node.document ?? '')).toBe(markdown);
  });

  it('takes its fields, those of the front matter before those of the entry', async () => {
    const markdown = '---\ndescription: From the text\nhidden: false\nemoji: 📘\n---\n';
    const fields = { description: 'From the entry', hidden: true, noIndex: true, icon: 'book', slug: 'my-slug' };
    const node = await apply(await newEditor(), inserting({ ...fields, document: { markdown } }));
    expect(node).toMatchObject({
      kind: 'document',
      parent: null,
      description: 'From the text',
      emoji: '📘',
      icon: 'book',
      noIndex: true,
      slug: 'my-slug',
      slugSet: true,
    });
    expect(node).not.toHaveProperty('hidden');
  });

  it('has no fields that are empty', async () => {
    const fields = { emoji: '', icon: '', description: '' };
    const node = await apply(await newEditor(), inserting({ ...fields, document: {} }));
    for (const name of Object.keys(fields)) expect(node).not.toHaveProperty(name);
  });

  it('repeats the name that it has in the batch', async () => {
    const touched = await touch(await newEditor(), inserting({ ref: 'r1', document: {} }));
    expect(touched).toMatchObject({ kind: 'created', ref: 'r1' });
    expect(await touch(await newEditor(), inserting({ document: {} }))).not.toHaveProperty('ref');
  });

  it('puts it under a page, at a place', async () => {
    const editor = await newEditor();
    const parent = await apply(editor, inserting({ title: 'Parent', document: document() }));
    const last = await apply(editor, inserting({ title: 'Last', into: parent.id, document: document() }));
    const first = await apply(editor, inserting({ title: 'First', into: parent.id, at: 0, document: document() }));
    expect([last.parent, first.parent]).toEqual([parent.id, parent.id]);
    expect(first.order < last.order).toBe(true);
  });

  it('makes groups and links, too', async () => {
    const editor = await newEditor();
    const group = await apply(editor, inserting({ type: 'group', title: 'Part' }));
    expect(group).toMatchObject({ kind: 'group', title: 'Part', slug: 'part' });
    const url = 'https://example.org/';
    const outside = await apply(editor, inserting({ type: 'link', title: 'Out', target: { kind: 'url', url } }));
    expect(outside).toMatchObject({ kind: 'link', target: { kind: 'url', url } });
    expect(outside).not.toHaveProperty('slug');
    const target = { kind: 'page' as const, page: group.id };
    expect((await apply(editor, inserting({ type: 'link', into: group.id, target }))).target).toEqual(target);
  });

  it.each<[Partial<InsertPageDto>, string]>([
    [{}, 'document is required: {"markdown": "…"}, or {} for an empty page'],
    [{ type: 'group', document: {} }, 'a group page has no document'],
    [{ type: 'link', document: {}, target: { kind: 'url', url: 'https://a' } }, 'a link page has no document'],
    [{ type: 'link' }, 'target is required for a link page'],
    [{ type: 'computed' }, 'computed is required for a computed page'],
    [{ type: 'computed', computed: { type: 'x' } }, 'computed: type must be builtin:openapi'],
    [{ type: 'group', target: { kind: 'url', url: 'https://a' } }, 'a group page has no target'],
    [{ document: {}, target: { kind: 'url', url: 'https://a' } }, 'a document page has no target'],
    [{ document: {}, computed: {} }, 'a document page has no computed'],
    [{ type: 'group', layout: {} }, 'a group page has no layout'],
    [{ type: 'group', cover: {} }, 'a group page has no cover'],
    [{ type: 'group', into: 'x' }, 'a group stands at the root only'],
    [{ type: 'link', target: { kind: 'page', page: 'nowhere' } }, 'target: there is no page nowhere'],
    [{ type: 'link', target: { kind: 'page', page: '__proto__' } }, 'target: there is no page __proto__'],
    [{ type: 'link', target: { kind: 'page', url: 'https://a' } }, 'target of kind page needs page'],
    [{ type: 'link', target: { kind: 'url' } }, 'target of kind url needs url'],
    [{ type: 'link', target: { kind: 'anchor', anchor: 'x' } }, 'target of kind anchor needs page'],
    [{ type: 'link', target: { kind: 'anchor', anchor: 'x', page: 'nowhere' } }, 'target: there is no page nowhere'],
    [{ type: 'link', target: { kind: 'page', page: 'nowhere', space: 's' } }, 'target: there is no page nowhere'],
    [{ type: 'link', target: { kind: 'file', file: 'nowhere' } }, 'target: there is no file nowhere'],
    [
      { type: 'link', target: { kind: 'reusable-content', reusableContent: 'nowhere' } },
      'target: there is no reusable content nowhere',
    ],
    [{ document: {}, cover: { ref: { kind: 'file', file: 'nowhere' } } }, 'cover.ref: there is no file nowhere'],
    [{ document: {}, cover: { refDark: { kind: 'user', user: 'u' } } }, 'cover.refDark must be of kind file or url'],
    [{ document: {}, into: 'nowhere' }, 'There is no page nowhere'],
    [{ document: {}, slug: 'No Slug' }, 'A slug is made of'],
  ])('refuses %j', async (fields, message) => {
    const refused = apply(await newEditor(), inserting(fields));
    await expect(refused).rejects.toBeInstanceOf(BadRequestException);
    await expect(refused).rejects.toThrow(message);
  });

  it('leads a link to what is in this space, and anywhere else', async () => {
    const editor = await newEditor();
    const page = await apply(editor, inserting({ document: document('# Here\n') }));
    await editor.putFile({ id: 'f1', name: 'a.png', contentType: 'image/png', size: 1, blob: 'b' });
    editor.putReusableContent({ id: 'r1', title: 'R', document: 'd' });
    const targets: InsertPageDto['target'][] = [
      { kind: 'page', page: page.id },
      { kind: 'page', page: page.id, space: 's' },
      { kind: 'page', page: 'elsewhere', space: 'other' },
      { kind: 'anchor', anchor: 'here', page: page.id },
      { kind: 'file', file: 'f1' },
      { kind: 'reusable-content', reusableContent: 'r1' },
      { kind: 'reusable-content', reusableContent: 'elsewhere', space: 'other' },
      { kind: 'space', space: 'other' },
      { kind: 'user', user: 'u1' },
      { kind: 'collection', collection: 'c1' },
      { kind: 'openapi', spec: 'petstore' },
      { kind: 'url', url: 'https://example.org/' },
    ];
    for (const target of targets) {
      const more = { ...target, kind: target?.kind ?? 'url', ...(target?.kind !== 'user' && { user: 'dropped' }) };
      expect((await apply(editor, inserting({ type: 'link', target: more }))).target).toEqual(target);
    }
  });

  it('takes a layout and a cover', async () => {
    const editor = await newEditor();
    await editor.putFile({ id: 'f1', name: 'a.png', contentType: 'image/png', size: 1, blob: 'b' });
    const layout = { width: 'wide' as const, outline: false };
    const ref = { kind: 'file' as const, file: 'f1' };
    const page = await apply(editor, inserting({ document: {}, layout, cover: { ref } }));
    expect(page).toMatchObject({ layout, cover: { ref, yPos: 0 } });
    const after = await apply(editor, updating(page.id, { layout: { outline: true, cover: false }, title: 'New' }));
    expect(after).toMatchObject({ layout: { width: 'wide', outline: true, cover: false }, cover: { ref, yPos: 0 } });
    const url = { kind: 'url' as const, url: 'https://example.org/a.png' };
    expect((await apply(editor, updating(page.id, { cover: { refDark: url, yPos: -4.5 } }))).cover).toEqual({
      refDark: url,
      yPos: -4.5,
    });
    expect(await apply(editor, updating(page.id, { cover: null }))).not.toHaveProperty('cover');
  });

  it('makes computed pages, and changes what they and links are made from', async () => {
    const editor = await newEditor();
    const source = (models: boolean) => ({
      type: 'builtin:openapi',
      props: { models },
      dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
    });
    const page = await apply(editor, inserting({ type: 'computed', title: 'API', computed: source(true) }));
    expect(page).toMatchObject({ kind: 'computed', title: 'API', computed: source(true) });
    expect((await apply(editor, updating(page.id, { computed: source(false) }))).computed).toEqual(source(false));
    const link = await apply(editor, inserting({ type: 'link', target: { kind: 'url', url: 'https://a.test/' } }));
    const target = { kind: 'page' as const, page: page.id };
    expect((await apply(editor, updating(link.id, { target }))).target).toEqual(target);
    await expect(apply(editor, updating(link.id, { computed: source(true) }))).rejects.toThrow(
      'changes.0: a link page is not computed',
    );
    await expect(apply(editor, updating(page.id, { target }))).rejects.toThrow('changes.0: only a link has a target');
  });

  it('refuses a slug that is taken, and numbers one that it makes', async () => {
    const editor = await newEditor();
    await apply(editor, inserting({ title: 'Same', document: {} }));
    expect((await apply(editor, inserting({ title: 'Same', document: {} }))).slug).toBe('same-1');
    await expect(apply(editor, inserting({ slug: 'same', document: {} }))).rejects.toThrow(BadRequestException);
  });
});

describe('updating a page', () => {
  const FULL = { title: 'Before', emoji: '📘', icon: 'book', description: 'About', hidden: true, noIndex: true };

  it('changes what is named, and nothing else', async () => {
    const editor = await newEditor();
    const before = await apply(editor, inserting({ ...FULL, document: document('Text\n') }));
    const after = await apply(editor, updating(before.id, { description: 'Else', hidden: false }));
    const { hidden: _hidden, ...kept } = before;
    expect(after).toEqual({ ...kept, description: 'Else', updatedAt: after.updatedAt });
  });

  it('takes away what is empty', async () => {
    const editor = await newEditor();
    const { id } = await apply(editor, inserting({ ...FULL, document: document() }));
    const after = await apply(editor, updating(id, { emoji: '', icon: '', description: '' }));
    for (const name of ['emoji', 'icon', 'description']) expect(after).not.toHaveProperty(name);
    expect(after).toMatchObject({ title: 'Before', hidden: true });
  });

  it('gives it another text, whose front matter wins and whose heading does not rename it', async () => {
    const editor = await newEditor();
    const { id } = await apply(editor, inserting({ ...FULL, document: document() }));
    const markdown = '---\nemoji: ""\nhidden: false\n---\n# Heading\n';
    const after = await apply(editor, updating(id, { emoji: '📗', document: { markdown } }));
    expect(after).toMatchObject({ title: 'Before', icon: 'book' });
    expect(after).not.toHaveProperty('emoji');
    expect(after).not.toHaveProperty('hidden');
    expect(await content.documents.markdown(after.document ?? '')).toBe(markdown);
    const renamed = await apply(editor, updating(id, { title: 'Given', document: document('---\ntitle: M\n---\n') }));
    expect(renamed.title).toBe('M');
  });

  it('moves it: to the root, under another page, to another place', async () => {
    const editor = await newEditor();
    const one = await apply(editor, inserting({ title: 'One', document: document() }));
    const two = await apply(editor, inserting({ title: 'Two', document: document() }));
    expect((await apply(editor, updating(two.id, { into: one.id }))).parent).toBe(one.id);
    const back = await apply(editor, updating(two.id, { into: null, at: 0 }));
    expect(back.parent).toBeNull();
    expect(back.order < one.order).toBe(true);
    expect((await apply(editor, updating(two.id, { at: 1 }))).order > one.order).toBe(true);
  });

  it('moves it under a new name to where its old one is taken', async () => {
    const editor = await newEditor();
    const parent = await apply(editor, inserting({ title: 'Parent', document: document() }));
    const there = await apply(editor, inserting({ slug: 'same', into: parent.id, document: document() }));
    const { id } = await apply(editor, inserting({ slug: 'same', document: document() }));
    await expect(apply(editor, updating(id, { into: parent.id }))).rejects.toThrow(
      'Another page there has the slug same',
    );
    const moved = await apply(editor, updating(id, { into: parent.id, slug: 'other' }));
    expect(moved).toMatchObject({ parent: parent.id, slug: 'other', slugSet: true });
    expect((await editor.findPage(there.id))?.slug).toBe('same');
  });

  it('lets the slug follow the title until somebody sets it', async () => {
    const editor = await newEditor();
    const { id } = await apply(editor, inserting({ title: 'One', document: document() }));
    expect((await apply(editor, updating(id, { title: 'Two' }))).slug).toBe('two');
    expect((await apply(editor, updating(id, { slug: 'mine' }))).slug).toBe('mine');
    expect((await apply(editor, updating(id, { title: 'Three' }))).slug).toBe('mine');
  });

  it('refuses what cannot be', async () => {
    const editor = await newEditor();
    const parent = await apply(editor, inserting({ title: 'Parent', document: document() }));
    const child = await apply(editor, inserting({ title: 'Child', into: parent.id, document: document() }));
    const group = await apply(editor, inserting({ type: 'group', title: 'Group' }));
    const cases: [UpdatePageDto, string][] = [
      [updating('nowhere'), 'There is no page nowhere'],
      [updating('__proto__', { title: 'x' }), 'There is no page __proto__'],
      [updating(group.id, { document: document() }), 'a group page has no text'],
      [updating(parent.id, { into: child.id }), 'A page cannot lie under itself'],
      [updating(parent.id, { into: parent.id }), 'A page cannot lie under itself'],
      [updating(parent.id, { slug: 'group' }), 'Another page there has the slug group'],
      [updating(group.id, { into: parent.id }), 'Groups lie at the top only'],
    ];
    for (const [change, message] of cases) {
      const refused = apply(editor, change);
      await expect(refused).rejects.toBeInstanceOf(BadRequestException);
      await expect(refused).rejects.toThrow(message);
    }
  });
});

describe('deleting a page', () => {
  it('takes all below it with it', async () => {
    const editor = await newEditor();
    const parent = await apply(editor, inserting({ title: 'Parent', document: document() }));
    const child = await apply(editor, inserting({ title: 'Child', into: parent.id, document: document() }));
    const deleting: ChangeDto = { operation: 'delete_page', page: parent.id };
    const touched = await touch(editor, deleting);
    expect(touched).toEqual({ kind: 'deleted', page: parent.id, below: [child.id] });
    expect([await editor.findPage(parent.id), await editor.findPage(child.id)]).toEqual([null, null]);
    await expect(touch(editor, deleting)).rejects.toThrow('changes.0: There is no page');
  });
});
