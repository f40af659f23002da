import type { CommandStartedEvent } from 'mongodb';
import { type ContentProcess, startContent } from '../../../test/support/content.js';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import type { ChangeDto } from '../dto/change-content.dto.js';
import type { Branch } from './branches.service.js';

let test: TestDatabase;
let one: ContentProcess;
let other: ContentProcess;

beforeAll(async () => {
  test = await startTestDatabase();
  one = await startContent(test);
  other = await startContent(test);
});

afterAll(() => test.stop());

const yes = (): Promise<boolean> => Promise.resolve(true);

/** A space with `count` pages and their ids, indexed. */
async function spaceOf(count: number): Promise<{ space: string; ids: string[] }> {
  const { _id: space } = await one.spaces.create('org', 'ann', {});
  const { result: ids } = await one.writer.write(space, null, async (editor) => {
    const made: string[] = [];
    for (let index = 0; index < count; index += 1) {
      made.push((await editor.insertPage(await one.draft(`Page ${String(index)}`))).id);
    }
    return made;
  });
  await one.indexer.catchUp(space);
  return { space, ids };
}

/** A branch of the space with these changes. */
async function branchOf(space: string, ...changes: ChangeDto[]): Promise<Branch> {
  const present = await one.spaces.get(space);
  const branch = { changeRequest: 'cr', space: present, revision: present.revision, base: present.revision };
  const batch = await one.batches.prepare(present.organization, changes);
  const { revision } = await one.branches.edit(branch, 'ann', batch);
  return { ...branch, revision: revision._id };
}

const update = (page: string, markdown: string): ChangeDto => ({
  operation: 'update_page',
  page,
  document: { markdown },
});
const insert = (title: string): ChangeDto => ({ operation: 'insert_page', title, document: { markdown: 'Text\n' } });

const titles = async (space: string): Promise<string[]> =>
  [...(await other.pages(space)).byId.values()].map(({ node }) => node.title).sort();

describe('a branch', () => {
  it('keeps its content to itself until it is merged', async () => {
    const { space } = await spaceOf(1);
    const before = await one.spaces.get(space);
    const branch = await branchOf(space, insert('Mine'));
    expect(await one.spaces.get(space)).toEqual(before);
    const revision = await one.revisions.get(branch.revision);
    expect(revision).toMatchObject({ type: 'edits', parents: [before.revision], author: 'ann', changeRequest: 'cr' });
    const merged = await one.branches.merge(branch, 'ben', yes);
    const parents = [before.revision, branch.revision];
    expect(merged).toMatchObject({
      kind: 'merged',
      revision: { type: 'merge', parents, author: 'ben', changeRequest: 'cr' },
    });
    expect(await titles(space)).toEqual(['Mine', 'Page 0']);
  });

  it('is not merged when the caller gives up', async () => {
    const { space } = await spaceOf(1);
    const branch = await branchOf(space, insert('Mine'));
    const before = await one.spaces.get(space);
    expect(await one.branches.merge(branch, 'ann', () => Promise.resolve(false))).toEqual({ kind: 'lost' });
    expect(await one.spaces.get(space)).toEqual(before);
    expect((await other.search.searchSpace(space, 'Mine')).count).toBe(0);
  });

  it('is not merged when what the caller writes fails', async () => {
    const { space } = await spaceOf(1);
    const branch = await branchOf(space, insert('Mine'));
    const before = await one.spaces.get(space);
    const failure = new Error('no');
    await expect(one.branches.merge(branch, 'ann', () => Promise.reject(failure))).rejects.toBe(failure);
    expect(await one.spaces.get(space)).toEqual(before);
  });

  it('is merged anew when another process writes to the space meanwhile', async () => {
    const { space } = await spaceOf(1);
    const branches = [await branchOf(space, insert('Mine')), await branchOf(space, insert('Mine too'))];
    const merges = branches.map((branch) => one.branches.merge(branch, 'ann', yes));
    const writes = ['Theirs', 'Theirs too'].map((title) =>
      other.writer.write(space, 'ben', async (editor) => editor.insertPage(await other.draft(title))),
    );
    await Promise.all([...merges, ...writes]);
    expect(await titles(space)).toEqual(['Mine', 'Mine too', 'Page 0', 'Theirs', 'Theirs too']);
  });

  it('tells of conflicts without writing a revision', async () => {
    const { space, ids } = await spaceOf(1);
    const [page = ''] = ids;
    const branch = await branchOf(space, update(page, 'Ours\n'));
    expect(await one.branches.conflicts(branch)).toEqual([]);
    await one.editing.edit(await one.spaces.get(space), 'ben', [update(page, 'Theirs\n')]);
    const now = { ...branch, space: await one.spaces.get(space) };
    const before = await one.revisions.history(space, { limit: 0 });
    const conflict = {
      page,
      path: 'page-0',
      kind: 'text',
      base: 'Text of Page 0\n',
      ours: 'Ours\n',
      theirs: 'Theirs\n',
    };
    expect(await one.branches.conflicts(now)).toEqual([conflict]);
    expect(await one.branches.pull(now, 'ann')).toEqual({ kind: 'conflicts', conflicts: [conflict] });
    expect(await one.branches.merge(now, 'ann', yes)).toEqual({ kind: 'conflicts', conflicts: [conflict] });
    expect(await one.revisions.history(space, { limit: 0 })).toEqual(before);
  });

  it('costs what it changes, however large the space', async () => {
    const small = await mergeCommands(30);
    const large = await mergeCommands(1200);
    expect(large).toBeLessThanOrEqual(small * 1.2);
  });
});

/** How many commands the database gets for the merge of two pages of `size`, when two others were edited meanwhile. */
async function mergeCommands(size: number): Promise<number> {
  const { space, ids } = await spaceOf(size);
  const [a = '', b = '', c = '', d = ''] = [0, 9, 19, 29].flatMap((at) => ids[at] ?? []);
  const branch = await branchOf(space, update(a, 'Ours\n'), { operation: 'update_page', page: b, slug: 'ours' });
  await one.editing.edit(await one.spaces.get(space), 'ben', [
    update(c, 'Theirs\n'),
    { operation: 'update_page', page: d, slug: 'theirs' },
  ]);
  let commands = 0;
  const count = (_event: CommandStartedEvent): void => void (commands += 1);
  const client = one.connection.getClient();
  client.on('commandStarted', count);
  expect(await one.branches.merge(branch, 'ann', yes)).toMatchObject({ kind: 'merged' });
  client.off('commandStarted', count);
  expect(commands).toBeGreaterThan(0);
  return commands;
}
