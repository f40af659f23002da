import { type Connection, Schema, type SchemaDefinition } from 'mongoose';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { migrate, pendingMigrations } from './migrate.js';
import { migrations } from './migrations/index.js';
import type { Migration } from './migrations/migration.js';

type Database = Parameters<Migration['up']>[0];

let test: TestDatabase;
let names = 0;
/** Those of the service, which other tests in this process need again. */
const own = [...migrations];

beforeAll(async () => {
  test = await startTestDatabase();
  list().splice(0);
});

afterAll(async () => {
  list().push(...own);
  await test.stop();
});
afterEach(() => {
  list().splice(0);
});

/** The list that the service migrates by, to be changed. */
const list = (): Migration[] => migrations as Migration[];

/** What ran, in order. */
const ran: string[] = [];

/** A migration that notes that it ran; `work` is what it does. */
function migration(name: string, work: (db: Database) => Promise<unknown> = () => Promise.resolve()): Migration {
  return {
    name,
    async up(db) {
      ran.push(name);
      await work(db);
    },
  };
}

beforeEach(() => {
  ran.length = 0;
});

const newName = (): string => `migrate${++names}`;

/** A process whose code declares `indexes` on users. */
async function processOn(name: string, indexes: [Record<string, 1 | -1>, object?][] = []): Promise<Connection> {
  const connection = await test.connect(name);
  const definition: SchemaDefinition = { _id: String, email: String, name: String };
  const schema = new Schema(definition, { collection: 'users' });
  for (const [fields, options = {}] of indexes) schema.index(fields, options);
  connection.model('User', schema);
  return connection;
}

const indexesOf = async (connection: Connection): Promise<string[]> =>
  (await connection.collection('users').indexes()).flatMap(({ name }) => name ?? []).sort();

/** A database that was in use before the migrations of this test were written. */
async function usedDatabase(): Promise<Connection> {
  const connection = await processOn(newName(), [[{ email: 1 }]]);
  await migrate(connection);
  await connection.collection('users').insertMany([{ email: 'a' }, { email: 'b' }]);
  return connection;
}

describe('a new database', () => {
  it('needs everything, and nothing afterwards', async () => {
    const connection = await processOn(newName(), [[{ email: 1 }, { unique: true }], [{ name: 1, email: -1 }]]);
    list().push(migration('0001-one'), migration('0002-two'));
    const everything = { fresh: true, migrations: ['0001-one', '0002-two'], indexes: true, restoring: false };
    expect(await pendingMigrations(connection)).toEqual(everything);
    expect(await migrate(connection)).toEqual(['0001-one', '0002-two', 'indexes']);
    expect(await pendingMigrations(connection)).toEqual({
      fresh: false,
      migrations: [],
      indexes: false,
      restoring: false,
    });
    expect(await indexesOf(connection)).toEqual(['_id_', 'email_1', 'name_1_email_-1']);
    expect(await migrate(connection)).toEqual([]);
    // it holds nothing in an old form
    expect(ran).toEqual([]);
  });

  it('has its unique keys from the start', async () => {
    const connection = await processOn(newName(), [[{ email: 1 }, { unique: true }]]);
    await migrate(connection);
    await connection.collection('users').insertOne({ email: 'a' });
    await expect(connection.collection('users').insertOne({ email: 'a' })).rejects.toMatchObject({ code: 11000 });
  });

  it('is one still while another process is about to make it ready, or was killed in it', async () => {
    const connection = await processOn(newName(), [[{ email: 1 }]]);
    list().push(migration('0001-one'), migration('0002-two'));
    await connection.collection<{ _id: string; at: Date }>('migrations').insertOne({ _id: '0001-one', at: new Date() });
    const rest = { fresh: true, migrations: ['0002-two'], indexes: true, restoring: false };
    expect(await pendingMigrations(connection)).toEqual(rest);
    expect(await migrate(connection)).toEqual(['0002-two', 'indexes']);
    expect([ran, await indexesOf(connection)]).toEqual([[], ['_id_', 'email_1']]);
  });

  it('is one only until something is written down', async () => {
    const connection = await processOn(newName());
    await connection.collection('users').insertOne({ email: 'a' });
    expect((await pendingMigrations(connection)).fresh).toBe(true);
    await migrate(connection);
    expect((await pendingMigrations(connection)).fresh).toBe(false);
  });
});

describe('a database in use', () => {
  it('takes the migrations that it has not had, in order, once', async () => {
    const connection = await usedDatabase();
    list().push(
      migration('0001-name', (db) => db.collection('users').updateMany({}, { $set: { name: 'x' } })),
      migration('0002-longer', (db) => db.collection('users').updateMany({ name: 'x' }, { $set: { name: 'xx' } })),
    );
    expect(await pendingMigrations(connection)).toMatchObject({ fresh: false, indexes: false });
    expect(await migrate(connection)).toEqual(['0001-name', '0002-longer']);
    expect(await connection.collection('users').countDocuments({ name: 'xx' })).toBe(2);
    list().push(migration('0003-more'));
    expect(await migrate(connection)).toEqual(['0003-more']);
    expect(ran).toEqual(['0001-name', '0002-longer', '0003-more']);
  });

  it('takes up again a migration that failed half-way, and not those before it', async () => {
    const connection = await usedDatabase();
    let broken = true;
    list().push(
      migration('0001-before'),
      migration('0002-failing', async (db) => {
        await db.collection('users').updateOne({ email: 'a', name: { $exists: false } }, { $set: { name: 'x' } });
        if (broken) throw new Error('the disk is full');
        await db.collection('users').updateMany({ name: { $exists: false } }, { $set: { name: 'x' } });
      }),
      migration('0003-after'),
    );
    await expect(migrate(connection)).rejects.toThrow('the disk is full');
    expect(await pendingMigrations(connection)).toMatchObject({ migrations: ['0002-failing', '0003-after'] });
    broken = false;
    expect(await migrate(connection)).toEqual(['0002-failing', '0003-after']);
    expect(ran).toEqual(['0001-before', '0002-failing', '0002-failing', '0003-after']);
    expect(await connection.collection('users').countDocuments({ name: 'x' })).toBe(2);
  });

  it('takes a migration before the indexes that need it', async () => {
    const used = await processOn(newName(), [[{ email: 1 }]]);
    await migrate(used);
    await used.collection('users').insertMany([{ email: 'a' }, { email: 'a' }]);
    const connection = await processOn(used.name, [[{ email: 1 }], [{ email: 1, name: 1 }, { unique: true }]]);
    await expect(migrate(connection)).rejects.toMatchObject({ code: 11000 });
    expect((await pendingMigrations(connection)).indexes).toBe(true);
    list().push(migration('0001-apart', (db) => db.collection('users').updateOne({}, { $set: { name: 'x' } })));
    expect(await migrate(connection)).toEqual(['0001-apart', 'indexes']);
  });
});

describe('the indexes', () => {
  it('are built when the code declares another one', async () => {
    const before = await usedDatabase();
    const connection = await processOn(before.name, [[{ email: 1 }], [{ name: 1 }]]);
    expect(await pendingMigrations(connection)).toEqual({
      fresh: false,
      migrations: [],
      indexes: true,
      restoring: false,
    });
    expect(await migrate(connection)).toEqual(['indexes']);
    expect(await indexesOf(connection)).toEqual(['_id_', 'email_1', 'name_1']);
    expect(await migrate(connection)).toEqual([]);
  });

  it('are looked at again when one is declared no longer, or otherwise', async () => {
    const before = await usedDatabase();
    for (const indexes of [[], [[{ email: 1 }, { unique: true }]]] as [Record<string, 1>, object][][]) {
      const connection = await processOn(before.name, indexes);
      expect((await pendingMigrations(connection)).indexes).toBe(true);
    }
  });

  it('are the same whatever order the models were made in', async () => {
    const name = newName();
    const [one, other] = [await test.connect(name), await test.connect(name)];
    const schema = (): Schema => new Schema({ _id: String, a: Number }).index({ a: 1 });
    one.model('A', schema());
    one.model('B', schema());
    other.model('B', schema());
    other.model('A', schema());
    await migrate(one);
    expect((await pendingMigrations(other)).indexes).toBe(false);
  });

  it('are built once by processes that start together', async () => {
    const name = newName();
    const processes = await Promise.all([1, 2, 3].map(() => processOn(name, [[{ email: 1 }, { unique: true }]])));
    await Promise.all(processes.map((connection) => migrate(connection)));
    const [first] = processes;
    expect(first && (await indexesOf(first))).toEqual(['_id_', 'email_1']);
    expect(first && (await pendingMigrations(first)).indexes).toBe(false);
  });
});
