import { MongoClient } from 'mongodb';
import { Processes } from './support/processes.js';

const processes = new Processes();
afterAll(() => processes.clear());

/** What the database process says when it cannot start on `dataDir`. @throws Error when it can. */
async function refusal(dataDir: string, environment: Record<string, string> = {}): Promise<string> {
  return processes.database(dataDir, environment).then(
    () => {
      throw new Error('it has started');
    },
    (error: unknown) => String(error),
  );
}

describe('the database as a process of its own', () => {
  it('says where it is, refuses a second one on its folder or port, stops when told, and comes back as it was', async () => {
    const dataDir = await processes.folder();
    const first = await processes.database(dataDir);
    expect(first.written()).toBe(`The database is ready at ${first.uri}\n`);
    expect(first.uri).toMatch(/^mongodb:\/\/127\.0\.0\.1:\d+\/\?replicaSet=rs0$/);
    const DATABASE_PORT = new URL(first.uri).port;
    const client = await new MongoClient(first.uri).connect();
    await client.db('kept').collection('things').insertOne({ name: 'kept' });
    await client.close();

    const [folder, port] = await Promise.all([
      refusal(dataDir),
      refusal(await processes.folder(), { DATABASE_PORT, MONGODB_URI: first.uri }),
    ]);
    expect(folder).toMatch(
      new RegExp(
        `ended with 1: The database cannot start: DATA_DIR cannot be used: the data folder ${dataDir}/database is in use ` +
          `by process ${String(first.pid)}, which listens at mongodb://127\\.0\\.0\\.1:${DATABASE_PORT}/\\?replicaSet=rs0\\n$`,
      ),
    );
    expect(port).toMatch(
      /ended with 1: The database cannot start: DATABASE_PORT cannot be used: port \d+ is taken by another process\n$/,
    );
    first.kill('SIGINT');
    expect(await first.ended).toMatchObject({ code: 0, stderr: '' });

    const second = await processes.database(dataDir, { DATABASE_PORT });
    expect(second.uri).toBe(first.uri);
    const again = await new MongoClient(second.uri).connect();
    expect(await again.db('kept').collection('things').countDocuments()).toBe(1);
    await again.close();
    expect(await second.stop()).toMatchObject({ code: 0, stderr: '' });
  });
});
