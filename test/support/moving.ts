import { mongo, type Connection } from 'mongoose';
import { getConnectionToken } from '@nestjs/mongoose';
import {
  type BackupHead,
  BackupError,
  checkBackup,
  OrganizationRecords,
  Restorations,
  restoreOrganization,
  SealedRecords,
  writeBackup,
} from '../../src/database/index.js';
import { type Frame, headFrame, readBackup } from '../../src/database/backup/index.js';
import type { TestApp } from './app.js';
import type { TestUser } from './factories.js';
import { IdentityProvider, requestOf } from './identity-provider.js';
import { install, publish } from './integrations.js';
import { idOf } from './things.js';

type Owner = Awaited<ReturnType<TestApp['create']['organization']>>;
type Fields = Record<string, unknown>;

/** An organization that moves: small, with what is hard to move. */
export interface Moving {
  organization: Owner;
  /** A member who has commented, and has reacted to it. */
  writer: TestUser;
  /** Somebody who came in by the identity provider of the organization. */
  vouched: string;
  /** A space that was given to it, with a page and a file that were written before. */
  space: string;
  file: string;
  comment: string;
  site: string;
  /** What the service answered of the keys of share links. */
  keys: unknown;
  /** Id of an installation of what another organization publishes. */
  foreign: string;
}

/** Makes an organization that moves. */
export async function makeMoving(app: TestApp): Promise<Moving> {
  const organization = await app.create.organization({ title: 'Moving' });
  const admin = app.as(organization.admin);
  const writer = await app.create.user({ in: organization, role: 'comment', email: 'writer@example.org' });
  const { space, file } = await givenTo(app, organization);
  const said = app
    .as(writer)
    .post(`/v1/spaces/${space}/comments`)
    .send({ body: { markdown: 'Why?' } });
  const comment = idOf((await said.expect(200)).body);
  await app
    .as(writer)
    .put(`/v1/spaces/${space}/comments/${comment}`)
    .send({ addedReactions: ['👍'] })
    .expect(200);
  const { _id: site } = await app.create.site({ organization, spaces: [{ _id: space }], published: true });
  const path = `/v1/orgs/${organization._id}/sites/${site}`;
  await admin.patch(path).send({ proxy: 'moving.test/docs' }).expect(200);
  await admin.post(`${path}/share-links`).send({ name: 'Friends' }).expect(201);
  const { body: keys } = await admin.get(`${path}/share-links`).expect(200);
  await publish(app, organization, { name: 'moving.own', visibility: 'public' });
  const others = await publish(app, await app.create.organization(), { visibility: 'public' });
  const foreign = (await install(app, organization, others.name)).split('/').at(-1) ?? '';
  return {
    organization,
    writer,
    vouched: await vouchedFor(app, organization),
    space,
    file,
    comment,
    site,
    keys,
    foreign,
  };
}

/** A space with a page and a file that another organization has given to `organization`. */
async function givenTo(app: TestApp, organization: Owner): Promise<{ space: string; file: string }> {
  const { admin } = organization;
  const { _id: space } = await app.create.space({ organization: await app.create.organization({ admin }) });
  const page = { operation: 'insert_page', title: 'Given', document: { markdown: 'Written elsewhere\n' } };
  const sent = { name: 'a.txt', base64: Buffer.from('Bytes').toString('base64'), contentType: 'text/plain' };
  const changes = [page, { operation: 'insert_files', files: [sent] }];
  const { body } = await app.as(admin).post(`/v1/spaces/${space}/content`).send({ changes }).expect(200);
  await app.as(admin).post(`/v1/spaces/${space}/transfer`).send({ organization: organization._id }).expect(200);
  return { space, file: idOf((body as { insertedFiles: unknown[] }).insertedFiles[0]) };
}

/** Somebody who signs in by an identity provider of `organization`; answers their id. */
async function vouchedFor(app: TestApp, { _id, admin }: Owner): Promise<string> {
  const idp = IdentityProvider.make();
  const sent = { label: 'Idp', ssoURL: 'https://idp.test/sso', entityID: idp.entityID, certificate: idp.certificate };
  const provider = idOf((await app.as(admin).post(`/v1/orgs/${_id}/saml`).send(sent).expect(201)).body);
  const { headers } = await app.anonymous().get(`/saml/${provider}/login`).expect(302);
  const { id, acsURL, issuer } = requestOf(new URL(headers.location ?? '').searchParams.get('SAMLRequest') ?? '');
  const claims = { acsURL, audience: issuer, issuer: idp.entityID, request: id, email: 'vouched@example.org' };
  const form = { SAMLResponse: idp.answer(claims) };
  const { body } = await app.anonymous().post(new URL(acsURL).pathname).type('form').send(form).expect(200);
  return idOf((body as { user: unknown }).user);
}

/** What a forger makes of the records of a backup: of one, as many as are answered. */
export interface Forging {
  head?: (head: BackupHead) => BackupHead;
  record?: (collection: string, record: Fields) => Fields[];
  /** Records that are added at the end. */
  more?: [collection: string, record: Fields][];
}

/** Writes the backup `from` to the new file `to`, as a forger would. */
export async function forge(from: string, to: string, forging: Forging): Promise<void> {
  await writeBackup(to, forged(from, forging));
}

async function* forged(path: string, { head, record, more = [] }: Forging): AsyncGenerator<Frame> {
  let collection = '';
  const checked = await checkBackup(path);
  for await (const frames of readBackup(path)) {
    for (const frame of frames) {
      const fields = (): Fields => mongo.BSON.deserialize(frame.bytes, { promoteBuffers: true });
      if (frame.kind === 'collection') collection = String(fields().name);
      if (frame.kind === 'head' && head) yield headFrame(head(checked.head));
      else if (frame.kind === 'record' && record) {
        for (const one of record(collection, fields())) yield frameOf('record', one);
      } else yield frame;
    }
  }
  for (const [name, one] of more) {
    yield frameOf('collection', { name });
    yield frameOf('record', one);
  }
}

const frameOf = (kind: Frame['kind'], fields: Fields): Frame => ({
  kind,
  bytes: Buffer.from(mongo.BSON.serialize(fields)),
});

/** Restores the organization of a backup in `app`; answers why not, where it is refused. */
export async function restoredIn(app: TestApp, path: string, sealed?: Pick<SealedRecords, 'kindOf'>): Promise<string> {
  const target = {
    connection: app.nest.get<Connection>(getConnectionToken()),
    records: app.nest.get(OrganizationRecords, { strict: false }),
    sealed: sealed ?? app.nest.get<SealedRecords>(SealedRecords, { strict: false }),
    restorations: app.nest.get(Restorations, { strict: false }),
  };
  try {
    await restoreOrganization(target, path, (await checkBackup(path)).head);
    return 'no refusal';
  } catch (error) {
    if (error instanceof BackupError) return error.message;
    throw error;
  }
}

/** How many records each collection holds, but for those of jobs, and what a sweep removes where nothing refers to it. */
export async function countsIn({ connection }: TestApp): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of (await connection.listCollections()).map(({ name }) => name).sort()) {
    if (/^(blob|chunks$|documents$|jobs$|sweep)/.test(name)) continue;
    const count = await connection.collection(name).countDocuments({});
    if (count > 0) counts[name] = count;
  }
  return counts;
}
