import { type PublicClient, publicClient } from '../support/public-client.js';
import type { Day } from './day.js';

/** The site that somebody builds: the ids of its organization and its own. */
type At = readonly [organization: string, site: string];

/** Moves that the client calls deprecated: `sortSiteStructure` does the same. */
interface Moves {
  moveSiteSectionGroup(organization: string, site: string, group: string, body: object): Promise<unknown>;
  moveSiteSection(organization: string, site: string, section: string, body: object): Promise<unknown>;
  moveSiteSpace(organization: string, site: string, siteSpace: string, body: object): Promise<unknown>;
}

/** The same of the look-up of an address by a query. */
interface LookUp {
  getPublishedContentByUrl(query: { url: string }): Promise<{ data: unknown }>;
}

/** Somebody builds a site of three spaces, makes it look as it should, publishes it, and takes it down. */
export async function publishersDay(day: Day): Promise<void> {
  const { _id: org, admin } = await day.app.create.organization({ title: 'Acme' });
  const client = day.client(admin);
  const spaces: string[] = [];
  for (const title of ['Guides', 'Reference', 'Old reference']) {
    spaces.push((await client.orgs.createSpace(org, { title })).data.id);
  }
  const [guides = '', reference = '', old = ''] = spaces;
  const page = { operation: 'insert_page', title: 'Welcome', document: { markdown: 'Here is the quokka.\n' } };
  await day.app
    .as(admin)
    .post(`/v1/spaces/${guides}/content`)
    .send({ changes: [page] })
    .expect(200);
  const { data: site } = await client.orgs.createSite(org, { title: 'Docs', spaces: [guides] });
  const at = [org, site.id] as const;
  const parts = await building(client, at, reference, old);
  await looks(client, at, parts.variant);
  await leading(client, at, parts);
  await opening(client, at);
  await visiting(client, at, day);
  await takingApart(client, at, parts);
}

interface Parts {
  section: string;
  group: string;
  variant: string;
}

/** Sections, a group and a variant, put in order. */
async function building({ orgs }: PublicClient, at: At, reference: string, old: string): Promise<Parts> {
  const moves: Moves = orgs;
  const { data: section } = await orgs.addSectionToSite(...at, { spaceId: reference, title: 'Reference' });
  const { data: group } = await orgs.addSectionGroupToSite(...at, { title: 'More', sections: [] });
  await orgs.updateSiteSectionGroupById(...at, group.id, { title: 'For programmers', icon: 'code' });
  await orgs.addSectionToGroup(...at, group.id, { sectionId: section.id });
  await moves.moveSiteSectionGroup(...at, group.id, { position: {} });
  await orgs.removeSectionFromGroup(...at, group.id, section.id);
  await orgs.addSectionToGroup(...at, group.id, { sectionId: section.id });
  await orgs.updateSiteSectionById(...at, section.id, { title: 'API', path: 'api', condition: 'visitor.isSignedIn' });
  const { data: variant } = await orgs.addSpaceToSite(...at, { spaceId: old, sectionId: section.id });
  await orgs.updateSiteSpaceById(...at, variant.id, { path: 'v1' });
  await moves.moveSiteSpace(...at, variant.id, { position: {} });
  await moves.moveSiteSection(...at, section.id, { position: {} });
  const item = { type: 'site-space', id: variant.id } as const;
  expect((await orgs.sortSiteStructure(...at, { item, position: {} })).data).toMatchObject({ id: variant.id });

  expect((await orgs.listSiteSectionGroups(...at)).data.items).toMatchObject([
    { id: group.id, sections: [{ id: section.id }] },
  ]);
  expect((await orgs.listSiteSections(...at)).data.count).toBe(2);
  expect((await orgs.listSiteSpaces(...at, { default: true })).data.count).toBe(2);
  expect((await orgs.getSiteStructure(...at)).data).toMatchObject({ type: 'sections' });
  return { section: section.id, group: group.id, variant: variant.id };
}

async function looks({ orgs }: PublicClient, at: At, variant: string): Promise<void> {
  const { data: settings } = await orgs.getSiteCustomizationById(...at);
  const sent = { ...settings, title: 'The docs', favicon: { emoji: '1f4d8' } };
  expect((await orgs.updateSiteCustomizationById(...at, sent)).data).toMatchObject({ title: 'The docs' });
  await orgs.overrideSiteSpaceCustomizationById(...at, variant, { title: 'Old docs' });
  expect((await orgs.getSiteSpaceCustomizationById(...at, variant)).data.title).toBe('Old docs');
  await orgs.deleteSiteSpaceCustomizationById(...at, variant);
  const schema = {
    type: 'object',
    properties: { isSignedIn: { type: 'boolean', description: 'Whether we know who it is' } },
    additionalProperties: false,
  } as const;
  const { data: put } = await orgs.updateSiteAdaptiveSchema(...at, { jsonSchema: schema });
  expect((await orgs.getSiteAdaptiveSchema(...at)).data).toEqual(put);
}

/** Redirects, and who may come in how. */
async function leading({ orgs }: PublicClient, at: At, { section, variant }: Parts): Promise<void> {
  const { data: redirect } = await orgs.createSiteRedirect(...at, {
    source: '/reference',
    destination: { kind: 'site-section', siteSectionId: section },
  });
  await orgs.updateSiteRedirectById(...at, redirect.id, { destination: { kind: 'site-space', siteSpaceId: variant } });
  expect((await orgs.listSiteRedirects(...at)).data.count).toBe(1);
  const { data: auth } = await orgs.getSitePublishingAuthById(...at);
  const fallback = { backend: 'custom', fallbackURL: 'https://acme.example/sign-in' } as const;
  await orgs.updateSitePublishingAuthById(...at, fallback);
  expect((await orgs.regenerateSitePublishingAuthById(...at)).data.privateKey).not.toBe(auth.privateKey);
  const { data: link } = await orgs.createSiteShareLink(...at, { name: 'Friends' });
  await orgs.updateSiteShareLinkById(...at, link.id, { active: false });
  expect((await orgs.listSiteShareLinks(...at)).data.items).toMatchObject([{ id: link.id, active: false }]);
  await orgs.deleteSiteShareLinkById(...at, link.id);
}

async function opening({ orgs }: PublicClient, at: At): Promise<void> {
  const settings = { basename: 'handbook', visibility: 'unlisted' as never, adaptiveContent: { enabled: true } };
  await orgs.updateSiteById(...at, settings);
  const { data: published } = await orgs.publishSite(...at);
  expect((await orgs.getSiteById(...at)).data).toEqual(published);
  expect((await orgs.listSites(at[0], { published: true })).data.items).toEqual([published]);
  const { data: redirected } = await orgs.getSiteRedirectBySource(...at, { source: '/reference' });
  expect(redirected.redirect.source).toBe('/reference');
  await orgs.deleteSiteRedirectById(...at, redirected.redirect.id);
}

/** What a visitor finds. */
async function visiting(client: PublicClient, at: At, day: Day): Promise<void> {
  const { data: site } = await client.orgs.getSiteById(...at);
  const url = site.urls.published ?? '';
  const lookUp: LookUp = client.urls;
  const { data: resolved } = await client.urls.resolvePublishedContentByUrl({ url: `${url}/welcome` });
  const { data: same } = await lookUp.getPublishedContentByUrl({ url: `${url}/welcome` });
  expect(same).toEqual(resolved);
  if (!('apiToken' in resolved)) throw new Error(`${url} leads elsewhere`);
  const visitor = publicClient(day.app.url, resolved.apiToken);
  expect((await client.orgs.getPublishedContentSite(...at)).data.site.id).toBe(at[1]);
  expect((await visitor.spaces.getSpaceById(resolved.space)).data.visibility).toBe('unlisted');
  const { data: found } = await client.orgs.searchSiteContent(...at, { query: 'quokka', mode: 'all' });
  expect(found.items).toMatchObject([{ id: resolved.space }]);
}

async function takingApart({ orgs }: PublicClient, at: At, { section, group, variant }: Parts): Promise<void> {
  expect((await orgs.unpublishSite(...at)).data.published).toBe(false);
  await orgs.deleteSiteSpaceById(...at, variant);
  await orgs.deleteSiteSectionGroupById(...at, group);
  await orgs.deleteSiteSectionById(...at, section);
  expect((await orgs.listSiteSections(...at)).data.count).toBe(1);
  await orgs.deleteSiteById(...at);
}
