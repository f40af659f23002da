import type { ChangeRequest } from '../../src/change-requests/index.js';
import type { Comment } from '../../src/comments/index.js';
import { newId } from '../../src/common/ids.js';
import type { OpenApiSpec } from '../../src/openapi/index.js';
import type { Member } from '../../src/organizations/index.js';
import type { Site } from '../../src/sites/site.schema.js';
import type { Place, Space } from '../../src/spaces/index.js';
import type { ContentProcess } from './content.js';
import { IdentityProvider, requestOf } from './identity-provider.js';
import { LEAST } from './integrations.js';
import type { Services } from './queries/services.js';

export type Tenant = Awaited<ReturnType<typeof makeTenant>>;

/** What queries are asked of: the services, what tenants do with them, and content of which nothing is in memory. */
export type Asked = Services & ReturnType<typeof actsOf> & { content: ContentProcess };

/** What looks something up, by what it does for a tenant. */
export type Queries = Record<string, (of: Tenant, by: Asked) => Promise<unknown>>;

const idp = IdentityProvider.make();

/** What tenants do in more than one step. */
export function actsOf(services: Services) {
  const { providers, samlSignIn, changeRequests, reviews, mergeRules, comments, replies } = services;
  const { siteStructure, customization, redirects, visitorAuth, schemas } = services;
  const { specs, specQueue, specVersions, database, events } = services;

  /** Somebody with the address `email` signs in by a new identity provider of `organization`; answers its id. */
  async function signInBySaml(organization: string, email: string, defaultTeam: string | null = null): Promise<string> {
    const { entityID: issuer, certificate } = idp;
    const trusted = { ssoURL: 'https://idp.test/sso', entityID: issuer, certificate };
    const { _id } = await providers.create(organization, { label: 'Acme', ...trusted, defaultTeam });
    const address = new URL(await samlSignIn.start(_id));
    const { id, acsURL, issuer: audience } = requestOf(address.searchParams.get('SAMLRequest') ?? '');
    await samlSignIn.finish(_id, idp.answer({ acsURL, audience, issuer, request: id, email }));
    return _id;
  }

  /** A change request of `space` by `user`, with a review, where merge rules hold. */
  async function proposed({ _id: id, organization }: Space, user: string): Promise<ChangeRequest> {
    const made = await changeRequests.create(id, user, 'Proposed');
    await reviews.create(made, { reviewer: 'somebody', status: 'approved' });
    await mergeRules.put({ of: 'space', id, organization }, { rules: [{ kind: 'approvals', count: 1 }], bypass: [] });
    return made;
  }

  /** A comment on `space` by `user`, with a reply and a reaction. */
  async function said({ _id: space, revision }: Space, user: string): Promise<Comment> {
    const text = { form: 'markdown', text: 'Said' } as const;
    const place = { space, changeRequest: null };
    const about = { page: null, node: null, revision, postedBy: user };
    const comment = await comments.create(place, { ...about, body: text });
    await replies.create(comment, user, text);
    return comments.update(
      place,
      comment._id,
      { reactions: { add: new Map([['👍', '👍']]), remove: new Set() } },
      user,
    );
  }

  /** Sets something of everything for `site`, as `member`, after what is on it went into a section. */
  async function settled(site: Site, member: Member): Promise<Site> {
    const [siteSpace] = site.structure.siteSpaces;
    const siteSpaceId = siteSpace?.id ?? '';
    const { site: moved } = await siteStructure.addSection(site, member, { spaceId: siteSpace?.space ?? '' });
    await customization.put(site, member.user, { title: 'Settled' });
    await customization.patch(moved, siteSpaceId, member.user, { title: 'Settled' });
    await redirects.create(moved, { source: '/old', destination: { kind: 'site-space', siteSpaceId } });
    await visitorAuth.get(site);
    await schemas.put(site, { type: 'object', properties: {}, additionalProperties: false });
    return moved;
  }

  /** A description `slug` of `organization`, with one more version, as a look at it leaves it. */
  async function described(organization: string, slug: string): Promise<OpenApiSpec> {
    const made = await specs.put(organization, slug, { text: '{}' });
    for (;;) {
      const leased = await specQueue.take();
      if (!leased) throw new Error('The description is not due');
      const bytes = Buffer.from(`{"title":"${newId()}"}`);
      const stored = await specVersions.store(organization, bytes, { document: bytes, outline: bytes });
      const version = { hash: newId(), format: 'json', ...stored } as const;
      await specQueue.finish(leased, { error: null, validators: null, version });
      if (leased._id === made._id) return specs.get(organization, slug);
    }
  }

  /** Tells of a version of the description `spec` of `organization`. */
  async function told(organization: string, spec: string): Promise<void> {
    await database.transaction(() => events.emit('spec.processed', { organization, spec, version: newId() }));
  }

  return { signInBySaml, proposed, said, settled, described, told };
}

/** Writes a record of others into every collection. */
export async function writeOthers(services: Services, author: ContentProcess): Promise<void> {
  const { users, organizations, members, teamMembers, tokens, rateCounts, failures, invitations } = services;
  const { spaces, collections, siteSettings, shareLinks, integrations, placements } = services;
  const { translations, webhooks } = services;
  const { signInBySaml, said, proposed, settled, described } = actsOf(services);
  const ann = await users.create({ email: 'others@example.org', displayName: 'Others' });
  const organization = await organizations.create(ann._id, { title: 'Others', emailDomains: ['others.test'] });
  await tokens.issue({ user: ann._id, kind: 'api' });
  const space = await spaces.create(organization._id, ann._id, {});
  await failures.begin('others@example.org', '192.0.2.1');
  await rateCounts.addOne('requests', { key: 'others', window: 40_000_000, count: 1 });
  await invitations.invite(organization, { emails: [{ email: 'invited.other@example.org' }] });
  await signInBySaml(organization._id, 'by.saml@example.org');
  await collections.create(organization._id, ann._id, {});
  await teamMembers.create(organization._id, 'Others', [ann._id]);
  await author.writer.write(space._id, null, async (editor) => editor.insertPage(await author.draft('Other')));
  await rename(author, space._id);
  await said(space, ann._id);
  await proposed(space, ann._id);
  const member = await members.get(organization._id, ann._id);
  const site = await siteSettings.create(member, { spaces: [space._id], title: 'Others' });
  await siteSettings.update(site, { proxy: 'others.test/docs' });
  await shareLinks.create(site, 'Others');
  await settled(site, member);
  const integration = await integrations.publish('others', organization._id, LEAST);
  const installed = await integrations.install(integration._id, organization._id);
  await placements.add(installed, integration, 'site', site._id);
  await translations.create(organization._id, { title: 'Others' });
  await webhooks.create(organization._id, { url: 'https://hooks.invalid/', events: ['spec.processed'] });
  await described(organization._id, 'others');
}

/** Gives the first page of `space` another address. */
async function rename(author: ContentProcess, space: string): Promise<void> {
  const [page] = [...(await author.pages(space)).byId.values()];
  await author.writer.write(space, null, (editor) => editor.updatePage(page?.node.id ?? '', { slug: 'renamed' }));
}

/** A tenant of the usual size: a person, an organization, some spaces, one of them with pages. */
export async function makeTenant(services: Services, author: ContentProcess) {
  const { users, organizations, members, spaces, tokens, teamMembers, collections, grants } = services;
  const user = await users.create({ email: `${newId()}@example.org`, displayName: 'Ann', password: 'correct horse' });
  const organization = await organizations.create(user._id, { title: 'Tenant', emailDomains: ['tenant.test'] });
  const reader = await users.create({ email: `${newId()}@example.org`, displayName: 'Reader' });
  await members.add(organization._id, reader._id, 'read');
  const made: Space[] = [];
  for (let index = 0; index < 12; index++) made.push(await spaces.create(organization._id, user._id, {}));
  for (let index = 0; index < 6; index++) await tokens.issue({ user: user._id, kind: 'api' });
  const team = await teamMembers.create(organization._id, 'Team', [user._id, reader._id]);
  const [space] = made;
  const member = await members.find(organization._id, reader._id);
  if (!space || !member) throw new Error('the tenant is not complete');
  await author.writer.write(space._id, user._id, async (editor) => {
    for (let index = 0; index < 20; index++) await editor.insertPage(await author.draft(`Page ${index}`));
  });
  const owner = await members.find(organization._id, user._id);
  const collection = await collections.create(organization._id, user._id, {});
  for (let index = 0; index < 3; index++) await spaces.create(organization._id, user._id, { parent: collection._id });
  if (!owner) throw new Error('the tenant is not complete');
  const place: Place = { ...(await spaces.get(made[1]?._id ?? '')), kind: 'space' };
  await grants.put(place, { users: [reader._id], teams: [team._id], role: 'edit' });
  return { user, organization, reader, space: await spaces.get(space._id), member, owner, collection, team, place };
}
