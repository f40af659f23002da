import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { GridFSBucket } from 'mongodb';
import mongoose, { Schema, type Connection, type SchemaDefinition } from 'mongoose';
import { RateLimiterMongo } from 'rate-limiter-flexible';
import { startTestEngine, type TestEngine } from '../../../test/support/embedded-engine.js';

interface Page {
  _id: string;
  space: string;
  title: string;
  rank: number;
  tags: string[];
  parts: { name: string; size: number }[];
  deletedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const fields: Record<keyof Page, unknown> = {
  _id: { type: String, required: true },
  space: { type: String, required: true },
  title: { type: String, required: true },
  rank: { type: Number, default: 0 },
  tags: [String],
  parts: [{ _id: false, name: String, size: Number }],
  deletedAt: { type: Date, default: null },
  createdAt: Date,
  updatedAt: Date,
};
const pageSchema = new Schema<Page>(fields as SchemaDefinition<Page>, { timestamps: true, versionKey: false });
pageSchema.index({ space: 1, deletedAt: 1, createdAt: -1, _id: -1 });
pageSchema.index({ space: 1, title: 1 }, { unique: true, partialFilterExpression: { deletedAt: null } });

let test: TestEngine;
beforeAll(async () => {
  test = await startTestEngine();
});
afterAll(() => test.stop());

describe('Mongoose', () => {
  let connection: Connection;
  let pages: mongoose.Model<Page>;

  beforeAll(async () => {
    mongoose.set('transactionAsyncLocalStorage', true);
    connection = await mongoose.createConnection(test.engine.uri, { dbName: 'mongoose' }).asPromise();
    pages = connection.model<Page>('Page', pageSchema);
    await pages.init();
    await pages.syncIndexes();
  });
  afterAll(() => connection.close());
  beforeEach(() => pages.deleteMany({}));

  const make = (n: number): { _id: string; space: string; title: string; rank: number } => ({
    _id: `p${n}`,
    space: 's1',
    title: `Title ${n}`,
    rank: n,
  });

  it('builds the indexes of a schema', async () => {
    const names = (await pages.listIndexes()).map(({ name }: { name?: string }) => name);
    expect(names).toEqual(['_id_', 'space_1_deletedAt_1_createdAt_-1__id_-1', 'space_1_title_1']);
    expect(await pages.diffIndexes()).toEqual({ toDrop: [], toCreate: [] });
  });

  it('creates, finds, changes and removes documents', async () => {
    const page = await pages.create({ ...make(1), tags: ['a'] });
    page.parts.push({ name: 'x', size: 1 });
    page.title = 'New';
    await page.save();
    expect(await pages.findById('p1').lean()).toMatchObject({
      title: 'New',
      tags: ['a'],
      parts: [{ name: 'x', size: 1 }],
      deletedAt: null,
    });
    await pages.findOneAndUpdate(
      { _id: 'p1', 'parts.name': 'x' },
      { $set: { 'parts.$.size': 5 }, $addToSet: { tags: { $each: ['a', 'b'] } } },
    );
    expect(await pages.findOne({ tags: 'b' }).select('parts').lean()).toEqual({
      _id: 'p1',
      parts: [{ name: 'x', size: 5 }],
    });
    await expect(pages.create(make(2), { ...make(3), title: 'New' })).rejects.toThrow(
      'E11000 duplicate key error collection: mongoose.pages',
    );
    expect(
      (
        await pages.bulkWrite([
          { insertOne: { document: make(4) as never } },
          { updateOne: { filter: { _id: 'p4' }, update: { $inc: { rank: 1 } } as never } },
          { deleteOne: { filter: { _id: 'p1' } } },
          {
            updateOne: {
              filter: { _id: 'p9' },
              update: { $set: { space: 's2', title: 'up' } } as never,
              upsert: true,
            },
          },
        ])
      ).modifiedCount,
    ).toBe(1);
    expect(await pages.countDocuments({ space: { $in: ['s1', 's2'] } })).toBe(3);
  });

  it('reads a list page by page over an index', async () => {
    await pages.insertMany(Array.from({ length: 25 }, (_, n) => make(n)));
    const seen: string[] = [];
    let last: Page | undefined;
    for (;;) {
      const filter = { space: 's1', deletedAt: null };
      const older = last && {
        createdAt: { $lte: last.createdAt },
        $or: [{ createdAt: { $lt: last.createdAt } }, { createdAt: last.createdAt, _id: { $lt: last._id } }],
      };
      const query = older ? { $and: [filter, older] } : filter;
      const rows = await pages.find(query).sort({ createdAt: -1, _id: -1 }).limit(7).lean<Page[]>();
      seen.push(...rows.map(({ _id }) => _id));
      last = rows.at(-1);
      if (rows.length < 7) break;
    }
    expect(new Set(seen).size).toBe(25);
    const plan = JSON.stringify(
      await pages.find({ space: 's1', deletedAt: null }).sort({ createdAt: -1, _id: -1 }).explain(),
    );
    expect(plan).toContain('space_1_deletedAt_1_createdAt_-1__id_-1');
    expect(plan).not.toContain('SORT');
  });

  it('carries the session of a transaction to every query of it', async () => {
    await pages.create(make(1));
    await connection.transaction(async () => {
      await pages.updateOne({ _id: 'p1' }, { rank: 50 });
      await pages.create(make(2));
      expect(await pages.countDocuments()).toBe(2);
    });
    expect((await pages.findById('p1').lean())?.rank).toBe(50);
    const failing = connection.transaction(async () => {
      await pages.deleteMany({});
      throw new Error('not so');
    });
    await expect(failing).rejects.toThrow('not so');
    expect(await pages.countDocuments()).toBe(2);
  });

  it('tries transactions again that meet', async () => {
    await pages.create(make(1));
    const add = (): Promise<unknown> =>
      connection.transaction(async () => {
        const page = await pages.findById('p1').lean();
        await pages.updateOne({ _id: 'p1' }, { $set: { rank: Number(page?.rank) + 1 } });
      });
    await Promise.all(Array.from({ length: 6 }, add));
    expect((await pages.findById('p1').lean())?.rank).toBe(7);
  });

  it('populates, aggregates and streams', async () => {
    await pages.insertMany(Array.from({ length: 250 }, (_, n) => make(n)));
    let streamed = 0;
    for await (const page of pages.find().sort({ rank: 1 }).cursor({ batchSize: 40 }))
      expect(page.rank).toBe(streamed++);
    expect(streamed).toBe(250);
    const [facets] = await pages.aggregate<Record<string, unknown>>([
      { $match: { rank: { $lt: 10 } } },
      {
        $facet: {
          total: [{ $count: 'n' }],
          odd: [{ $match: { $expr: { $eq: [{ $mod: ['$rank', 2] }, 1] } } }, { $project: { _id: 1 } }, { $limit: 1 }],
        },
      },
    ]);
    expect(facets).toEqual({ total: [{ n: 10 }], odd: [{ _id: 'p1' }] });
  });
});

describe('GridFS', () => {
  it('stores, reads and removes files', async () => {
    const bucket = new GridFSBucket(test.client.db('files'), { chunkSizeBytes: 100_000 });
    const bytes = Buffer.alloc(1_234_567).map((_, n) => (n * 31) & 0xff);
    const upload = bucket.openUploadStream('a.bin', { metadata: { hash: 'x' } });
    upload.end(bytes);
    await once(upload, 'finish');
    const hash = createHash('sha256');
    for await (const chunk of bucket.openDownloadStream(upload.id)) hash.update(chunk as Buffer);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
    const part: Buffer[] = [];
    for await (const chunk of bucket.openDownloadStream(upload.id, { start: 99_990, end: 200_010 }))
      part.push(chunk as Buffer);
    expect(Buffer.concat(part).equals(bytes.subarray(99_990, 200_010))).toBe(true);
    expect(await bucket.find({ 'metadata.hash': 'x' }).toArray()).toMatchObject([
      { length: 1_234_567, filename: 'a.bin' },
    ]);
    await bucket.delete(upload.id);
    expect(await test.client.db('files').collection('fs.chunks').countDocuments()).toBe(0);
  });
});

describe('RateLimiterMongo', () => {
  it('counts and blocks, also when asked in parallel', async () => {
    const limiter = new RateLimiterMongo({
      storeClient: test.client,
      dbName: 'limits',
      points: 5,
      duration: 30,
      indexKeyPrefix: {},
    });
    await limiter.createIndexes();
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => limiter.consume('key')));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect((await limiter.get('key'))?.consumedPoints).toBe(8);
    await limiter.delete('key');
    expect(await limiter.get('key')).toBeNull();
    await limiter.block('key', 10);
    await expect(limiter.consume('key')).rejects.toMatchObject({ remainingPoints: 0 });
  });
});

describe('a job queue', () => {
  it('hands out each job once', async () => {
    const jobs = test.client.db('queue').collection('jobs');
    await jobs.createIndexes([
      { key: { name: 1, nextRunAt: 1, priority: -1, lockedAt: 1, disabled: 1 }, name: 'findAndLockNextJobIndex' },
    ]);
    await jobs.insertMany(
      Array.from({ length: 20 }, (_, n) => ({
        name: 'mail',
        nextRunAt: new Date(n),
        priority: n % 2,
        lockedAt: null,
        n,
      })),
    );
    const take = async (): Promise<number[]> => {
      const taken: number[] = [];
      for (;;) {
        const job = await jobs.findOneAndUpdate(
          {
            $and: [
              { name: 'mail', disabled: { $ne: true } },
              {
                $or: [
                  { lockedAt: { $eq: null }, nextRunAt: { $lte: new Date() } },
                  { lockedAt: { $lte: new Date(0) } },
                ],
              },
            ],
          },
          { $set: { lockedAt: new Date() } },
          { sort: { nextRunAt: 1, priority: -1 }, returnDocument: 'after' },
        );
        if (!job) return taken;
        taken.push(Number(job.n));
      }
    };
    const taken = (await Promise.all([take(), take(), take()])).flat();
    expect(taken.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });
});
