import { newId } from '../src/common/ids.js';
import type { TestApp } from './support/app.js';
import { givenInstallations } from './support/installations.js';
import { install, type Owner, refusal } from './support/integrations.js';

let app: TestApp;
/** Publishes. */
let owner: Owner;
/** Installs. */
let acme: Owner;
let name: string;

const { get, patch, post, remove, spaceOf, siteOf, republish } = givenInstallations((given) => {
  ({ app, owner, acme, name } = given);
});

describe.each([
  ['spaces', 'space', async () => (await spaceOf())._id],
  ['sites', 'siteId', () => siteOf()],
] as const)('%s that an installation is put on', (kind, property, make) => {
  const one = kind.slice(0, -1);

  it('are listed newest first, page by page, and taken off again', async () => {
    const at = await install(app, acme, name);
    const ids = [await make(), await make(), await make()];
    for (const id of ids) {
      const location = `http://docs.test${at}/${kind}/${id}`;
      const { body, headers } = await post(`${at}/${kind}`, { [property]: id }).expect(201);
      expect(body).toEqual({
        integration: name,
        installation: at.split('/').at(-1),
        status: 'active',
        configuration: {},
        externalIds: [],
        urls: { location, publicEndpoint: `http://docs.test/v1/integrations/${name}/script` },
        [one]: id,
      });
      expect(headers.location).toBe(location);
      expect(await get(`${at}/${kind}/${id}`)).toEqual(body);
    }
    const walked: unknown[] = [];
    for (let page: string | undefined, first = true; first || page !== undefined; first = false) {
      const part = await get<{ items: Record<string, unknown>[]; count: number; next?: { page: string } }>(
        `${at}/${kind}`,
        owner.admin,
        { limit: 2, page },
      );
      expect(part.count).toBe(3);
      walked.push(...part.items.map((item) => item[one]));
      page = part.next?.page;
    }
    expect(walked).toEqual([...ids].reverse());
    expect(await get(at)).toMatchObject({ spaces: kind === 'spaces' ? 3 : 0 });
    const { headers } = await remove(`${at}/${kind}/${ids[0] ?? ''}`).expect(205);
    expect(headers['content-length']).toBe('0');
    const gone = refusal(404, `The integration is not installed on this ${one}`);
    for (const sent of [remove(`${at}/${kind}/${ids[0] ?? ''}`), patch(`${at}/${kind}/${ids[0] ?? ''}`, {})]) {
      expect((await sent.expect(404)).body).toEqual(gone);
    }
    expect(await get(at)).toMatchObject({ spaces: kind === 'spaces' ? 2 : 0 });
  });

  it('are of the organization, once each, and put there by its administrators', async () => {
    const at = await install(app, acme, name);
    const id = await make();
    await post(`${at}/${kind}`, { [property]: id }).expect(201);
    expect((await post(`${at}/${kind}`, { [property]: id }).expect(409)).body).toEqual(
      refusal(409, `The integration is on this ${one} already`),
    );
    const foreign =
      kind === 'spaces'
        ? await app.create.space({ organization: owner })
        : await app.create.site({ organization: owner });
    for (const other of [foreign._id, newId(), '$where', '..']) {
      expect((await post(`${at}/${kind}`, { [property]: other }).expect(400)).body).toEqual(
        refusal(400, `${property} must be the id of a ${one} of the organization that has installed it`),
      );
    }
    await post(`${at}/${kind}`, {}).expect(400);
    await post(`${at}/${kind}`, { [property]: await make() }, owner.admin).expect(403);
    await app.anonymous().get(`${at}/${kind}`).expect(401);
    expect((await get(`${at}/${kind}`)).count).toBe(1);
  });

  it('take what is meant for them alone', async () => {
    const target = kind === 'spaces' ? 'site' : 'space';
    await republish({ target });
    const at = await install(app, acme, name);
    expect((await post(`${at}/${kind}`, { [property]: await make() }).expect(409)).body).toEqual(
      refusal(409, `The integration is not for ${kind}: its target is ${target}`),
    );
    await republish({ target: one });
    await post(`${at}/${kind}`, { [property]: await make() }).expect(201);
  });

  it('are free of it when somebody deletes them', async () => {
    const at = await install(app, acme, name);
    const [id, stays] = [await make(), await make()];
    for (const place of [id, stays]) await post(`${at}/${kind}`, { [property]: place }).expect(201);
    await remove(kind === 'spaces' ? `/v1/spaces/${id}` : `/v1/orgs/${acme._id}/sites/${id}`).expect(205);
    expect(await get(`${at}/${kind}`)).toMatchObject({ count: 1, items: [{ [one]: stays }] });
    expect(await get(at)).toMatchObject({ spaces: kind === 'spaces' ? 1 : 0 });
    await app.as(acme.admin).get(`${at}/${kind}/${id}`).expect(404);
  });
});

it('a space is given away once no integration is on it any more', async () => {
  const at = await install(app, acme, name);
  const space = await spaceOf();
  const other = await app.create.organization({ admin: acme.admin });
  await post(`${at}/spaces`, { space: space._id }).expect(201);
  const transfer = () => post(`/v1/spaces/${space._id}/transfer`, { organization: other._id });
  expect((await transfer().expect(412)).body).toEqual(
    refusal(412, 'Integrations are installed on the space: take them off before you give it away'),
  );
  await remove(`${at}/spaces/${space._id}`).expect(205);
  await transfer().expect(200);
  await post(`${at}/spaces`, { space: space._id }).expect(400);
});
