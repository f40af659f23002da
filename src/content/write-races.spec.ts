import { ConflictException } from '@nestjs/common';
import { getConnectionToken, getModelToken, MongooseModule } from '@nestjs/mongoose';
import type { Connection, Model } from 'mongoose';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { Database } from '../database/index.js';
import { WriteRaces } from './write-races.js';
import { WriteTurn, WriteTurnSchema } from './write-turn.schema.js';
import { WriteTurns } from './write-turns.js';

let test: TestDatabase;
let connection: Connection;
let races: WriteRaces;

beforeAll(async () => {
  test = await startTestDatabase();
  const model = MongooseModule.forFeature([{ name: WriteTurn.name, schema: WriteTurnSchema }]);
  const app = await test.boot(model);
  connection = app.get<Connection>(getConnectionToken());
  const turns = app.get<Model<WriteTurn>>(getModelToken(WriteTurn.name), { strict: false });
  races = new WriteRaces(new WriteTurns(turns, app.get(Database, { strict: false })));
});
afterAll(() => test.stop());
afterEach(() => test.fail('off'));

/** Loses as many races as it says, then answers "written". */
function losing(races: number): () => Promise<string | undefined> {
  let left = races;
  return () => Promise.resolve(left-- > 0 ? undefined : 'written');
}
const turns = (): Promise<number> => connection.collection('write_turns').countDocuments();

describe('a race for a space', () => {
  it('is won after others came first, and gives its turn back', async () => {
    expect(await races.run({ id: 'lost', name: 'space' }, losing(5))).toBe('written');
    expect(await turns()).toBe(0);
  });

  it('is given up when others keep winning, and says what to do', async () => {
    const race = races.run({ id: 'never', name: 'change request' }, losing(1000));
    const message = 'Others kept editing this change request at the same moment; try again';
    await expect(race).rejects.toThrow(new ConflictException(message));
    expect(await turns()).toBe(0);
  });

  it('stays won where the turn cannot be given back', async () => {
    await test.fail('alwaysOn', { failCommands: ['delete'], errorCode: 8000 });
    expect(await races.run({ id: 'kept', name: 'space' }, losing(4))).toBe('written');
    expect(await turns()).toBe(1);
  });
});
