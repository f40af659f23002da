import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Invariants, type Problem } from '../src/database/index.js';
import { SpacePurge } from '../src/spaces/index.js';
import { startApp, type TestApp } from './support/app.js';
import { type CommentAnswer, Commenting, openComments } from './support/commenting.js';

/** A record, as far as these tests look into it. */
interface Stored {
  _id: string;
  space: string;
}

let app: TestApp;
let space: Awaited<ReturnType<TestApp['create']['space']>>;
let request: string;
let onSpace: Commenting;
let inRequest: Commenting;
/** Ids of the comment on the space, which has a reply, and of the one in the change request. */
let there: { comment: string; reply: string; requested: string };

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  space = await app.create.space();
  const root = `/v1/spaces/${space._id}`;
  const { body } = await app.as(space.admin).post(`${root}/change-requests`).send({}).expect(201);
  request = (body as { id: string }).id;
  onSpace = new Commenting(app, `${root}/comments`);
  inRequest = new Commenting(app, `${root}/change-requests/${request}/comments`);
  const { id: comment } = await onSpace.post(space.admin, 'a');
  const { id: reply } = await onSpace.reply(space.admin, comment, 'b');
  const { id: requested } = await inRequest.post(space.admin, 'c');
  await onSpace.put(space.admin, comment, { addedReactions: ['👍'] });
  await onSpace.put(space.admin, `${comment}/replies/${reply}`, { addedReactions: ['🎉'] });
  there = { comment, reply, requested };
});

const model = (name: string) => app.nest.get<Model<Stored>>(getModelToken(name), { strict: false });

/** What `doctor` finds of comments, and of nothing else. */
async function problems(): Promise<Problem[]> {
  const found: Problem[] = [];
  for (const [name, find] of app.nest.get(Invariants, { strict: false }).entries()) {
    if (!/comment/.test(name)) continue;
    for await (const problem of find()) found.push(problem);
  }
  return found;
}

/** What `doctor` finds, where, once each; afterwards all of it is repaired. */
async function repaired(): Promise<string[]> {
  const told: string[] = [];
  for (let found = await problems(); found.length > 0; found = await problems()) {
    told.push(...found.map(({ where, what }) => `${where}: ${what}`));
    for (const { repair } of found) await repair?.();
  }
  return told;
}

describe('doctor', () => {
  it('finds nothing where all is well', async () => {
    expect(await problems()).toEqual([]);
  });

  it('counts open comments anew', async () => {
    await model('Space').updateOne({ _id: space._id }, { $set: { comments: 5 } });
    await model('ChangeRequest').updateOne({ _id: request }, { $set: { comments: 0 } });
    expect(await repaired()).toEqual([
      `space ${space._id}: it counts 5 open comments, and there are 1`,
      `change request ${request}: it counts 0 open comments, and there are 1`,
    ]);
    expect(await openComments(app, space.admin, space)).toBe(1);
  });

  it('counts replies and reactions anew', async () => {
    await model('Comment').updateOne({ _id: there.comment }, { $set: { replies: 3, 'reactions.0.count': 7 } });
    await model('CommentReply').updateOne({ _id: there.reply }, { $set: { reactions: [] } });
    expect((await repaired()).sort()).toEqual([
      `comment ${there.comment}: it counts 3 replies, and there are 1`,
      `comment ${there.comment}: it counts the reactions 👍 7, and there are 👍 1`,
      `reply ${there.reply}: it counts the reactions none, and there are 🎉 1`,
    ]);
    const comment = await onSpace.get<CommentAnswer>(space.admin, `/${there.comment}`);
    expect([comment.replies, comment.reactions]).toMatchObject([1, [{ emoji: '👍', count: 1, users: [{}] }]]);
    const reply = await onSpace.get<CommentAnswer>(space.admin, `/${there.comment}/replies/${there.reply}`);
    expect(reply.reactions).toMatchObject([{ emoji: '🎉', count: 1, users: [{ user: { id: space.admin._id } }] }]);
  });

  it('removes what belongs to nothing', async () => {
    await model('Comment').deleteOne({ _id: there.comment });
    await model('ChangeRequest').deleteOne({ _id: request });
    const gone = 'what it belongs to is gone';
    expect(await repaired()).toEqual([
      `comment ${there.requested}: ${gone}`,
      `reply ${there.reply}: ${gone}`,
      expect.stringMatching(`^reaction .*: ${gone}$`),
      expect.stringMatching(`^reaction .*: ${gone}$`),
      `space ${space._id}: it counts 1 open comments, and there are 0`,
    ]);
    for (const name of ['Comment', 'CommentReply', 'Reaction']) {
      expect(await model(name).countDocuments({ space: space._id })).toBe(0);
    }
  });
});

it('comments go with their space, and a copy has none', async () => {
  const { body } = await app.as(space.admin).post(`/v1/spaces/${space._id}/duplicate`).expect(201);
  const copy = body as { id: string; comments: number };
  expect(copy.comments).toBe(0);
  expect(await new Commenting(app, `/v1/spaces/${copy.id}/comments`).texts(space.admin)).toEqual([]);
  await app.as(space.admin).delete(`/v1/spaces/${space._id}`).expect(205);
  await app.as(space.admin).get(onSpace.path).expect(404);
  const purge = app.nest.get(SpacePurge, { strict: false });
  await purge.run(undefined, new Date(Date.now() + 8 * 24 * 60 * 60_000));
  for (const name of ['Comment', 'CommentReply', 'Reaction']) {
    expect(await model(name).countDocuments({ space: space._id })).toBe(0);
  }
});
