import { BadRequestException, ConflictException, NotFoundException } from '@nestjs/common';
import type { Connection } from 'mongoose';
import { cases } from '../../test/support/cases.js';
import { type ContentProcess, startContent } from '../../test/support/content.js';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import type { TreeEditor } from '../revisions/index.js';
import type { Space } from '../spaces/index.js';
import { until } from '../../test/support/until.js';

let test: TestDatabase;
let one: ContentProcess;
let other: ContentProcess;
let connection: Connection;

beforeAll(async () => {
  test = await startTestDatabase();
  one = await startContent(test);
  other = await startContent(test);
  connection = await test.connect('colophon');
});

afterAll(() => test.stop());

const newSpace = async (): Promise<string> => (await one.spaces.create('org', 'ann', {}))._id;

/** An edit that adds a page in the process `of`. */
const adding =
  (of: ContentProcess, title: string, markdown = `the needle in ${title}\n`) =>
  async (editor: TreeEditor) =>
    editor.insertPage(await of.draft(title, markdown));

const titles = async (space: string): Promise<string[]> =>
  [...(await other.pages(space)).byId.values()].map(({ node }) => node.title).sort();

const found = async (space: string): Promise<number> => (await other.search.searchSpace(space, 'needle')).count;

/** The revisions from the present one to the first. */
async function history(space: string): Promise<string[]> {
  const line: string[] = [];
  for (let id: string | undefined = (await other.spaces.get(space)).revision; id !== undefined;) {
    line.push(id);
    const { parents } = await other.revisions.get(id);
    expect(parents.length).toBeLessThanOrEqual(1);
    id = parents[0];
  }
  return line;
}

describe('an edit', () => {
  it('becomes a revision, the present one, and is found at once', async () => {
    const space = await newSpace();
    const first = (await one.spaces.get(space)).revision;
    const { revision, result, indexed } = await one.writer.write(space, 'ann', adding(one, 'Page'));
    expect(indexed).toBe(true);
    expect(result.title).toBe('Page');
    expect(await other.revisions.get(revision._id)).toMatchObject({
      organization: 'org',
      space,
      type: 'edits',
      parents: [first],
      author: 'ann',
    });
    expect(await other.spaces.get(space)).toMatchObject({ revision: revision._id, indexing: false });
    expect([await titles(space), await found(space)]).toEqual([['Page'], 1]);
  });

  it('that changes nothing makes no revision', async () => {
    const space = await newSpace();
    await one.writer.write(space, 'ann', adding(one, 'Page'));
    const before = await one.spaces.get(space);
    const { revision, result } = await one.writer.write(space, 'ann', async (editor) => {
      const { id } = await editor.insertPage(await one.draft('Gone again'));
      await editor.deletePage(id);
      return 'nothing';
    });
    expect([revision._id, result]).toEqual([before.revision, 'nothing']);
    expect(await one.spaces.get(space)).toEqual(before);
  });

  it('that the rules refuse is told to the caller, and writes nothing', async () => {
    const space = await newSpace();
    const before = await one.spaces.get(space);
    const refused = one.writer.write(space, 'ann', async (editor) => {
      await editor.insertPage(await one.draft('Page'));
      await editor.deletePage('nowhere');
    });
    await expect(refused).rejects.toBeInstanceOf(BadRequestException);
    await expect(refused).rejects.toThrow('There is no page nowhere');
    expect(await one.spaces.get(space)).toEqual(before);
  });

  it('that fails otherwise throws the same, and holds up nobody', async () => {
    const space = await newSpace();
    const failure = new Error('no');
    await expect(one.writer.write(space, 'ann', () => Promise.reject(failure))).rejects.toBe(failure);
    await one.writer.write(space, 'ann', adding(one, 'Page'));
    expect(await titles(space)).toEqual(['Page']);
  });

  it('is not for a space that is gone, or in the trash', async () => {
    const edit = one.writer.write('nowhere', 'ann', adding(one, 'Page'));
    await expect(edit).rejects.toBeInstanceOf(NotFoundException);
    const space = await newSpace();
    const trash = { $set: { deletedAt: new Date() } };
    await connection.collection<Space>('spaces').updateOne({ _id: space }, trash);
    await expect(one.writer.write(space, 'ann', adding(one, 'Page'))).rejects.toThrow('Space not found');
  });

  it('is all or nothing: the pointer stays where the index cannot be written', async () => {
    const space = await newSpace();
    const before = await one.spaces.get(space);
    await test.fail({ times: 1, skip: 1 }, { failCommands: ['update', 'commitTransaction'], errorCode: 2 });
    await expect(one.writer.write(space, 'ann', adding(one, 'Page'))).rejects.toMatchObject({ code: 2 });
    await test.fail('off');
    expect(await other.spaces.get(space)).toEqual(before);
    expect([await titles(space), await found(space)]).toEqual([[], 0]);
  });
});

describe('a lost race', () => {
  it('is run again on what the other one wrote', async () => {
    const space = await newSpace();
    let runs = 0;
    const { result } = await one.writer.write(space, 'ann', async (editor) => {
      runs += 1;
      if (runs === 1) await other.writer.write(space, 'ben', adding(other, 'First'));
      await editor.insertPage(await one.draft('Second', 'the needle in Second\n'));
      return runs;
    });
    expect([runs, result]).toEqual([2, 2]);
    expect([await titles(space), await found(space)]).toEqual([['First', 'Second'], 2]);
    expect(await history(space)).toHaveLength(3);
  });

  it('loses nothing when two processes write the same space at once', async () => {
    const space = await newSpace();
    const all: Promise<unknown>[] = [];
    const wanted: string[] = [];
    for (let round = 0; round < cases(4, 25); round++) {
      for (const [name, at] of [['One', one] as const, ['Other', other] as const]) {
        wanted.push(`${name} ${round}`);
        all.push(at.writer.write(space, name, adding(at, `${name} ${round}`)));
      }
    }
    await Promise.all(all);
    expect(await titles(space)).toEqual(wanted.sort());
    expect(await found(space)).toBe(wanted.length);
    // one line, in which nobody wrote over anybody
    expect(await history(space)).toHaveLength(wanted.length + 1);
    expect(await one.spaces.get(space)).toMatchObject({ indexing: false });
  });

  it('ends in a refusal when others keep winning', async () => {
    const space = await newSpace();
    let runs = 0;
    const lost = one.writer.write(space, 'ann', async (editor) => {
      runs += 1;
      await other.writer.write(space, 'ben', adding(other, `Theirs ${runs}`));
      await editor.insertPage(await one.draft('Mine'));
    });
    await expect(lost).rejects.toBeInstanceOf(ConflictException);
    expect(runs).toBe(20);
    const all = await titles(space);
    expect(all).toHaveLength(20);
    expect(all).not.toContain('Mine');
  });

  it('is run again on a refusal of what was there before', async () => {
    const space = await newSpace();
    const { result } = await one.writer.write(space, 'ann', adding(one, 'Page'));
    let runs = 0;
    const edit = one.writer.write(space, 'ann', async (editor) => {
      runs += 1;
      if (runs === 1) {
        await other.writer.write(space, 'ben', (theirs) => theirs.deletePage(result.id));
      }
      await editor.updatePage(result.id, { title: 'Renamed' });
    });
    await expect(edit).rejects.toThrow(`There is no page ${result.id}`);
    expect([runs, await titles(space)]).toEqual([2, []]);
  });
});

describe('a large edit', () => {
  const addingMany =
    (count: number, of = one) =>
    async (editor: TreeEditor): Promise<void> => {
      for (let index = 0; index < count; index++) await adding(of, `Page ${index}`)(editor);
    };

  /** Waits until search has come to the content of `space`. */
  async function settled(space: string): Promise<void> {
    await until('search catches up', async () => !(await other.spaces.get(space)).indexing);
  }

  it.each([
    [50, true],
    [51, false],
  ])('of %i pages is found at once: %s', async (count, atOnce) => {
    const space = await newSpace();
    const { indexed } = await one.writer.write(space, null, addingMany(count));
    expect(indexed).toBe(atOnce);
    expect(await other.spaces.get(space)).toMatchObject({ indexing: !atOnce });
    expect(await found(space)).toBe(atOnce ? count : 0);
  });

  it('is found when the sweep has come to it, which starts at once where it runs', async () => {
    const space = await newSpace();
    const third = await startContent(test);
    third.sweep.start();
    await third.writer.write(space, null, addingMany(120, third));
    await settled(space);
    expect(await found(space)).toBe(120);
    await third.sweep.onModuleDestroy();
  });

  it('that a process left behind is taken up by the next one that starts', async () => {
    const space = await newSpace();
    await one.writer.write(space, null, addingMany(60));
    const third = await startContent(test);
    third.sweep.start();
    await settled(space);
    expect(await found(space)).toBe(60);
    await third.sweep.onModuleDestroy();
  });

  it('leaves the small ones after it to the sweep, too, so that none is overtaken', async () => {
    const space = await newSpace();
    await one.writer.write(space, null, addingMany(60));
    const { indexed } = await one.writer.write(space, null, adding(one, 'Small'));
    expect(indexed).toBe(false);
    await other.indexer.catchUp(space);
    expect(await found(space)).toBe(61);
    expect((await one.writer.write(space, null, adding(one, 'Smaller'))).indexed).toBe(true);
    expect(await found(space)).toBe(62);
  });
});
