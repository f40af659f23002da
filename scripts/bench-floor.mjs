// The floor that the benchmark measures against: bare Express, the plain driver, the same reads, and nothing else.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import express from 'express';
import { MongoClient } from 'mongodb';

const [uri, file] = process.argv.slice(2);
const client = await new MongoClient(uri).connect();
const db = client.db('colophon');
const read = (collection, filter) => db.collection(collection).findOne(filter);

/** Who calls: a token. */
async function callerOf(request) {
  const [, token] = request.headers.authorization.split(' ');
  const hash = createHash('sha256').update(token).digest('base64url');
  return (await read('tokens', { hash })).user;
}

/** Who calls and which space they mean: a token, a space and a membership. */
async function access(request, id) {
  const user = await callerOf(request);
  const space = await read('spaces', { _id: id });
  await read('members', { _id: `${space.organization}:${user}` });
  return space;
}

// what is immutable is kept, as the service keeps it: the pages of a revision
const answers = JSON.parse(await readFile(file, 'utf8'));
const app = express();
app.get('/v1/spaces/:space', async (request, response) => {
  response.json(await access(request, request.params.space));
});
app.get('/v1/spaces/:space/content/pages', async (request, response) => {
  await access(request, request.params.space);
  response.json(answers.pages);
});
app.get('/v1/spaces/:space/content/page/:page', async (request, response) => {
  await access(request, request.params.space);
  const { markdown } = await read('documents', { _id: answers.page.documentId.slice(0, 43) });
  response.json({ ...answers.page, markdown });
});
app.get('/v1/orgs/:organization/sites/:site/published', async (request, response) => {
  const { organization, site: id } = request.params;
  await read('members', { _id: `${organization}:${await callerOf(request)}` });
  const site = await read('sites', { _id: id, organization });
  await db.collection('site_customizations').find({ site: id }).toArray();
  await db
    .collection('spaces')
    .find({ _id: { $in: site.spaces } })
    .toArray();
  // which published sites show those spaces, as each space says where it is published
  await db
    .collection('sites')
    .find({ spaces: { $in: site.spaces }, published: true })
    .toArray();
  response.json(answers.site);
});
const server = app.listen(0, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${server.address().port} `));
