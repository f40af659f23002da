import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { ConfigModule, loadConfig } from '../config/index.js';
import { SpacesService } from '../spaces/index.js';
import { ChangeRequestsModule, ChangeRequestsService } from './index.js';

describe('change requests of several processes', () => {
  let test: TestDatabase;
  let one: ChangeRequestsService;
  let other: ChangeRequestsService;
  let spaces: SpacesService;

  beforeAll(async () => {
    test = await startTestDatabase();
    const config = ConfigModule.of(loadConfig({ SECRET_KEY: 'a key that is made of 32 characters' }));
    const [first, second] = [
      await test.boot(config, ChangeRequestsModule),
      await test.boot(config, ChangeRequestsModule),
    ];
    one = first.get(ChangeRequestsService);
    other = second.get(ChangeRequestsService);
    spaces = first.get(SpacesService, { strict: false });
  });
  afterAll(() => test.stop());

  it('get one number each, without a gap', async () => {
    const { _id: space } = await spaces.create('organization', 'ann', {});
    const made = await Promise.all(
      Array.from({ length: 16 }, (_, index) => (index % 2 ? one : other).create(space, 'ann', `Number ${index}`)),
    );
    const numbers = made.map(({ number }) => number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 16 }, (_, index) => index + 1));
    expect(await spaces.get(space)).toMatchObject({
      changeRequests: 16,
      changeRequestsDraft: 16,
      changeRequestsOpen: 0,
    });
  });

  it('are counted once, whoever moves them', async () => {
    const { _id: space } = await spaces.create('organization', 'ann', {});
    const made = await one.create(space, 'ann');
    const states = ['open', 'archived', 'draft'] as const;
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 ? one : other).update(made, { status: states[index % 3] })),
    );
    const { status } = await one.get(made._id);
    expect(await spaces.get(space)).toMatchObject({
      changeRequests: 1,
      changeRequestsDraft: Number(status === 'draft'),
      changeRequestsOpen: Number(status === 'open'),
    });
  });

  it('are merged once', async () => {
    const { _id: space } = await spaces.create('organization', 'ann', {});
    const made = await one.create(space, 'ann');
    const merged = await Promise.all([one.markMerged(made, 'result'), other.markMerged(made, 'lost')]);
    expect(merged.sort()).toEqual([false, true]);
    expect(await spaces.get(space)).toMatchObject({ changeRequests: 1, changeRequestsDraft: 0, changeRequestsOpen: 0 });
  });
});
