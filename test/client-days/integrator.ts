import { png } from '../support/images.js';
import { petstore } from '../support/openapi.js';
import { ask, type PublicClient } from '../support/public-client.js';
import { until } from '../support/until.js';
import type { Day } from './day.js';

/** Somebody publishes an integration and installs it, describes an API, and says into what is translated. */
export async function integratorsDay(day: Day): Promise<void> {
  const organization = await day.app.create.organization({ title: 'Acme' });
  const client = day.client(organization.admin);
  const { _id: space } = await day.app.create.space({ organization });
  const { _id: site } = await day.app.create.site({ organization });
  await publishing(client, organization._id);
  await installing(client, organization._id, { space, site });
  await describing(client, organization._id);
  await translating(client, organization._id);
}

const NAME = 'acme.unfurler';

async function publishing({ integrations }: PublicClient, organization: string): Promise<void> {
  const image = png(2, 2).toString('base64');
  const { data: published } = await integrations.publishIntegration(NAME, {
    organization,
    title: 'Unfurler',
    description: 'Shows what is behind an address',
    summary: '# Unfurler',
    icon: image,
    previewImages: [image],
    visibility: 'public' as never,
    target: 'all' as never,
    scopes: ['space:content:read', 'site:script:inject'] as never,
    categories: ['content'] as never,
    blocks: [{ id: 'unfurl', title: 'Unfurl', urlUnfurl: ['https://acme.example/**'] }],
    configurations: { account: { properties: { key: { type: 'string', title: 'Key' } } } },
    externalLinks: [{ label: 'Help', url: 'https://acme.example/help' }],
    contentSecurityPolicy: "default-src 'self'",
    script: 'export {};',
    secrets: { key: 'secret' },
  });
  expect((await integrations.getIntegrationByName(NAME)).data).toEqual(published);
  const { data: listed } = await integrations.listIntegrations({ search: 'unfurl', blockDomain: 'acme.example' });
  expect(listed.items).toEqual([published]);
}

async function installing(
  { integrations, orgs }: PublicClient,
  organization: string,
  { space, site }: { space: string; site: string },
): Promise<void> {
  const { data: made } = await integrations.installIntegration(NAME, { organization });
  const at = [NAME, made.id] as const;
  const settings = { configuration: { key: 'abc' }, externalIds: ['T1'], site_selection: 'selected' as never };
  const { data: changed } = await integrations.updateIntegrationInstallation(...at, settings);
  expect((await integrations.getIntegrationInstallationById(...at)).data).toEqual(changed);
  expect((await integrations.listIntegrationInstallations(NAME, { externalId: 'T1' })).data.items).toEqual([changed]);
  expect((await orgs.listOrganizationInstallations(organization)).data.items).toMatchObject([
    { installation: changed },
  ]);

  await integrations.installIntegrationOnSpace(...at, { space });
  const { data: onSpace } = await integrations.updateIntegrationSpaceInstallation(...at, space, {
    externalIds: ['S1'],
  });
  expect((await integrations.getIntegrationSpaceInstallation(...at, space)).data).toEqual(onSpace);
  expect((await integrations.listIntegrationInstallationSpaces(...at)).data.items).toEqual([onSpace]);
  await integrations.installIntegrationOnSite(...at, { siteId: site });
  const { data: onSite } = await integrations.updateIntegrationSiteInstallation(...at, site, { externalIds: ['D1'] });
  expect((await integrations.getIntegrationSiteInstallation(...at, site)).data).toEqual(onSite);
  expect((await integrations.listIntegrationInstallationSites(...at)).data.items).toEqual([onSite]);
  const { data: shown } = await orgs.getPublishedContentSite(organization, site);
  expect(shown.scripts).toMatchObject([{ contentSecurityPolicy: "default-src 'self'" }]);

  await integrations.uninstallIntegrationFromSpace(...at, space);
  await integrations.uninstallIntegrationFromSite(...at, site);
  await integrations.uninstallIntegration(...at);
  await integrations.unpublishIntegration(NAME);
}

interface Spec {
  processingState: string;
  lastVersion?: string;
}

/** The client describes the operations on descriptions of APIs, and has no methods for them. */
async function describing(client: PublicClient, organization: string): Promise<void> {
  const root = `/orgs/${organization}/openapi`;
  const at = `${root}/pets`;
  const versionNow = async (): Promise<string> => {
    await until(
      'the description is looked at',
      async () => (await ask<Spec>(client, 'GET', at)).processingState === 'complete',
    );
    return (await ask<Spec>(client, 'GET', at)).lastVersion ?? '';
  };
  await ask(client, 'POST', root, { body: { slug: 'pets', source: { text: JSON.stringify(petstore()) } } });
  const first = await versionNow();
  const text = JSON.stringify(petstore(['get /pets', 'post /pets']));
  await ask(client, 'PUT', at, { body: { source: { text } } });
  const second = await versionNow();
  expect(await ask(client, 'GET', root)).toMatchObject({ count: 1, items: [{ slug: 'pets', lastVersion: second }] });
  const versions = await ask<{ items: object[] }>(client, 'GET', `${at}/versions`);
  expect(versions.items).toMatchObject([{ id: second }, { id: first }]);
  expect(await ask(client, 'GET', `${at}/versions/latest`)).toEqual(versions.items[0]);
  expect(await ask(client, 'GET', `${at}/versions/${first}`)).toEqual(versions.items[1]);
  const latest = await ask<object>(client, 'GET', `${at}/versions/latest/content`);
  expect(await ask<object>(client, 'GET', `${at}/versions/${second}/content`)).toEqual(latest);
  await ask(client, 'DELETE', at, { isEmpty: true });
}

/** The client of this version does not know translation settings. */
async function translating(client: PublicClient, organization: string): Promise<void> {
  const root = `/orgs/${organization}/translations`;
  const { id } = await ask(client, 'POST', root, { body: { title: 'All' } });
  const changed = await ask(client, 'PUT', `${root}/${id}`, { body: { title: 'Some', languages: ['en', 'fr'] } });
  expect(await ask(client, 'GET', `${root}/${id}`)).toEqual(changed);
  expect(await ask(client, 'GET', root)).toEqual({ count: 1, items: [changed] });
  await ask(client, 'DELETE', `${root}/${id}`, { isEmpty: true });
}
