import { getConnectionToken } from '@nestjs/mongoose';
import type { TestingModule } from '@nestjs/testing';
import fc from 'fast-check';
import type { Connection } from 'mongoose';
import { cases } from '../../test/support/cases.js';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { ConfigModule, loadConfig } from '../config/index.js';
import { MembersService } from '../organizations/index.js';
import { ContentSweep, DocumentsService, RevisionsService, type Swept } from '../revisions/index.js';
import { type Space, SpaceLifeService, SpacePurge, SpacesService } from '../spaces/index.js';
import { ContentModule } from './content.module.js';
import { ContentWriter } from './content.writer.js';
import { Indexer } from './indexer.js';

const LONG = 300_000;
const DAY = 24 * 60 * 60_000;
const config = ConfigModule.of(loadConfig({ SECRET_KEY: 'a key that is made of 32 characters' }));

let test: TestDatabase;
let one: Process;
let other: Process;
let organizations = 0;

/** What makes and removes content, as one process runs it. */
class Process {
  readonly connection: Connection;
  readonly spaces: SpacesService;
  readonly life: SpaceLifeService;
  readonly purge: SpacePurge;
  readonly sweep: ContentSweep;
  readonly writer: ContentWriter;
  readonly documents: DocumentsService;
  readonly revisions: RevisionsService;
  readonly members: MembersService;
  readonly indexer: Indexer;

  constructor(app: TestingModule) {
    const get = { strict: false };
    this.connection = app.get(getConnectionToken());
    this.spaces = app.get(SpacesService, get);
    this.life = app.get(SpaceLifeService, get);
    this.purge = app.get(SpacePurge, get);
    this.sweep = app.get(ContentSweep, get);
    this.writer = app.get(ContentWriter, get);
    this.documents = app.get(DocumentsService, get);
    this.revisions = app.get(RevisionsService, get);
    this.members = app.get(MembersService, get);
    this.indexer = app.get(Indexer, get);
  }

  /** Adds a page for each of `texts` to the space `id`. */
  async write(id: string, texts: readonly string[]): Promise<void> {
    const { organization } = await this.spaces.get(id);
    const documents = await this.documents.putMany(organization, texts);
    await this.writer.write(id, null, async (editor) => {
      for (const { _id } of documents) await editor.insertPage({ kind: 'document', title: 'Page', document: _id });
    });
  }

  async duplicate(id: string): Promise<Space> {
    const space = await this.spaces.get(id);
    await this.members.add(space.organization, 'ann', 'admin');
    const member = await this.members.find(space.organization, 'ann');
    if (!member) throw new Error('there is no member');
    const copy = await this.life.duplicate(space, member.user, { member, inherited: { role: 'admin' } });
    await this.indexer.catchUp(copy._id);
    return copy;
  }

  /** The texts of all pages of a space, read from the database. */
  async texts(id: string): Promise<string[]> {
    const { pages } = await this.tree(id);
    const keys = pages.flatMap(({ node }) => node.document ?? []);
    expect(await this.documents.missing(keys)).toEqual([]);
    const markdowns = await this.documents.markdowns(keys);
    return keys.map((key) => markdowns.get(key) ?? 'missing');
  }

  runSweep(options: Partial<Parameters<ContentSweep['run']>[0]> = {}): Promise<Swept> {
    return this.sweep.run({ exists: (ids) => this.spaces.existing(ids), force: true, ...options });
  }

  private async tree(id: string) {
    const { revision } = await this.spaces.get(id);
    return this.revisions.tree(await this.revisions.get(revision)).tree();
  }
}

beforeAll(async () => {
  test = await startTestDatabase();
  one = new Process(await test.boot(config, ContentModule));
  other = new Process(await test.boot(config, ContentModule));
});

afterAll(() => test.stop());

/** Makes everything that is stored look as if it had been stored long ago. */
async function age(): Promise<void> {
  const touchedAt = new Date(Date.now() - 3 * DAY);
  for (const name of ['chunks', 'documents']) {
    await one.connection.collection(name).updateMany({}, { $set: { touchedAt } });
  }
}

const newSpace = (organization = `org${++organizations}`): Promise<Space> =>
  one.spaces.create(organization, 'ann', { title: 'Handbook' });

/** Throws the space away, so long ago that its time in the trash is over. */
async function throwAway(space: Space): Promise<void> {
  await one.life.remove(space);
  await one.connection
    .collection<Space>('spaces')
    .updateOne({ _id: space._id }, { $set: { deletedAt: new Date(Date.now() - 8 * DAY) } });
}

const count = (name: string, filter: Record<string, unknown> = {}): Promise<number> =>
  one.connection.collection(name).countDocuments(filter);

/** How many records of `space` there are, by collection. */
async function recordsOf(space: string): Promise<Record<string, number>> {
  const segments = await one.connection.collection('search_segments').find({ space }).toArray();
  return {
    spaces: await count('spaces', { _id: space }),
    revisions: await count('revisions', { space }),
    segments: segments.length,
    blocks: await count('search_blocks', { segment: { $in: segments.map(({ _id }) => _id) } }),
    links: await count('links', { space }),
    targets: await count('link_targets', { space }),
  };
}

const NOTHING = { spaces: 0, revisions: 0, segments: 0, blocks: 0, links: 0, targets: 0 };

/** What the store must hold: all that the revisions that are there reach, and nothing else. */
async function expectNothingLost(): Promise<void> {
  const revisions = await one.connection.collection<{ _id: string; root: string }>('revisions').find().toArray();
  const wanted = new Set<string>();
  for (const { root } of revisions) {
    for (const { node } of (await other.revisions.tree({ root }).tree()).pages) {
      if (node.document !== undefined) wanted.add(node.document);
    }
  }
  const stored = await one.connection.collection<{ _id: string }>('documents').find().toArray();
  expect(stored.map(({ _id }) => _id).sort()).toEqual([...wanted].sort());
}

/** Runs `work` again and again, each time stopped a step later, until it comes to its end. */
async function stoppedEverywhere(work: (step: () => Promise<void>) => Promise<unknown>): Promise<number> {
  for (let steps = 1; ; steps++) {
    let left = steps;
    const stop = new Error('stopped');
    const step = () => (left-- > 0 ? Promise.resolve() : Promise.reject(stop));
    try {
      await work(step);
      return steps;
    } catch (error) {
      if (error !== stop) throw error;
    }
  }
}

describe('a space whose time in the trash is over', () => {
  it('is removed with everything under it, and its texts with the next sweep', async () => {
    const space = await newSpace();
    const links = Array.from({ length: 30 }, (_, index) => `See [it](https://example.org/${index}) ${space._id}`);
    await one.write(space._id, links);
    const before = await recordsOf(space._id);
    for (const [name, number] of Object.entries(before)) expect([name, number > 0]).toEqual([name, true]);
    await throwAway(space);
    expect(await one.purge.run()).toBe(1);
    expect(await recordsOf(space._id)).toEqual(NOTHING);
    expect(await one.spaces.find(space._id)).toBeNull();
    await age();
    const { documents, chunks } = await one.runSweep();
    expect(documents).toBeGreaterThanOrEqual(30);
    expect(chunks).toBeGreaterThan(0);
    await expectNothingLost();
    expect(await count('sweep_marks')).toBe(0);
  });

  it('stays while there is time, and is nobody else', async () => {
    const [live, trashed] = [await newSpace(), await newSpace()];
    await one.life.remove(trashed);
    expect(await one.purge.run()).toBe(0);
    expect(await one.purge.run(undefined, new Date(Date.now() + 7 * DAY))).toBe(0);
    expect(await one.spaces.existing([live._id, trashed._id])).toEqual(new Set([live._id, trashed._id]));
    expect(await one.purge.run(undefined, new Date(Date.now() + 8 * DAY))).toBe(1);
    expect(await one.spaces.existing([live._id, trashed._id])).toEqual(new Set([live._id]));
  });

  it('is removed wherever the removal was stopped, and not restored meanwhile', async () => {
    const space = await newSpace();
    for (let turn = 0; turn < 3; turn++) await one.write(space._id, [`Text ${turn} of ${space._id}`]);
    await throwAway(space);
    let stopped = 0;
    await stoppedEverywhere((step) =>
      one.purge.run(async () => {
        await step();
        stopped++;
        await expect(one.life.restore(space)).rejects.toThrow('Space not found');
      }),
    );
    expect(stopped).toBeGreaterThan(3);
    expect(await recordsOf(space._id)).toEqual(NOTHING);
  });

  it('is purged once by two processes', async () => {
    for (let turn = 0; turn < 3; turn++) await throwAway(await newSpace());
    const purged = await Promise.all([one.purge.run(), other.purge.run()]);
    expect(purged[0] + purged[1]).toBe(3);
  });
});

describe('a sweep', () => {
  it('comes to its end wherever it was stopped, and loses nothing', async () => {
    const [kept, gone] = [await newSpace(), await newSpace()];
    await one.write(kept._id, ['One', 'Two']);
    await one.write(gone._id, ['Three', `Four ${gone._id}`]);
    await throwAway(gone);
    await one.purge.run();
    await age();
    let begun = false;
    const steps = await stoppedEverywhere((step) => {
      const force = !begun;
      begun = true;
      return one.runSweep({ force, step });
    });
    expect(steps).toBeGreaterThan(1);
    expect(await one.texts(kept._id)).toEqual(['One', 'Two']);
    await expectNothingLost();
  });

  it('is done once a day, and begun anew when it was not ended in a day', async () => {
    const now = new Date();
    await one.runSweep({ now });
    const later = (ms: number, force = false) => one.runSweep({ now: new Date(now.getTime() + ms), force, step });
    let steps = 0;
    const step = () => {
      steps++;
      return Promise.resolve();
    };
    await later(DAY - 1);
    expect(steps).toBe(0);
    await later(DAY);
    expect(steps).toBeGreaterThan(0);
    const state = () => one.connection.collection('sweeps').findOne<{ generation: number; phase: string }>({});
    const { generation = 0 } = (await state()) ?? {};
    await one.runSweep({ now, step: () => Promise.reject(new Error('stopped')) }).catch(() => undefined);
    expect(await state()).toMatchObject({ generation: generation + 1, phase: 'mark' });
    await later(DAY + 1);
    expect(await state()).toMatchObject({ generation: generation + 2, phase: 'done' });
  });

  it('ends for whoever lost it to another process, and removes nothing by old marks', async () => {
    const space = await newSpace();
    await one.write(space._id, ['Mine']);
    await age();
    let taken = false;
    const run = one.runSweep({
      step: async () => {
        if (!taken) await other.runSweep({ force: false });
        taken = true;
      },
    });
    await expect(run).rejects.toThrow('taken over');
    expect(await one.texts(space._id)).toEqual(['Mine']);
    await expectNothingLost();
  });

  it('removes revisions of spaces that never came to be', async () => {
    const { _id } = await one.revisions.createFirst({ organization: 'o', space: 'never', author: null });
    await one.runSweep();
    expect(await count('revisions', { space: 'never' })).toBe(1);
    const revisions = one.connection.collection<{ _id: string }>('revisions');
    await revisions.updateOne({ _id }, { $set: { createdAt: new Date(Date.now() - 2 * DAY) } });
    expect((await one.runSweep()).revisions).toBe(1);
    expect(await count('revisions', { space: 'never' })).toBe(0);
  });

  it('removes nothing when content is damaged', async () => {
    const space = await newSpace();
    await one.write(space._id, [`Damaged ${space._id}`]);
    await age();
    const { root } = await one.revisions.get((await one.spaces.get(space._id)).revision);
    const chunks = one.connection.collection<{ _id: string }>('chunks');
    const chunk = await chunks.findOne({ _id: root });
    await chunks.deleteOne({ _id: root });
    const documents = await count('documents');
    await expect(one.runSweep()).rejects.toThrow('a chunk is missing');
    expect(await count('documents')).toBe(documents);
    if (chunk) await chunks.insertOne(chunk);
    await one.runSweep({ force: false });
    expect(await one.texts(space._id)).toEqual([`Damaged ${space._id}`]);
  });

  it('asks which bytes are referred to', async () => {
    const space = await newSpace();
    await one.writer.write(space._id, null, (editor) =>
      editor.putFile({ id: 'f1', name: 'a.png', contentType: 'image/png', size: 1, blob: 'hash-of-a' }),
    );
    const asked: Set<string>[] = [];
    await one.runSweep({
      removeBlobs: async (isReferenced) => void asked.push(await isReferenced(['hash-of-a', 'hash-of-b'])),
    });
    expect(asked).toEqual([new Set(['hash-of-a'])]);
  });

  it('takes nothing from those who write meanwhile', async () => {
    const organization = `org${++organizations}`;
    const texts = Array.from({ length: 15 }, (_, index) => `Shared ${index}`);
    const gone = await newSpace(organization);
    await one.write(gone._id, texts);
    await throwAway(gone);
    await one.purge.run();
    const space = await newSpace(organization);
    await age();
    // a process that does not remember what it wrote: it takes up texts that are being swept
    const fresh = new Process(await test.boot(config, ContentModule));
    const writing = (async () => {
      for (const text of texts) await fresh.write(space._id, [text]);
    })();
    for (let turn = 0; turn < 2; turn++) await one.runSweep();
    await writing;
    await one.runSweep();
    expect(await other.texts(space._id)).toEqual(texts);
  });

  it(
    'leaves of spaces that share content what the others hold',
    async () => {
      const text = fc.nat(12).map((number) => `Text ${number}`);
      const deed = fc.oneof(
        fc.record({ kind: fc.constant('make' as const), texts: fc.array(text, { minLength: 1, maxLength: 15 }) }),
        fc.record({ kind: fc.constant('copy' as const), of: fc.nat() }),
        fc.record({ kind: fc.constant('write' as const), of: fc.nat(), texts: fc.array(text, { minLength: 1 }) }),
        fc.record({ kind: fc.constant('purge' as const), of: fc.nat() }),
      );
      const property = fc.asyncProperty(fc.array(deed, { minLength: 2, maxLength: 10 }), async (deeds) => {
        const organization = `org${++organizations}`;
        const alive: { space: Space; texts: string[] }[] = [];
        const at = (index: number) => alive[index % Math.max(1, alive.length)];
        for (const given of deeds) {
          const chosen = given.kind === 'make' ? undefined : at(given.of);
          if (given.kind === 'make') {
            const space = await newSpace(organization);
            await one.write(space._id, given.texts);
            alive.push({ space, texts: given.texts });
          } else if (chosen && given.kind === 'copy') {
            alive.push({ space: await one.duplicate(chosen.space._id), texts: chosen.texts });
          } else if (chosen && given.kind === 'write') {
            await one.write(chosen.space._id, given.texts);
            chosen.texts = [...chosen.texts, ...given.texts];
          } else if (chosen) {
            await throwAway(chosen.space);
            alive.splice(alive.indexOf(chosen), 1);
          }
        }
        await one.purge.run();
        await age();
        await one.runSweep();
        for (const { space, texts } of alive) expect(await other.texts(space._id)).toEqual(texts);
        await expectNothingLost();
      });
      await fc.assert(property, { numRuns: cases(3, 100) });
    },
    LONG,
  );
});
