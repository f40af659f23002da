import { BadRequestException, ConflictException } from '@nestjs/common';
import { type ContentProcess, startContent } from '../../test/support/content.js';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import type { Space } from '../spaces/index.js';
import type { ChangeDto } from './dto/change-content.dto.js';

let test: TestDatabase;
let content: ContentProcess;

beforeAll(async () => {
  test = await startTestDatabase();
  content = await startContent(test);
});

afterAll(() => test.stop());

const newSpace = (): Promise<Space> => content.spaces.create('org', 'ann', {});

const insert = (title: string, more: Partial<Extract<ChangeDto, { operation: 'insert_page' }>> = {}): ChangeDto => ({
  operation: 'insert_page',
  title,
  document: { markdown: 'Text\n' },
  ...more,
});

/** A space with pages of these titles, and their ids. */
async function spaceWith(...titles: string[]): Promise<{ space: Space; ids: string[] }> {
  const space = await newSpace();
  const { touched } = await content.editing.edit(
    space,
    'ann',
    titles.map((title) => insert(title)),
  );
  return { space, ids: touched.map(({ page }) => page) };
}

describe('a batch', () => {
  it('is one revision, and tells of each page in order', async () => {
    const { space, ids } = await spaceWith('One', 'Two');
    const [one = '', two = ''] = ids;
    const before = (await content.spaces.get(space._id)).revision;
    const { revision, touched } = await content.editing.edit(space, 'ben', [
      { operation: 'update_page', page: two, title: 'Second' },
      insert('Three', { ref: 'r' }),
      { operation: 'delete_page', page: one },
      { operation: 'update_page', page: two, description: 'Again' },
    ]);
    expect(touched).toEqual([
      { kind: 'updated', page: two },
      { kind: 'created', page: touched[1]?.page, ref: 'r' },
      { kind: 'deleted', page: one, below: [] },
    ]);
    expect(await content.revisions.get(revision)).toMatchObject({ parents: [before], author: 'ben' });
    const { pages } = await content.pages(space._id);
    expect(pages.map(({ node }) => node.title)).toEqual(['Second', 'Three']);
  });

  it('says of a page that was changed and then deleted that it was deleted', async () => {
    const { space, ids } = await spaceWith('One');
    const [page = ''] = ids;
    const { touched } = await content.editing.edit(space, 'ann', [
      { operation: 'update_page', page, title: 'x' },
      { operation: 'delete_page', page },
    ]);
    expect(touched).toEqual([{ kind: 'deleted', page, below: [] }]);
  });

  it('tells what became of a page that it touched, and that went with the one above', async () => {
    const { space, ids } = await spaceWith('Parent');
    const [parent = ''] = ids;
    const { touched: made } = await content.editing.edit(space, 'ann', [insert('Child', { into: parent })]);
    const child = made[0]?.page ?? '';
    const { touched } = await content.editing.edit(space, 'ann', [
      { operation: 'update_page', page: child, title: 'Renamed' },
      insert('New', { into: parent }),
      { operation: 'delete_page', page: parent },
    ]);
    expect(touched.map(({ kind, page }) => [kind, page])).toEqual([
      ['deleted', child],
      ['deleted', parent],
    ]);
  });

  it('is applied whole or not at all, and names the entry at fault', async () => {
    const { space } = await spaceWith('One');
    const before = await content.spaces.get(space._id);
    const refused = content.editing.edit(space, 'ann', [
      insert('Two'),
      { operation: 'delete_page', page: 'nowhere' },
      insert('Three'),
    ]);
    await expect(refused).rejects.toBeInstanceOf(BadRequestException);
    await expect(refused).rejects.toThrow('changes.1: There is no page nowhere');
    expect(await content.spaces.get(space._id)).toEqual(before);
  });

  it.each<[ChangeDto, string]>([
    [insert('x', { document: { markdown: 'a', document: {} } }), 'changes.1: document takes either markdown or'],
    [insert('x', { document: { document: { nodes: 5 } } }), 'changes.1: '],
    [insert('x', { document: { markdown: 'a\0' } }), 'changes.1: Markdown cannot hold NUL'],
  ])('is refused for a text that cannot be stored: %#', async (change, message) => {
    const space = await newSpace();
    const refused = content.editing.edit(space, 'ann', [insert('fine'), change]);
    await expect(refused).rejects.toBeInstanceOf(BadRequestException);
    await expect(refused).rejects.toThrow(message);
  });

  it('is refused when two pages have one name', async () => {
    const refused = content.editing.edit(await newSpace(), 'ann', [
      insert('a', { ref: 'r' }),
      insert('b', { ref: 'r' }),
    ]);
    await expect(refused).rejects.toThrow('changes.1: ref "r" is used twice in this batch');
    const names = [insert('a', { ref: '__proto__' }), insert('b', { ref: 'constructor' }), insert('c'), insert('d')];
    expect((await content.editing.edit(await newSpace(), 'ann', names)).touched).toHaveLength(4);
  });
});

describe('a locked space', () => {
  const LOCKED = 'The space is locked: its content changes through change requests only';

  it('takes no edits', async () => {
    const space = await content.spaces.update(await newSpace(), { editMode: 'locked' });
    const refused = content.editing.edit(space, 'ann', [insert('x')]);
    await expect(refused).rejects.toBeInstanceOf(ConflictException);
    await expect(refused).rejects.toThrow(LOCKED);
  });

  it('takes none either when it was locked after the request came in', async () => {
    const space = await newSpace();
    await content.spaces.update(space, { editMode: 'locked' });
    await expect(content.editing.edit(space, 'ann', [insert('x')])).rejects.toThrow(LOCKED);
    expect((await content.pages(space._id)).pages).toEqual([]);
  });
});
