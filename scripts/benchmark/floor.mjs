// The floor that the benchmark measures against: bare Express, the plain driver, the same reads and writes, and nothing else.
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import express from 'express';
import { MongoClient } from 'mongodb';

const [uri, file] = process.argv.slice(2);
const client = await new MongoClient(uri).connect();
const db = client.db('colophon');
const read = (collection, filter, options) => db.collection(collection).findOne(filter, options);
const all = (collection, filter, options) => db.collection(collection).find(filter, options).toArray();
// what is immutable is kept, as the service keeps it: the answer
const { answers } = JSON.parse(await readFile(file, 'utf8'));
const newId = () => randomBytes(15).toString('base64url');

/** Who calls: a token. */
async function callerOf(request) {
  const [, token] = request.headers.authorization.split(' ');
  const hash = createHash('sha256').update(token).digest('base64url');
  return (await read('tokens', { hash })).user;
}

/** Who calls and which space they mean: a token, a space and a membership. */
async function access(request) {
  const user = await callerOf(request);
  const space = await read('spaces', { _id: request.params.space });
  await read('members', { _id: `${space.organization}:${user}` });
  return { user, space };
}

/** What the service wrote last in a collection: the fields that say when, and how many records one request writes. */
const LAST = {
  audit_events: ['at', 1],
  chunks: ['touchedAt', 2],
  comments: ['postedAt', 1],
  documents: ['touchedAt', 1],
  revisions: ['createdAt', 1],
  search_segments: ['changedAt', 1],
};
const samples = new Map();
async function sampleOf(collection) {
  if (collection === 'search_blocks') {
    const [{ _id: segment }] = await sampleOf('search_segments');
    return all(collection, { segment });
  }
  const [moment, limit] = LAST[collection];
  // a segment of many pages was merged of others, which no request does
  const filter = collection === 'search_segments' ? { size: 1 } : {};
  return all(collection, filter, { sort: { [moment]: -1 }, limit });
}
/** Records like those that the service writes, with other ids. */
async function like(collection, fields) {
  if (!samples.has(collection)) samples.set(collection, await sampleOf(collection));
  return samples.get(collection).map((sample) => ({ ...sample, _id: newId(), ...fields }));
}
async function insert(collection, fields, options) {
  const [first, ...others] = await like(collection, fields);
  if (others.length === 0) return db.collection(collection).insertOne(first, options);
  return db.collection(collection).insertMany([first, ...others], options);
}

const app = express();
app.use(express.json());

app.get('/v1/user', async (request, response) => {
  await read('users', { _id: await callerOf(request) });
  response.json(answers['who am I']);
});
app.get('/v1/spaces/:space', async (request, response) => {
  await access(request);
  response.json(answers['get space']);
});
/** The collections of an organization, with what decides about access. */
const collectionsOf = (organization) =>
  db
    .collection('collections')
    .aggregate([{ $match: { organization } }, { $project: { parent: 1, defaultLevel: 1, users: 1, teams: 1 } }])
    .toArray();

app.get('/v1/orgs/:organization/spaces', async (request, response) => {
  const { organization } = request.params;
  await read('members', { _id: `${organization}:${await callerOf(request)}` });
  await read('organizations', { _id: organization });
  await collectionsOf(organization);
  const filter = { organization, deletedAt: null };
  await db.collection('spaces').countDocuments(filter);
  const spaces = await all('spaces', filter, { sort: { createdAt: -1, _id: -1 }, limit: 51 });
  await all('sites', { spaces: { $in: spaces.map(({ _id }) => _id) }, published: true }, { limit: 9 });
  response.json(answers['list spaces']);
});
app.get('/v1/spaces/:space/content/page/:page', async (request, response) => {
  await access(request);
  response.json(answers[request.query.format ? 'get page as Markdown' : 'get page']);
});
app.get('/v1/spaces/:space/content/pages', async (request, response) => {
  await access(request);
  response.json(answers['page tree of 1000']);
});
app.get('/v1/spaces/:space/search', async (request, response) => {
  await access(request);
  await all('search_segments', { space: request.params.space, live: true });
  response.json(answers['search in 1000 pages']);
});
app.get('/v1/orgs/:organization/sites/:site/published', async (request, response) => {
  const { organization, site: id } = request.params;
  await read('members', { _id: `${organization}:${await callerOf(request)}` });
  const site = await read('sites', { _id: id, organization });
  await all('site_customizations', { site: id });
  await all('spaces', { _id: { $in: site.spaces } });
  await collectionsOf(organization);
  // which published sites show those spaces, as each space says where it is published
  await all('sites', { spaces: { $in: site.spaces }, published: true });
  await all('installation_placements', { place: id, kind: 'site' });
  await all('installations', { organization, siteSelection: 'all' });
  response.json(answers['published site of 50 site-spaces']);
});

/** What follows a change in the same transaction: its record in the audit, and who is told of it. */
async function recorded(space, session, events = 1) {
  await insert('audit_events', { organization: space.organization, at: new Date() }, { session });
  for (let event = 0; event < events; event += 1) {
    await all('webhooks', { organization: space.organization, active: true });
  }
}

app.post('/v1/spaces/:space/comments', async (request, response) => {
  const { space, user } = await access(request);
  const { _id } = space;
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await db.collection('spaces').findOneAndUpdate({ _id }, { $inc: { comments: 1 } }, { session });
      await insert('comments', { space: _id, postedAt: new Date() }, { session });
      await recorded(space, session);
    }),
  );
  await read('users', { _id: user });
  response.json(answers['create comment']);
});

/** What the index holds of a page that is written, as it is read before. */
async function known(space) {
  await all('search_segments', { space: space._id, live: true });
  await all('links', { space: space._id, page: 'floor' });
  await all('link_targets', { space: space._id, resource: 'floor' });
}

/** The search index of a page that was written. */
async function indexed(space, session) {
  const segment = newId();
  await insert('search_blocks', { _id: `${segment}:0`, segment }, { session });
  const sequence = Date.now() * 1000 + Math.floor(Math.random() * 1000);
  await insert('search_segments', { _id: segment, space: `floor ${space._id}`, sequence, live: false }, { session });
}

/** The space and its turn, as they are read before it is written. */
async function present({ _id }) {
  await read('write_turns', { _id });
  await read('spaces', { _id });
}

app.post('/v1/spaces/:space/content', async (request, response) => {
  const { space } = await access(request);
  await all('documents', { _id: { $in: [newId()] } });
  await insert('documents', { markdown: request.body.changes[0].document.markdown });
  await present(space);
  await insert('chunks');
  await insert('revisions', { createdAt: new Date() });
  await known(space);
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await db.collection('spaces').updateOne({ _id: space._id }, { $set: { updatedAt: new Date() } }, { session });
      await recorded(space, session);
      await indexed(space, session);
    }),
  );
  response.json(answers['edit one page']);
});

app.post('/v1/spaces/:space/change-requests/:request/merge', async (request, response) => {
  const { space } = await access(request);
  const { _id } = space;
  const id = request.params.request;
  const requests = db.collection('change_requests');
  await read('change_requests', { _id: id, space: _id });
  await read('write_turns', { _id: id });
  await read('change_requests', { _id: id });
  await read('spaces', { _id });
  await all('merge_rules', { _id: { $in: [space.organization, _id] } });
  await db
    .collection('reviews')
    .aggregate([{ $match: { changeRequest: id } }])
    .toArray();
  await present(space);
  await read('revisions', { _id: space.revision });
  await insert('revisions', { createdAt: new Date() });
  await known(space);
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await db.collection('spaces').updateOne({ _id }, { $set: { updatedAt: new Date() } }, { session });
      await requests.findOneAndUpdate({ _id: id }, { $set: { status: 'merged' } }, { session });
      await db.collection('spaces').findOneAndUpdate({ _id }, { $inc: { changeRequestsDraft: -1 } }, { session });
      await recorded(space, session, 2);
      await indexed(space, session);
    }),
  );
  response.json(answers.merge);
});

const server = app.listen(0, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${server.address().port} `));
