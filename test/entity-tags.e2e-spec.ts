import type { OpenAPIObject } from '@nestjs/swagger';
import { startApp, type TestApp } from './support/app.js';
import type { Recorded, Scene } from './support/audit-scene.js';
import { AUDIT } from './support/audit-table.js';
import { cases } from './support/cases.js';
import type { TestUser } from './support/factories.js';
import { makeThings, type Operation, operationsOf, pathOf, remake, targetsOf, type Things } from './support/things.js';

const TAG = /^"[\w-]{20,}"$/;
const OTHER = '"another"';
const refusal = (code: number, message: unknown): object => ({ error: { code, message } });
const CHANGED = refusal(
  412,
  'If-Match does not name the present entity tag: read it again, and repeat the change with the new tag',
);
const NOTHING = refusal(
  412,
  'There is nothing with an entity tag at this address yet, so If-Match cannot hold; leave it out',
);
/** How many change the same thing at once. */
const WRITERS = cases(4, 16);
/** What no row of the audit's table performs as it is done here. */
const BODIES: Record<string, object> = { updateUserById: { displayName: 'Renamed' } };
/** What the service goes on to change when somebody has. */
const RESTLESS = 'createOrUpdateOpenAPISpecBySlug';
/** Answer an address that expires, and so another one each time. */
const FLEETING = ['getSpacePDF', 'getChangeRequestPDF'];
/** Single things that take a query to be read, or are not there in the scene. */
const NOT_READ = [
  ...['getSubdomain', 'getEmbedByUrlInSpace', 'getContentByUrl', 'getSiteRedirectBySource'],
  ...['getPublishedContentByUrl', 'getSiteAdaptiveSchema'],
];

describe('entity tags', () => {
  let app: TestApp;
  let organization: Awaited<ReturnType<TestApp['create']['organization']>>;
  let admin: TestUser;
  let reviewer: TestUser;
  let things: Things;
  let operations: Operation[];
  let document: OpenAPIObject;

  beforeAll(async () => {
    app = await startApp();
    operations = await operationsOf(app);
    document = (await app.anonymous().get('/openapi.json').expect(200)).body as OpenAPIObject;
    organization = await app.create.organization();
    ({ admin } = organization);
    reviewer = await app.create.user({ in: organization, role: 'review' });
    things = await makeThings(app, organization);
  });
  afterAll(() => app.close());

  const etagOf = async (path: string, by = admin): Promise<string> => {
    const { status, headers } = await app.as(by).get(path);
    expect([path, status]).toEqual([path, 200]);
    return headers.etag ?? '';
  };
  /** What is demanded of a change of what is there now: of what is not, that it is still not. */
  const unchanged = async (path: string, by: TestUser): Promise<[string, string]> =>
    (await app.as(by).get(path)).status === 404
      ? ['If-None-Match', '*']
      : ['If-Match', `${OTHER}, ${await etagOf(path, by)}`];
  /** Operations with `method` at addresses where something single is read. */
  const single = (...methods: Operation['method'][]): Operation[] =>
    operations.filter(
      ({ method, path }) => methods.includes(method) && '304' in (document.paths[path]?.get?.responses ?? {}),
    );
  const rowOf = (name: string): Partial<Recorded> => {
    const row = AUDIT[name];
    if (row && 'action' in row) return row;
    const body = BODIES[name];
    return body ? { body } : {};
  };

  it('are on every single thing that is read, and 304 is the answer to who has it', async () => {
    const missing: string[] = [];
    for (const operation of single('get')) {
      const path = operation.name === 'getUserById' ? `/v1/users/${admin._id}` : pathOf(operation, things);
      const { status, headers, text } = await app.as(admin).get(path);
      if (status !== 200) missing.push(operation.name);
      else if (!FLEETING.includes(operation.name)) {
        const ask = (tags: string) => app.as(admin).get(path).set('If-None-Match', tags);
        expect([operation.name, headers.etag]).toEqual([operation.name, expect.stringMatching(TAG)]);
        const same = await ask(`${OTHER}, W/${headers.etag ?? ''}`);
        expect([operation.name, same.status, same.text, same.headers.etag]).toEqual([
          ...[operation.name, 304, ''],
          headers.etag,
        ]);
        const other = await ask(OTHER);
        expect([other.status, other.text, other.headers['content-type']]).toEqual([200, text, headers['content-type']]);
      }
    }
    expect(missing).toEqual(NOT_READ);
  });

  it('cost no reading, and lists have none', async () => {
    const path = `/v1/orgs/${organization._id}/webhooks/${things.webhookId}`;
    const tag = await etagOf(path);
    const plain = await app.commandsOf(() => app.as(admin).get(path).expect(200));
    const known = await app.commandsOf(() => app.as(admin).get(path).set('If-None-Match', tag).expect(304));
    expect(known).toEqual(plain);
    expect((await app.as(admin).head(path).expect(200)).headers.etag).toBe(tag);
    const list = await app.as(admin).get(`/v1/orgs/${organization._id}/spaces`).expect(200);
    expect(list.headers.etag).toBeUndefined();
  });

  it('tell what one person sees from what another does', async () => {
    const path = `/v1/spaces/${things.spaceId}`;
    const [mine, theirs] = [await etagOf(path), await etagOf(path, reviewer)];
    expect(mine).not.toBe(theirs);
    expect((await app.as(admin).patch(path).set('If-Match', theirs).send({ title: 'X' }).expect(412)).body).toEqual(
      CHANGED,
    );
  });

  const sceneOf = (at: Things): Scene => ({ app, at, admin, reviewer, stranger: admin, page: '' });
  const callerOf = ({ by }: Partial<Recorded>): TestUser => (by === 'reviewer' ? reviewer : admin);

  it('let one of several who have read the same change it, at every address', async () => {
    const changing = single('patch', 'put');
    expect(changing.length).toBeGreaterThan(25);
    for (const operation of changing) {
      const row = rowOf(operation.name);
      const scene = sceneOf(row.alone ? await remake(app, organization, things, targetsOf(operation)) : things);
      const path = operation.name === 'updateUserById' ? `/v1/users/${admin._id}` : pathOf(operation, scene.at);
      const body = typeof row.body === 'function' ? await row.body(scene) : row.body;
      const by = callerOf(row);
      const send = ([name, tags]: [string, string]) => app.as(by)[operation.method](path).set(name, tags).send(body);

      const demanded = await unchanged(path, by);
      const isThere = demanded[0] === 'If-Match';
      const refused = await send(['If-Match', OTHER]);
      expect([operation.name, refused.body]).toEqual([operation.name, isThere ? CHANGED : NOTHING]);
      expect([operation.name, await unchanged(path, by)]).toEqual([operation.name, demanded]);

      const answers = await Promise.all(Array.from({ length: WRITERS }, () => send(demanded)));
      const statuses = answers.map(({ status }) => status).sort();
      expect([operation.name, statuses]).toEqual([operation.name, [200, ...Array<number>(WRITERS - 1).fill(412)]]);
      expect([operation.name, (await send(demanded)).status]).toEqual([operation.name, 412]);
      if (operation.name === RESTLESS) continue;
      const tag = answers.find(({ status }) => status === 200)?.headers.etag ?? '';
      expect([operation.name, tag]).toEqual([operation.name, await etagOf(path, by)]);
      expect([operation.name, (await send(['If-Match', tag])).status]).toEqual([operation.name, 200]);
    }
  });

  it('keep what somebody has changed from being deleted', async () => {
    for (const operation of single('delete')) {
      const row = rowOf(operation.name);
      if (!('action' in row)) continue;
      const at = await remake(app, organization, things, targetsOf(operation));
      const path = pathOf(operation, at);
      const by = callerOf(row);
      const remove = (tag: string) => app.as(by).delete(path).set('If-Match', tag);
      const tag = await etagOf(path, by);
      expect([operation.name, (await remove(OTHER)).body]).toEqual([operation.name, CHANGED]);
      expect([operation.name, await etagOf(path, by)]).toEqual([operation.name, tag]);
      const { status } = await remove(tag);
      expect([operation.name, [200, 204, 205].includes(status)]).toEqual([operation.name, true]);
      expect([operation.name, (await remove(tag)).status]).toEqual([operation.name, 404]);
    }
  });

  describe('in If-Match and If-None-Match', () => {
    let space: string;
    beforeAll(async () => {
      space = `/v1/spaces/${(await app.create.space({ organization, title: 'First' }))._id}`;
    });
    const patch = (header: object, title: unknown = 'Changed') => {
      const sent = app.as(admin).patch(space);
      for (const [name, value] of Object.entries(header)) void sent.set(name, value as string);
      return sent.send({ title });
    };

    it('are compared strongly where something is changed, and * stands for what there is', async () => {
      const tag = await etagOf(space);
      await patch({ 'If-Match': `W/${tag}` }).expect(412);
      await patch({ 'If-Match': '*' }).expect(200);
      await patch({ 'If-None-Match': OTHER }).expect(200);
      for (const tags of ['*', await etagOf(space), `W/${await etagOf(space)}`]) {
        const { body } = await patch({ 'If-None-Match': tags }).expect(412);
        expect(body).toEqual(refusal(412, 'If-None-Match names what is there: leave it out to change that'));
      }
    });

    it.each(['', 'no quotes', '"a" "b"', '*, "a"'])('are refused as %j', async (tags) => {
      for (const name of ['If-Match', 'If-None-Match']) {
        const { body } = await patch({ [name]: tags }).expect(400);
        expect(body).toEqual(refusal(400, `${name} must be * or entity tags as answers have them, in quotes`));
      }
    });

    it('are looked at after all else, and where nothing is written too', async () => {
      const stale = { 'If-Match': OTHER };
      await app.anonymous().patch(space).set(stale).send({}).expect(401);
      await app.as(admin).patch('/v1/spaces/nothing').set(stale).send({}).expect(404);
      await app.as(reviewer).patch(space).set(stale).send({}).expect(403);
      await patch(stale, '').expect(400);
      await app.as(admin).patch(space).set(stale).send({}).expect(412);
      const nobody = `/v1/orgs/${organization._id}/teams/AAAAAAAAAAAAAAAAAAAA`;
      await app.as(admin).patch(nobody).set(stale).send({ title: 'X' }).expect(404);
    });

    it('say whether something is to be made or changed', async () => {
      const path = `/v1/orgs/${organization._id}/openapi/made-once`;
      const source = { text: '{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {}}' };
      const put = () => app.as(admin).put(path).send({ source });
      expect((await put().set('If-Match', '*').expect(412)).body).toEqual(NOTHING);
      await put().set('If-None-Match', '*').expect(200);
      await put().set('If-None-Match', '*').expect(412);
      await put().set('If-Match', '*').expect(200);
    });

    it('hold of nothing where nothing is read that has one', async () => {
      const { siteId, siteSectionId } = things;
      const path = `/v1/orgs/${organization._id}/sites/${siteId}/sections/${siteSectionId}`;
      const sent = await app.as(admin).patch(path).set('If-Match', '*').send({ title: 'Other' }).expect(412);
      expect(sent.body).toEqual(NOTHING);
      const team = app.as(admin).put(`/v1/orgs/${organization._id}/teams`).set('If-Match', OTHER);
      expect((await team.send({ title: 'Team', members: [] }).expect(412)).body).toEqual(NOTHING);
      const archive = app.as(admin).put(`${space}/content/archive`).set('If-Match', OTHER);
      await archive.set('Content-Type', 'application/zip').send(Buffer.from('no archive')).expect(400);
    });

    it('let one of sixteen win, and lose nothing that they were told is there', async () => {
      let tag = await etagOf(space);
      for (let round = 0; round < cases(2, 20); round += 1) {
        const titles = Array.from({ length: 16 }, (_, n) => `Round ${round} writer ${n}`);
        const answers = await Promise.all(titles.map((title) => patch({ 'If-Match': tag }, title)));
        const won = answers.filter(({ status }) => status === 200);
        expect([won.length, answers.filter(({ status }) => status === 412).length]).toEqual([1, 15]);
        const { body, headers } = await app.as(admin).get(space).expect(200);
        expect([body, headers.etag]).toEqual([won[0]?.body, won[0]?.headers.etag]);
        tag = headers.etag ?? '';
      }
    });
  });
});
