// The floor that the benchmark measures against: bare Express, the plain driver, the same reads, and nothing else.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import express from 'express';
import { MongoClient } from 'mongodb';

const [uri, file] = process.argv.slice(2);
const client = await new MongoClient(uri).connect();
const db = client.db('colophon');
const read = (collection, filter) => db.collection(collection).findOne(filter);

/** Who calls and which space they mean: a token, a space and a membership. */
async function access(request, id) {
  const [, token] = request.headers.authorization.split(' ');
  const hash = createHash('sha256').update(token).digest('base64url');
  const { user } = await read('tokens', { hash });
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
const server = app.listen(0, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${server.address().port} `));
