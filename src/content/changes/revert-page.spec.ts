import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { type ContentProcess, startContent } from '../../../test/support/content.js';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import type { PageNode, TreePage } from '../../revisions/index.js';
import type { Space } from '../../spaces/index.js';
import type { ChangeDto } from '../dto/change-content.dto.js';
import type { InsertPageDto, UpdatePageDto } from '../dto/page-changes.dto.js';

let test: TestDatabase;
let content: ContentProcess;
let space: Space;

beforeAll(async () => {
  test = await startTestDatabase();
  content = await startContent(test);
});

afterAll(() => test.stop());

beforeEach(async () => {
  space = await content.spaces.create('org', 'ann', {});
});

const insert = (title: string, more: Partial<InsertPageDto> = {}): ChangeDto => ({
  operation: 'insert_page',
  title,
  document: { markdown: `About ${title}\n` },
  ...more,
});
const update = (page: string, more: Partial<UpdatePageDto>): ChangeDto => ({ operation: 'update_page', page, ...more });
const remove = (page: string): ChangeDto => ({ operation: 'delete_page', page });
const revert = (page: string, revision?: string): ChangeDto => ({
  operation: 'revert_page',
  page,
  ...(revision !== undefined && { revision }),
});

const edit = (...changes: ChangeDto[]) => content.editing.edit(space, 'ann', changes);
/** Inserts a page; answers its id. */
const add = async (title: string, more: Partial<InsertPageDto> = {}): Promise<string> =>
  (await edit(insert(title, more))).touched[0]?.page ?? '';
const now = async (): Promise<string> => (await content.spaces.get(space._id)).revision;

const flat = (pages: readonly TreePage[]): TreePage[] => pages.flatMap((page) => [page, ...flat(page.pages)]);
const paths = async (): Promise<(string | null)[]> =>
  flat((await content.pages(space._id)).pages).map(({ path }) => path);
/** All pages in reading order, without the times at which they were changed. */
const state = async (): Promise<Omit<PageNode, 'updatedAt'>[]> =>
  flat((await content.pages(space._id)).pages).map(({ node: { updatedAt: _, ...node } }) => node);

describe('reverting a page', () => {
  it('gives a changed page back its text, its fields and its place', async () => {
    const top = await add('Top', { layout: { width: 'wide' }, emoji: '📘', description: 'About' });
    await add('Last');
    const page = await add('Page', { slug: 'mine', into: top, hidden: true });
    const before = await state();
    const changed = update(page, { title: 'New', slug: 'new', into: null, at: 0, document: { markdown: 'x' } });
    await edit(changed, update(top, { layout: { outline: false }, emoji: '', cover: { yPos: 1 }, noIndex: true }));
    const { touched } = await edit(revert(page), revert(top));
    expect(touched).toEqual([
      { kind: 'updated', page },
      { kind: 'updated', page: top },
    ]);
    expect(await state()).toEqual(before);
    const same = await now();
    expect((await edit(revert(page, same))).revision).toBe(same);
  });

  it('removes one that was added since, with what was added below it', async () => {
    const old = await add('Old');
    const below = await add('Below', { into: old });
    const before = await state();
    const base = await now();
    const added = await add('Added');
    const inner = await add('Inner', { into: added });
    await edit(update(old, { into: inner }), update(below, { into: added, title: 'Kept' }));
    expect((await edit(revert(added, base))).touched).toEqual([{ kind: 'deleted', page: added, below: [inner] }]);
    // what was there before stays, with what was done to it, and goes back to where it was
    expect(await paths()).toEqual(['old', 'old/kept']);
    await edit(revert(below, base));
    expect(await state()).toEqual(before);
  });

  it('restores one that was deleted, with what lay below it', async () => {
    const first = await add('First');
    const top = await add('Top');
    const page = await add('Page', { into: top });
    const moved = await add('Moved', { into: page });
    await add('Last');
    const before = await state();
    await edit(update(moved, { into: first }), remove(top));
    await edit(insert('Other'));
    const base = (await content.revisions.get(await now())).parents[0] ?? '';
    const older = (await content.revisions.get(base)).parents[0] ?? '';
    expect((await edit(revert(top, older))).touched).toEqual([{ kind: 'created', page: top }]);
    expect(await paths()).toEqual(['first', 'first/moved', 'top', 'top/page', 'last', 'other']);
    await edit(revert(moved, older));
    expect((await state()).slice(0, -1)).toEqual(before);
  });

  it('keeps what the addresses in the text mean', async () => {
    const target = await add('Target');
    const page = await add('Page', { document: { markdown: '[t](target)\n' } });
    await edit(remove(page), update(target, { title: 'Renamed' }));
    await edit(revert(page));
    const { text } = await content.reading.page(await now(), page, { format: 'markdown' });
    expect(text).toEqual({ markdown: '[t](renamed)\n' });
  });

  it('keeps what they mean where they are read by their words, wherever page and target have gone', async () => {
    const text = async (page: string) => (await content.reading.page(await now(), page, { format: 'markdown' })).text;
    const top = await add('Top');
    // what they lead to comes later: nothing is kept beside the texts
    const page = await add('Page', { into: top, document: { markdown: '[b](page/below) [s](sibling)\n' } });
    const below = await add('Below', { into: page });
    const sibling = await add('Sibling', { into: top });
    const base = await now();
    await edit(remove(page), insert('Page', { into: top }), update(sibling, { title: 'Brother' }));
    await edit(revert(page, base));
    expect(await paths()).toEqual(['top', 'top/page-1', 'top/page-1/below', 'top/brother', 'top/page']);
    expect(await text(page)).toEqual({ markdown: '[b](page-1/below) [s](brother)\n' });
    // one that is there, with the same text and with another
    await edit(update(page, { title: 'Other' }), update(below, { into: null }));
    await edit(revert(page, base));
    expect(await text(page)).toEqual({ markdown: '[b](../below) [s](brother)\n' });
    await edit(update(page, { document: { markdown: 'x' } }));
    await edit(revert(page, base));
    expect(await text(page)).toEqual({ markdown: '[b](../below) [s](brother)\n' });
  });

  it('goes as near to the old place as there is one, under a slug that is free', async () => {
    const top = await add('Top');
    const middle = await add('Middle', { into: top });
    const page = await add('Page', { into: middle, slug: 'mine' });
    const base = await now();
    await edit(remove(middle), insert('Other', { into: top, slug: 'mine' }));
    await edit(revert(page, base));
    expect(await paths()).toEqual(['top', 'top/mine', 'top/page']);
    await edit(remove(top));
    await edit(insert('Page'), insert('Other', { slug: 'mine' }), revert(page, base));
    expect((await paths()).sort()).toEqual(['mine', 'page', 'page-1']);
  });

  it('does not put a page below itself', async () => {
    const a = await add('A');
    const b = await add('B', { into: a });
    const base = await now();
    await edit(update(b, { into: null }), update(a, { into: b }));
    await edit(revert(b, base));
    expect((await paths()).sort()).toEqual(['b', 'b/a']);
    await edit(revert(a, base), revert(b, base));
    expect(await paths()).toEqual(['a', 'a/b']);
  });

  it('works inside a batch', async () => {
    const page = await add('Page');
    const base = await now();
    const { touched } = await edit(remove(page), revert(page, base), insert('Below', { into: page }));
    expect(touched).toEqual([
      { kind: 'updated', page },
      { kind: 'created', page: touched[1]?.page },
    ]);
    expect(await paths()).toEqual(['page', 'page/below']);
    expect((await edit(insert('New'), remove(page), revert(page, base))).touched.at(-1)).toEqual({
      kind: 'updated',
      page,
    });
  });

  it('is refused for a page that never was, and for revisions of no use', async () => {
    await expect(edit(revert('nowhere'))).rejects.toThrow('changes.0: There is no earlier revision');
    const page = await add('Page');
    await expect(edit(revert('nowhere'))).rejects.toThrow('changes.0: There is no page nowhere, and there was none');
    await expect(edit(insert('x'), revert(page, 'nowhere'))).rejects.toThrow(
      'changes.1: There is no revision nowhere of this space',
    );
    const other = await content.spaces.create('org', 'ann', {});
    await expect(edit(revert(page, other.revision))).rejects.toThrow(`There is no revision ${other.revision} of this`);
  });

  it('undoes whatever was done', async () => {
    const step = fc.record({
      kind: fc.constantFrom('insert', 'delete', 'move', 'rename', 'slug'),
      page: fc.nat(9),
      other: fc.nat(9),
      title: fc.constantFrom('A', 'B', 'C'),
      at: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        space = await content.spaces.create('org', 'ann', {});
        const ids: string[] = [];
        for (const [n, title] of ['A', 'B', 'A', 'C', 'A', 'B'].entries()) {
          ids.push(await add(title, n > 2 ? { into: ids[n - 3] } : {}));
        }
        const [base, before] = [await now(), await state()];
        for (const { kind, page, other, title, at } of steps) {
          const [id = '', into = null] = [ids[page], ids[other]];
          const change: Record<typeof kind, ChangeDto> = {
            insert: insert(title, { at, ...(into !== null && { into }) }),
            delete: remove(id),
            move: update(id, { into, at }),
            rename: update(id, { title, document: { markdown: title } }),
            slug: update(id, { slug: `${title.toLowerCase()}-1` }),
          };
          // what cannot be done is not done
          const done = await edit(change[kind]).catch(() => undefined);
          if (kind === 'insert' && done?.touched[0]) ids.push(done.touched[0].page);
        }
        const old = new Set(before.map(({ id }) => id));
        const after = flat((await content.pages(space._id)).pages).map(({ node }) => node.id);
        for (const id of after.filter((one) => !old.has(one))) {
          if ((await content.pages(space._id)).byId.has(id)) await edit(revert(id, base));
        }
        // a slug or a place may be free only when all the others are back
        for (let round = 0; round < 3; round += 1) await edit(...before.map(({ id }) => revert(id, base)));
        expect(await state()).toEqual(before);
      }),
      { numRuns: cases(4, 200) },
    );
  });
});
