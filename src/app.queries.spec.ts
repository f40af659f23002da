import { getConnectionToken } from '@nestjs/mongoose';
import type { CommandStartedEvent, Document } from 'mongodb';
import type { Connection } from 'mongoose';
import { type ContentProcess, startContent } from '../test/support/content.js';
import { startTestDatabase, type TestDatabase } from '../test/support/database.js';
import { IdentityProvider, requestOf } from '../test/support/identity-provider.js';
import { Audit, type AuditFilter } from './audit/index.js';
import { AuthModule, TokensService } from './auth/index.js';
import {
  type ChangeRequest,
  ChangeRequestsModule,
  ChangeRequestsService,
  MergeRulesService,
  ReviewsService,
} from './change-requests/index.js';
import {
  type Comment,
  type CommentsFilter,
  CommentsModule,
  CommentsService,
  RepliesService,
} from './comments/index.js';
import { newId } from './common/ids.js';
import { Urls } from './common/urls.js';
import { ConfigModule, loadConfig } from './config/index.js';
import { ContentModule } from './content/index.js';
import { pendingMigrations } from './database/index.js';
import { SignInFailures } from './auth/sign-in-failures.service.js';
import { type Member, MembersService, OrganizationsService } from './organizations/index.js';
import { InvitationsService } from './organizations/invitations.service.js';
import { LinkInvitesService } from './organizations/link-invites.service.js';
import { MemberChangesService } from './organizations/member-changes.service.js';
import {
  CollectionsService,
  GrantsService,
  type Place,
  type Space,
  SpaceLifeService,
  SpacePurge,
  SpacesService,
} from './spaces/index.js';
import { SiteSettings, SitesModule, SitesService } from './sites/index.js';
import { CustomizationService } from './sites/customization/customization.service.js';
import { PublicationsService } from './sites/published/publications.service.js';
import { ResolverService } from './sites/published/resolver.service.js';
import { SiteTokensService } from './sites/published/site-tokens.service.js';
import { RedirectsService } from './sites/redirects/redirects.service.js';
import { AdaptiveSchemasService } from './sites/schema/adaptive-schemas.service.js';
import { ShareLinksService } from './sites/share-links/share-links.service.js';
import type { Site } from './sites/site.schema.js';
import { SiteStructureService } from './sites/structure/site-structure.service.js';
import { siteSpacesOf } from './sites/structure/structure.js';
import { VisitorAuthService } from './sites/visitor-auth/visitor-auth.service.js';
import { SamlProvidersService, SsoModule } from './sso/index.js';
import { SamlSignInService } from './sso/saml-sign-in.service.js';
import { TeamMembersService, TeamsService, TeamViews } from './teams/index.js';
import { UsersService } from './users/index.js';

/** Records of others in each collection: a query that reads so many reads what it should not. */
const OTHERS = 400;
/** What a query of one tenant, which has less than that of everything, may read. */
const ENOUGH = 150;

/** Queries that read a whole collection, by collection and filter, and why they may. */
const WHOLE: Record<string, string> = {
  'users {}': 'asks whether there is anybody, and stops at the first',
  'migrations {}': 'there are as many as there are versions',
};
/** Queries whose answer is put in order after it was read, by how collection and filter begin, and why that is little. */
const SORTED: Record<string, string> = {
  organizations: 'those of one person, or of one e-mail domain',
  change_requests: 'those of one person, with one status, in one space: an index over a list gives no order here',
  comments: 'those of several people, whom somebody asks for by name',
  collections: 'those of one organization that somebody sees, at most a thousand',
  'members {"teams.team"': 'those of one team: the embedded engine does not read an index over arrays in order',
  sites: 'those that carry one space, or one of those that a guest sees',
  teams: 'those of one member, or that one member can manage, at most a thousand',
};

let test: TestDatabase;
/** Writes what is there; what is asked about it is asked of `content`, which has nothing in memory. */
let author: ContentProcess;
let content: ContentProcess;
let connection: Connection;
let users: UsersService;
let audit: Audit;
let tokens: TokensService;
let organizations: OrganizationsService;
let members: MembersService;
let memberChanges: MemberChangesService;
let links: LinkInvitesService;
let invitations: InvitationsService;
let failures: SignInFailures;
let providers: SamlProvidersService;
let samlSignIn: SamlSignInService;
let spaces: SpacesService;
let life: SpaceLifeService;
let purge: SpacePurge;
let collections: CollectionsService;
let grants: GrantsService;
let teams: TeamsService;
let teamMembers: TeamMembersService;
let teamViews: TeamViews;
let changeRequests: ChangeRequestsService;
let reviews: ReviewsService;
let mergeRules: MergeRulesService;
let comments: CommentsService;
let replies: RepliesService;
let sites: SitesService;
let siteSettings: SiteSettings;
let shareLinks: ShareLinksService;
let siteStructure: SiteStructureService;
let customization: CustomizationService;
let redirects: RedirectsService;
let visitorAuth: VisitorAuthService;
let schemas: AdaptiveSchemasService;
let resolver: ResolverService;
let siteTokens: SiteTokensService;
let publications: PublicationsService;
let urls: Urls;

beforeAll(async () => {
  test = await startTestDatabase();
  const config = loadConfig({ SECRET_KEY: 'a key that is made of 32 characters' });
  const app = await test.boot(
    ConfigModule.of(config),
    AuthModule,
    SsoModule,
    ContentModule,
    ChangeRequestsModule,
    CommentsModule,
    SitesModule,
  );
  connection = app.get(getConnectionToken());
  users = app.get(UsersService, { strict: false });
  audit = app.get(Audit, { strict: false });
  tokens = app.get(TokensService, { strict: false });
  organizations = app.get(OrganizationsService, { strict: false });
  members = app.get(MembersService, { strict: false });
  memberChanges = app.get(MemberChangesService, { strict: false });
  links = app.get(LinkInvitesService, { strict: false });
  invitations = app.get(InvitationsService, { strict: false });
  failures = app.get(SignInFailures, { strict: false });
  providers = app.get(SamlProvidersService, { strict: false });
  samlSignIn = app.get(SamlSignInService, { strict: false });
  spaces = app.get(SpacesService, { strict: false });
  life = app.get(SpaceLifeService, { strict: false });
  purge = app.get(SpacePurge, { strict: false });
  collections = app.get(CollectionsService, { strict: false });
  grants = app.get(GrantsService, { strict: false });
  teams = app.get(TeamsService, { strict: false });
  teamMembers = app.get(TeamMembersService, { strict: false });
  teamViews = app.get(TeamViews, { strict: false });
  changeRequests = app.get(ChangeRequestsService, { strict: false });
  reviews = app.get(ReviewsService, { strict: false });
  mergeRules = app.get(MergeRulesService, { strict: false });
  comments = app.get(CommentsService, { strict: false });
  replies = app.get(RepliesService, { strict: false });
  sites = app.get(SitesService, { strict: false });
  siteSettings = app.get(SiteSettings, { strict: false });
  shareLinks = app.get(ShareLinksService, { strict: false });
  siteStructure = app.get(SiteStructureService, { strict: false });
  customization = app.get(CustomizationService, { strict: false });
  redirects = app.get(RedirectsService, { strict: false });
  visitorAuth = app.get(VisitorAuthService, { strict: false });
  schemas = app.get(AdaptiveSchemasService, { strict: false });
  resolver = app.get(ResolverService, { strict: false });
  siteTokens = app.get(SiteTokensService, { strict: false });
  publications = app.get(PublicationsService, { strict: false });
  urls = app.get(Urls, { strict: false });
  author = await startContent(test);
  await fill();
});

afterAll(() => test.stop());

/** Puts records of others into every collection, of the form that the services write. */
async function fill(): Promise<void> {
  const ann = await users.create({ email: 'others@example.org', displayName: 'Others' });
  const organization = await organizations.create(ann._id, { title: 'Others', emailDomains: ['others.test'] });
  await tokens.issue({ user: ann._id, kind: 'api' });
  const space = await spaces.create(organization._id, ann._id, {});
  await failures.begin('others@example.org', '192.0.2.1');
  await invitations.invite(organization, { emails: [{ email: 'invited.other@example.org' }] });
  await signInBySaml(organization._id, 'by.saml@example.org');
  await collections.create(organization._id, ann._id, {});
  await teamMembers.create(organization._id, 'Others', [ann._id]);
  await author.writer.write(space._id, null, async (editor) => editor.insertPage(await author.draft('Other')));
  await renamed(space._id);
  await said(space, ann._id);
  await proposed(space, ann._id);
  const member = await members.get(organization._id, ann._id);
  const site = await siteSettings.create(member, { spaces: [space._id], title: 'Others' });
  await siteSettings.update(site, { proxy: 'others.test/docs' });
  await shareLinks.create(site, 'Others');
  await settled(site, member);
  for (const { collectionName } of (await connection.db?.collections()) ?? []) {
    const collection = connection.collection<Document & { _id: unknown }>(collectionName);
    const record = collectionName === 'migrations' ? null : await collection.findOne();
    if (!record) continue;
    const copies = Array.from({ length: OTHERS }, () => copyOf(record));
    await collection.insertMany(copies);
  }
}

const idp = IdentityProvider.make();

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
  return comments.update(place, comment._id, { reactions: { add: new Map([['👍', '👍']]), remove: new Set() } }, user);
}

/** Gives the first page of `space` another address. */
async function renamed(space: string): Promise<void> {
  const [page] = [...(await author.pages(space)).byId.values()];
  await author.writer.write(space, null, (editor) => editor.updatePage(page?.node.id ?? '', { slug: 'renamed' }));
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

/** A record like `record`, with names of its own where they are unique, and made at another time. */
function copyOf(record: Document): Document & { _id: string } {
  const names = [
    'basename',
    'comment',
    'email',
    'hash',
    'hostname',
    'keyHash',
    'proxyKey',
    'segment',
    'site',
    'space',
    'user',
  ];
  const unique = names.filter((name) => name in record);
  return {
    ...record,
    _id: newId(),
    ...Object.fromEntries(unique.map((name) => [name, newId()])),
    createdAt: new Date(Math.floor(Math.random() * Date.now())),
  };
}

/** What the commands were that `work` sent and that look something up. */
async function commandsOf(client: Connection, work: () => Promise<unknown>): Promise<Document[]> {
  const seen: Document[] = [];
  const listen = ({ command }: CommandStartedEvent): void => void seen.push(command);
  client.getClient().on('commandStarted', listen);
  try {
    await work();
  } finally {
    client.getClient().off('commandStarted', listen);
  }
  return seen.flatMap(lookUps);
}

const LOOK_UPS = ['find', 'aggregate', 'count', 'distinct', 'findAndModify'];
const PARTS = ['filter', 'query', 'pipeline', 'cursor', 'sort', 'limit', 'key', 'projection'];

/** `command` as commands that `explain` takes, one for each of its statements. */
function lookUps(command: Document): Document[] {
  const [name = ''] = Object.keys(command);
  const collection: unknown = command[name];
  if (LOOK_UPS.includes(name)) {
    const parts = PARTS.filter((part) => part in command).map((part) => [part, command[part] as unknown] as const);
    return [{ [name]: collection, ...Object.fromEntries(parts) }];
  }
  if (name !== 'update' && name !== 'delete') return [];
  const statements = command[`${name}s`] as Document[];
  return statements.map((statement) => ({ [name]: collection, [`${name}s`]: [statement] }));
}

/** A query as the service sends it, and how the engine answers it. */
interface Explained {
  collection: string;
  filter: string;
  stages: string[];
  examined: number;
}

async function explain(command: Document): Promise<Explained> {
  const [collection = ''] = Object.values(command) as string[];
  const answer = await connection.db?.command({ explain: command, verbosity: 'executionStats' });
  const { winningPlan, parsedQuery } = answer?.queryPlanner as { winningPlan: Stage; parsedQuery: unknown };
  const { totalDocsExamined } = answer?.executionStats as { totalDocsExamined: number };
  return {
    collection,
    filter: JSON.stringify(parsedQuery),
    stages: stagesOf(winningPlan),
    examined: totalDocsExamined,
  };
}

interface Stage {
  stage: string;
  inputStage?: Stage;
}

const stagesOf = ({ stage, inputStage }: Stage): string[] => [stage, ...(inputStage ? stagesOf(inputStage) : [])];

/** A tenant of the usual size: a person, an organization, some spaces, one of them with pages. */
async function tenant() {
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

type Tenant = Awaited<ReturnType<typeof tenant>>;

/** Everything that looks something up, by what it does for whom. */
const QUERIES: Record<string, (of: Tenant) => Promise<unknown>> = {
  'a token is looked up': ({ user }) => tokens.authenticate(`${user._id} no token`),
  'tokens are listed': async ({ user }) => {
    const { next } = await tokens.list(user._id, { limit: 2 });
    return tokens.list(user._id, { limit: 2, page: next?.page });
  },
  'a token is revoked': ({ user }) => tokens.revoke(user._id, 'nothing').catch(() => undefined),
  'a token is ended': ({ user }) => tokens.end({ user: user._id, token: 'nothing' }),
  'people are read': ({ user, reader }) => users.getMany([user._id, reader._id]),
  'a person is found': ({ user }) => users.find(user._id),
  'a person signs in': ({ user }) => users.verify(user.email, 'correct horse'),
  'a person is changed': ({ user }) => users.update(user._id, { displayName: 'Ann B.' }),
  'a password is set': ({ user }) => users.setPassword(user._id, 'another horse'),
  'it is asked whether there is anybody': () => users.isEmpty(),
  'a member is found': ({ organization, user }) => members.find(organization._id, user._id),
  'memberships are found': ({ user }) => members.organizationsOf(user._id),
  'fellows are told from strangers': ({ user, reader }) => members.areFellows(user._id, reader._id),
  'a member is added': ({ organization }) => members.add(organization._id, 'somebody', 'read'),
  'members are listed': async ({ organization: { _id } }) => {
    for (const sort of ['joinedAt', 'lastSeenAt'] as const) {
      const { next } = await members.list(_id, { sort, role: 'read', search: 'x', limit: 1 });
      await members.list(_id, { sort, role: 'read', search: 'x', limit: 1, page: next?.page });
      await members.list(_id, { sort, limit: 1 });
    }
  },
  'a member is changed': async ({ organization: { _id }, reader, user }) => {
    await memberChanges.setRole(_id, reader._id, 'edit');
    await memberChanges.ping(_id, reader._id);
    await memberChanges.trustProvider(_id, reader._id);
    await memberChanges.setRole(_id, user._id, 'read').catch(() => undefined);
  },
  'a member is removed': ({ organization: { _id }, reader }) => memberChanges.remove(_id, reader._id),
  'people are invited': async ({ organization, reader }) => {
    const emails = [{ email: reader.email }, { email: `${newId()}@example.org` }];
    const answer = await invitations.invite(organization, { emails, sso: true });
    for (const { email, invite, user } of answer.invitations) {
      await (await invitations.find(invite, email))?.accept(user);
      await invitations.isForgotten(await users.get(user));
    }
  },
  'links are made and used': async ({ organization: { _id }, owner, space }) => {
    const made = [
      await links.create(_id, { role: 'read' }, owner),
      await links.create(_id, { level: 'edit', space: space._id }, owner),
    ];
    const stranger = await users.create({ email: `${newId()}@example.org`, displayName: 'Stranger' });
    for (const link of made) {
      await links.update(_id, link._id, link.space === null ? { role: 'edit' } : { level: 'edit' });
      await links.join(_id, link._id, stranger._id);
    }
    const { next } = await links.list(_id, { limit: 1 });
    await links.list(_id, { limit: 1, page: next?.page });
    await links.remove(_id, made[0]?._id ?? '');
  },
  'identity providers are listed': async ({ organization: { _id } }) => {
    await providers.create(_id, { label: 'Acme' });
    const { next } = await providers.list(_id, { limit: 1 });
    await providers.list(_id, { limit: 1, page: next?.page });
    await providers.listActive(_id);
    await providers.among([_id]);
  },
  'somebody signs in by an identity provider, which is changed and removed': async ({
    organization: { _id },
    team,
  }) => {
    const email = `${newId()}@example.org`;
    await signInBySaml(_id, email, team._id);
    const provider = await providers.get(_id, await signInBySaml(_id, email));
    await providers.remove(await providers.update(provider, { defaultTeam: team._id }));
  },
  'a sign-in is counted': async ({ user }) => (await failures.begin(user.email, '192.0.2.2')).succeeded(),
  'an organization is read': ({ organization }) => organizations.get(organization._id),
  'organizations are listed': ({ user }) => organizations.listOf(user._id, { limit: 1 }),
  'organizations go with a domain': ({ user }) => organizations.forEmailDomain('tenant.test', user._id),
  'an organization is made': ({ user }) => organizations.create(user._id, { title: 'Tenant' }),
  'an organization is changed': ({ organization }) => organizations.update(organization, { hostname: 'tenant-now' }),
  'what was done is listed': async ({ organization, user, space }) => {
    const [from, to] = [new Date(0), new Date(Date.now() + 1000)];
    const filters: AuditFilter[] = [{}, { actor: null }, { action: 'space.create' }, { resource: space._id }];
    for (const filter of [...filters, { actor: user._id, action: 'space.update', from, to } as const]) {
      const { next } = await audit.list(organization._id, { ...filter, limit: 1 });
      if (next) await audit.list(organization._id, { ...filter, limit: 1, page: next.page });
    }
  },
  'what was done long ago is removed': () => audit.removeBefore(new Date(0), 500),
  'a space is read': ({ space }) => spaces.get(space._id),
  'spaces are listed': async ({ organization, member }) => {
    const { next } = await spaces.list(organization._id, member, { limit: 3 });
    return spaces.list(organization._id, member, { limit: 3, page: next?.page });
  },
  'spaces are counted': ({ organization, member }) => spaces.list(organization._id, member, { limit: 0 }),
  'visible spaces are listed': ({ organization, member }) => spaces.allVisible(organization._id, member),
  'a space is changed': ({ space }) => spaces.update(space, { title: 'Other' }),
  'a collection is made': ({ organization, user }) => collections.create(organization._id, user._id, {}),
  'what collections bring down is read': ({ organization, member }) =>
    collections.inheritance(organization._id, member),
  'collections are listed': async ({ organization, member }) => {
    const inheritance = await collections.inheritance(organization._id, member);
    const { next } = await collections.list(member, inheritance, { limit: 1 });
    return collections.list({ ...member, organization: organization._id }, inheritance, { limit: 1, page: next?.page });
  },
  'spaces in a collection are listed': async ({ member, collection }) => {
    const inheritance = await collections.inheritanceFrom(collection, member);
    const { next } = await spaces.listIn(collection, { member, inheritance }, { limit: 1 });
    return spaces.listIn(collection, { member, inheritance }, { limit: 1, page: next?.page });
  },
  'a collection is moved': async ({ collection, owner }) => {
    const inner = await collections.create(collection.organization, 'ann', { parent: collection._id });
    await collections.move(inner, owner, { parent: null });
    await collections.move(inner, owner, { position: { before: { kind: 'collection', id: collection._id } } });
    await collections.remove(inner);
  },
  'a space is moved': async ({ space, owner, collection }) => {
    await life.move(space, owner, { parent: collection._id });
    await life.move(space, owner, { parent: null });
  },
  'a space goes to the trash and comes back': async ({ space }) => {
    await life.remove(space);
    await life.restore(space);
  },
  'a space is duplicated': ({ space, owner }) =>
    life.duplicate(space, owner.user, { member: owner, inherited: { role: 'admin' } }),
  'a space is transferred': async ({ space, owner }) => {
    const { _id: to } = await organizations.create(owner.user, { title: 'Target' });
    const there = await members.find(to, owner.user);
    const gone = await life.transfer(space, owner, to);
    await life.transfer(gone, there, space.organization);
  },
  'spaces are purged': async ({ organization, user }) => {
    const gone = await spaces.create(organization._id, user._id, {});
    await life.remove(gone);
    await purge.run(undefined, new Date(Date.now() + 8 * 24 * 60 * 60_000));
  },
  'teams are listed': async ({ organization, owner, member }) => {
    await teams.list(organization._id, { title: 'ea', limit: 1 });
    await teams.listManagedBy(organization._id, owner, { limit: 1 });
    await teams.listOf(member, { limit: 1 });
  },
  'teams are shown': async ({ team, member }) => teamViews.one(team, member),
  'members of a team are listed': ({ team }) => teamMembers.list(team, { limit: 1 }),
  'a team is made, changed and removed': async ({ organization, user, reader }) => {
    const team = await teamMembers.create(organization._id, 'Short', [user._id]);
    await teams.rename(team, 'Renamed');
    await teamMembers.update(team, { add: [reader.email], memberships: { [user._id]: { role: 'owner' } } });
    await teamMembers.remove(team, reader._id);
    await teams.remove(team);
  },
  'entries are given, changed and removed': async ({ place, user, team }) => {
    await grants.put(place, { users: [user._id], teams: [team._id], role: 'review' });
    await grants.update(place, 'users', user._id, 'edit');
    await grants.remove(place, 'users', user._id);
  },
  'everyone with a role is listed': async ({ place }) => {
    const { next } = await grants.everyone(place, { limit: 1 });
    await grants.everyone(place, { limit: 1, page: next?.page });
    await grants.everyone(place, { role: 'edit' });
  },
  'spaces that are there are told': ({ space }) => spaces.existing([space._id]),
  'belonging people are found': ({ organization, user }) => members.belonging(organization._id, [user._id]),
  'spaces behind on indexing are found': () => spaces.behindOnIndexing(50),
  'a revision is read': ({ space }) => content.reading.revision(space.revision),
  'a page is read': async ({ space }) => {
    const { pages } = await content.reading.pages(space.revision);
    return content.reading.page(space.revision, pages[0]?.node.id ?? '', 'markdown');
  },
  'revisions are listed': ({ space }) => content.revisions.history(space._id, { limit: 1 }),
  'revisions are read together': ({ space }) => content.revisions.findMany([space.revision, 'nothing']),
  'texts are looked for': ({ space }) => content.documents.missing([space._id]),
  'a page is added': ({ space }) =>
    content.writer.write(space._id, null, async (editor) => editor.insertPage(await content.draft('One more'))),
  'a page is taken out': ({ space }) =>
    content.writer.write(space._id, null, async (editor) => {
      const [page] = (await content.pages(space._id)).pages;
      return editor.deletePage(page?.node.id ?? '');
    }),
  'many pages are added and indexed': async ({ space }) => {
    await content.writer.write(space._id, null, async (editor) => {
      for (let index = 0; index < 60; index++) await editor.insertPage(await content.draft(`Many ${index}`));
    });
    await content.indexer.catchUp(space._id);
  },
  'a branch is edited, updated and merged': async ({ space, user }) => {
    const present = await spaces.get(space._id);
    const branch = { changeRequest: 'c', space: present, revision: present.revision, base: present.revision };
    const insert = { operation: 'insert_page', title: 'On a branch', document: { markdown: 'Text\n' } } as const;
    const batch = await content.batches.prepare(space.organization, [insert]);
    const { revision } = await content.branches.edit(branch, user._id, batch);
    await content.writer.write(space._id, null, async (editor) => {
      const [page] = (await content.pages(space._id)).pages;
      return editor.updatePage(page?.node.id ?? '', { slug: 'elsewhere' });
    });
    const edited = { ...branch, revision: revision._id, space: await spaces.get(space._id) };
    const pulled = await content.branches.pull(edited, user._id);
    const tip = pulled.kind === 'updated' ? pulled.revision._id : '';
    await content.branchLinks.read(await spaces.get(space._id), await content.revisions.get(tip));
    await content.branches.merge({ ...edited, revision: tip }, user._id, () => Promise.resolve(true));
  },
  'the index is made anew': ({ space }) => content.indexer.rebuild(space._id),
  'a space is searched': ({ space }) => content.search.searchSpace(space._id, 'text page'),
  'spaces are searched': async ({ organization, member }) => {
    const visible = await spaces.allVisible(organization._id, member);
    return content.search.searchSpaces(
      visible.map(({ _id }) => _id),
      'text page',
      {},
    );
  },
  'the pages that search knows are read': ({ space }) => content.index.documents(space._id),
  'change requests are listed': async ({ space, user }) => {
    const made = await Promise.all([1, 2, 3].map(() => changeRequests.create(space._id, user._id)));
    for (const contributor of [undefined, user._id]) {
      const query = { status: 'draft', contributor, limit: 1 } as const;
      const { next } = await changeRequests.list(space._id, query);
      await changeRequests.list(space._id, { ...query, page: next?.page });
    }
    return changeRequests.findMany(made.map(({ _id }) => _id));
  },
  'a change request is found and changed': async ({ space, user }) => {
    const { number, _id } = await changeRequests.create(space._id, user._id);
    const made = (await changeRequests.find(space._id, String(number))) ?? (await changeRequests.get(_id));
    await changeRequests.find(space._id, _id);
    await changeRequests.update(made, { status: 'open' });
    await changeRequests.adjustComments(made, 1);
    const moved = await changeRequests.advance(made, { revision: 'next' }, user._id);
    return changeRequests.markMerged(moved ?? made, 'result');
  },
  'reviews are made, listed and counted': async ({ space, user }) => {
    const made = await proposed(space, user._id);
    for (const reviewer of ['ann', 'bob', 'ann']) await reviews.create(made, { reviewer, status: 'approved' });
    const { next } = await reviews.list(made, { limit: 2 });
    await reviews.list(made, { limit: 2, page: next?.page });
    return mergeRules.evaluate(made, space, user._id);
  },
  'merge rules are read': ({ space }) => mergeRules.get(space._id),
  'comments are listed': async ({ space, user }) => {
    const place = { space: space._id, changeRequest: null };
    await said(space, user._id);
    await said(space, user._id);
    const filters: CommentsFilter[] = [
      {},
      { status: 'open' },
      { targetPage: 'p' },
      { authors: [user._id] },
      { authors: [user._id, 'nobody'] },
    ];
    for (const filter of filters) {
      const { next } = await comments.list(place, { ...filter, limit: 1 });
      await comments.list(place, { ...filter, limit: 1, page: next?.page });
    }
  },
  'comments and replies are written, changed and removed': async ({ space, user }) => {
    const place = { space: space._id, changeRequest: null };
    const comment = await said(space, user._id);
    const reactions = { add: new Map([['🎉', '🎉']]), remove: new Set(['👍']) };
    await comments.update(place, comment._id, { resolved: true, reactions }, user._id);
    const [reply] = (await replies.list(comment, { limit: 1 })).items;
    await replies.update(comment, reply?._id ?? '', { reactions }, user._id);
    await replies.remove(comment, reply?._id ?? '');
    await comments.remove(place, comment._id);
  },
  'comments are read together': ({ space }) => comments.getMany({ space: space._id, changeRequest: null }, ['nothing']),
  'sites are made, listed and found': async ({ organization: { _id }, owner, member, space }) => {
    const guest = { ...member, role: null };
    const site = await siteSettings.create(owner, { spaces: [space._id], title: 'Docs' });
    await siteSettings.create(owner, { title: 'Docs' });
    const filters = [{}, { space: space._id }, { title: 'o' }, { published: true, space: space._id }];
    for (const filter of filters)
      for (const viewer of [owner, guest]) {
        const { next } = await sites.list(_id, viewer, { ...filter, limit: 1 });
        await sites.list(_id, viewer, { ...filter, limit: 1, page: next?.page });
      }
    await sites.byIds([site._id]);
    await sites.bySpaces([space._id]);
    await sites.carries(space._id);
    await sites.idsCarrying(space._id);
    await sites.findByProxies(['example.com/docs']);
    await siteSettings.update(site, { basename: 'manual', proxy: 'example.com/docs' });
    await siteSettings.publish(site, true);
    await organizations.update(await organizations.get(_id), { defaultContent: { type: 'site', site: site._id } });
    return sites.remove(site);
  },
  'share links are made, listed and followed': async ({ owner }) => {
    const site = await siteSettings.create(owner, {});
    const [one] = [await shareLinks.create(site, 'One'), await shareLinks.create(site, 'Two')];
    const { next } = await shareLinks.list(site, { limit: 1 });
    await shareLinks.list(site, { limit: 1, page: next?.page });
    await shareLinks.accepted(site._id, shareLinks.keyOf(one));
    await shareLinks.isActive(site._id, one._id);
    await shareLinks.update(site, one._id, { active: false });
    await shareLinks.remove(site, one._id);
    return sites.remove(site);
  },
  'settings of sites are made, read and removed': async ({ owner, space }) => {
    const made = await siteSettings.create(owner, { spaces: [space._id] });
    const site = await settled(made, owner);
    const { siteSpace } = siteSpacesOf(site.structure)[0] ?? {};
    await customization.all(site);
    await customization.of(site);
    await customization.ofSiteSpace(site, siteSpace?.id ?? '');
    const { next, items } = await redirects.list(site, { limit: 1 });
    await redirects.list(site, { limit: 1, page: next?.page });
    await redirects.update(site, items[0]?._id ?? '', { source: '/older' });
    for (const source of ['/older', '/page-0', '/former/nothing/at/all']) await redirects.find(site, source);
    await redirects.remove(site, items[0]?._id ?? '');
    await visitorAuth.regenerate(site);
    await visitorAuth.backendsOf([site._id]);
    await schemas.find(site);
    return sites.remove(site);
  },
  'published sites are found and read': async ({ organization, owner, member, space }) => {
    const made = await siteSettings.create(owner, { spaces: [space._id], visibility: 'share-link' });
    const site = await siteSettings.publish(made, true);
    const link = await shareLinks.create(site, 'One');
    const key = shareLinks.keyOf(link);
    const { hostname } = await organizations.settings(organization._id);
    const url = `${urls.published(hostname, site.basename)}/${key}/page/below`;
    const { apiToken } = (await resolver.resolve({ url })) as { apiToken: string };
    const visitor = await siteTokens.visitor(apiToken);
    if (!visitor) throw new Error('The token is no good');
    for (const audience of [
      { visitor: { ...visitor, token: 't' }, member: null },
      { visitor: null, member: { ...member, role: null }, shareKey: key },
    ]) {
      await publications.of([space._id], audience);
      await publications.admits(space, audience);
    }
    await siteSettings.update(site, { visibility: 'visitor-auth' });
    await publications.of([space._id], { visitor: null, member });
    return sites.remove(site);
  },
  'pending migrations are looked for': () => pendingMigrations(connection),
};

describe('every index that is declared', () => {
  it('is built, and no other', async () => {
    for (const model of Object.values(connection.models)) {
      const built = (await model.collection.indexes()).map(({ key }) => JSON.stringify(key));
      const declared = model.schema.indexes().map(([key]) => JSON.stringify(key));
      expect([model.collection.name, built.sort()]).toEqual([model.collection.name, ['{"_id":1}', ...declared].sort()]);
    }
    expect(Object.keys(connection.models).length).toBeGreaterThan(8);
  });
});

describe('every query uses an index', () => {
  it('as can be seen from one that does not', async () => {
    const unsorted = await explain({ find: 'users', filter: { displayName: 'Others' } });
    expect(unsorted).toMatchObject({ collection: 'users', stages: ['COLLSCAN'] });
    expect(unsorted.examined).toBeGreaterThan(OTHERS);
    const sorted = await explain({ find: 'spaces', filter: { organization: 'o' }, sort: { title: 1 } });
    expect(sorted.stages).toEqual(['SORT', 'FETCH', 'IXSCAN']);
  });

  let given: Tenant;
  let clients: Connection[];

  beforeAll(async () => {
    given = await tenant();
    content = await startContent(test);
    clients = [connection, content.connection];
  });

  it.each(Object.keys(QUERIES))('when %s', async (name) => {
    const work = QUERIES[name];
    const all: Document[] = [];
    const [first, second] = clients;
    if (!work || !first || !second) throw new Error(`there is no query ${name}`);
    all.push(
      ...(await commandsOf(first, async () => {
        all.push(...(await commandsOf(second, () => work(given))));
      })),
    );
    expect(all.length).toBeGreaterThan(0);
    for (const command of all) {
      const { collection, filter, stages, examined } = await explain(command);
      const query = `${collection} ${filter}`;
      if (query in WHOLE) continue;
      expect([query, stages]).not.toEqual([query, expect.arrayContaining(['COLLSCAN'])]);
      if (!Object.keys(SORTED).some((start) => query.startsWith(start)))
        expect([query, stages]).not.toEqual([query, expect.arrayContaining(['SORT'])]);
      expect([query, examined > ENOUGH]).toEqual([query, false]);
    }
  });
});
