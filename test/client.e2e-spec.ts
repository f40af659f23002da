import { startApp, type TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';
import { everyItem, type PublicClient, publicClient, refusalOf } from './support/public-client.js';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const NOWHERE = 'AAAAAAAAAAAAAAAAAAAA';
const GUIDE = '# Installing\r\n\r\nTake the *quokka* by the hand.\n';

describe('the published client', () => {
  let app: TestApp;
  let admin: TestUser;
  let client: PublicClient;
  let acme: Awaited<ReturnType<TestApp['create']['organization']>>;
  let organization: string;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    acme = await app.create.organization({ title: 'Acme' });
    admin = acme.admin;
    organization = acme._id;
    client = publicClient(app.url, admin.token);
  });

  const edit = async (space: string, ...changes: object[]) => {
    const { body } = await app.as(admin).post(`/v1/spaces/${space}/content`).send({ changes }).expect(200);
    return (body as { changes: { page: { id: string } }[] }).changes.map(({ page }) => page.id);
  };

  /** A space with a group, a page in it and one outside of it. */
  const spaceWithPages = async (title = 'Handbook') => {
    const { data: space } = await client.orgs.createSpace(organization, { title });
    const [group = '', afterword = ''] = await edit(
      space.id,
      { operation: 'insert_page', type: 'group', title: 'Start' },
      { operation: 'insert_page', title: 'Afterword', document: { markdown: 'Goodbye, wombat.\n' } },
    );
    const [guide = ''] = await edit(space.id, { operation: 'insert_page', into: group, document: { markdown: GUIDE } });
    return { space: space.id, group, guide, afterword };
  };

  it('learns who it is', async () => {
    const { data } = await client.user.getAuthenticatedUser();
    expect(data).toEqual({
      object: 'user',
      id: admin._id,
      displayName: 'Ann Author',
      email: admin.email,
      urls: { location: `http://docs.test/v1/users/${admin._id}` },
    });
  });

  it('walks the organizations of its person, page by page', async () => {
    for (const title of ['Bolt', 'Crux', 'Dyad']) await app.create.organization({ title, admin });
    await app.create.organization({ title: 'Somebody else' });
    const pages: number[] = [];
    const found = await everyItem(async (page) => {
      const answer = await client.orgs.listOrganizationsForAuthenticatedUser({ limit: 3, page });
      pages.push(answer.data.items.length);
      expect(answer.data.count).toBe(4);
      return answer;
    });
    expect(found.map(({ title }) => title)).toEqual(['Dyad', 'Crux', 'Bolt', 'Acme']);
    expect(pages).toEqual([3, 1]);
  });

  it('reads an organization', async () => {
    const { data } = await client.orgs.getOrganizationById(organization);
    const { data: list } = await client.orgs.listOrganizationsForAuthenticatedUser();
    expect(list).toEqual({ count: 1, items: [data] });
    expect(data).toMatchObject({
      object: 'organization',
      id: organization,
      title: 'Acme',
      createdAt: ISO,
      emailDomains: [],
      type: 'business',
      inviteLinks: true,
      plan: 'free_2024',
      urls: {
        location: `http://docs.test/v1/orgs/${organization}`,
        app: `http://docs.test/o/${organization}`,
      },
    });
  });

  it('invites people, by address and by link, and sees them as members', async () => {
    const known = await app.create.user();
    const { data: invited } = await client.orgs.inviteUsersToOrganization(organization, {
      emails: [known.email, { email: 'new@example.org', role: 'edit' as never }],
    });
    expect(invited).toMatchObject({ users: [known._id, ID], invited: 2 });
    const { data: link } = await client.orgs.createOrganizationInvite(organization, { role: 'create' as never });
    const joining = publicClient(app.url, known.token);
    const { data: shown } = await joining.orgs.getOrganizationInviteLink(organization, link.id);
    expect(shown).toEqual({ ...link, redundant: false });
    await joining.orgs.joinOrganizationWithInvite(organization, link.id);
    await joining.orgs.updateOrganizationMemberLastSeenAt(organization);
    const { data: seen } = await client.orgs.listMembersInOrganizationById(organization, {
      sort: 'lastSeenAt' as never,
    });
    expect(seen.items).toMatchObject([{ id: known._id, role: 'create', lastSeenAt: ISO, spaces: 0, teams: 0 }]);
    await client.orgs.updateMemberInOrganizationById(organization, known._id, { role: null });
    await client.orgs.removeMemberFromOrganizationById(organization, known._id);
    expect(await refusalOf(joining.orgs.getOrganizationById(organization))).toMatchObject({ code: 404 });
    await client.orgs.deleteOrganizationInviteById(organization, link.id);
    expect((await client.orgs.listOrganizationInviteLinks(organization)).data).toEqual({ count: 0, items: [] });
  });

  it('makes a space, reads it and changes it', async () => {
    const made = await client.orgs.createSpace(organization, { title: 'Handbook', emoji: '📗' });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(made.data.urls.location);
    expect(made.data).toEqual({
      object: 'space',
      id: ID,
      title: 'Handbook',
      emoji: '📗',
      visibility: 'private',
      createdAt: ISO,
      updatedAt: ISO,
      editMode: 'live',
      urls: {
        location: `http://docs.test/v1/spaces/${made.data.id}`,
        app: `http://docs.test/s/${made.data.id}`,
      },
      organization,
      revision: ID,
      defaultLevel: 'read',
      comments: 0,
      changeRequests: 0,
      changeRequestsOpen: 0,
      changeRequestsDraft: 0,
      permissions: {
        view: true,
        access: true,
        admin: true,
        viewInviteLinks: true,
        edit: true,
        triggerGitSync: false,
        comment: true,
        merge: true,
        review: true,
      },
    });
    expect((await client.spaces.getSpaceById(made.data.id)).data).toEqual(made.data);

    const changed = await client.spaces.updateSpaceById(made.data.id, { title: 'Manual', emoji: '📕' });
    expect(changed.data).toEqual({ ...made.data, title: 'Manual', emoji: '📕', updatedAt: ISO });
    expect((await client.spaces.getSpaceById(made.data.id)).data).toEqual(changed.data);
  });

  it('walks the spaces of an organization, page by page', async () => {
    const made: unknown[] = [];
    for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) {
      made.unshift((await client.orgs.createSpace(organization, { title })).data);
    }
    const found = await everyItem((page) => client.orgs.listSpacesInOrganizationById(organization, { limit: 2, page }));
    expect(found).toEqual(made);
    const { data: all } = await client.orgs.listSpacesInOrganizationById(organization);
    expect(all).toEqual({ count: 5, items: made });
  });

  it('reads the tree of pages and the revision that holds it', async () => {
    const { space, group, guide, afterword } = await spaceWithPages();
    const {
      data: { pages },
    } = await client.spaces.listPages(space);
    const { data: revision } = await client.spaces.getCurrentRevision(space);
    const { data: now } = await client.spaces.getSpaceById(space);
    expect(revision).toEqual({
      object: 'revision',
      id: now.revision,
      parents: [ID],
      type: 'edits',
      pages,
      files: [],
      reusableContents: [],
      createdAt: ISO,
      urls: { app: `http://docs.test/s/${space}` },
    });
    expect(pages).toMatchObject([
      {
        type: 'group',
        id: group,
        title: 'Start',
        slug: 'start',
        path: 'start',
        pages: [
          {
            type: 'document',
            id: guide,
            title: 'Installing',
            slug: 'installing',
            path: 'start/installing',
            urls: { app: `http://docs.test/s/${space}/start/installing` },
            pages: [],
          },
        ],
      },
      { type: 'document', id: afterword, title: 'Afterword', path: 'afterword', pages: [] },
    ]);
  });

  it('reads a page as Markdown and as a document', async () => {
    const { space, guide } = await spaceWithPages();
    const { data: plain } = await client.spaces.getPageById(space, guide);
    const { data: markdown } = await client.spaces.getPageById(space, guide, { format: 'markdown' });
    expect(markdown).toEqual(plain);
    expect(markdown).toMatchObject({ id: guide, title: 'Installing', markdown: GUIDE });
    expect(markdown).not.toHaveProperty('document');

    const { data: document } = await client.spaces.getPageById(space, guide, { format: 'document', metadata: false });
    expect(document).not.toHaveProperty('markdown');
    expect(document).toMatchObject({
      id: guide,
      document: { object: 'document', nodes: [{ type: 'heading-1' }, { type: 'paragraph' }] },
    });
    expect(JSON.stringify(document)).toContain('quokka');
  });

  it('lists files', async () => {
    const { space } = await spaceWithPages();
    expect((await client.spaces.listFiles(space, { limit: 10 })).data).toEqual({ count: 0, items: [] });
  });

  it('searches a space and an organization', async () => {
    const { space, guide } = await spaceWithPages();
    await spaceWithPages('Other handbook');
    const path = 'start/installing';
    const app = `http://docs.test/s/${space}/${path}`;
    const found = {
      id: guide,
      title: 'Installing',
      path,
      sections: [
        {
          id: `${guide}-installing`,
          title: 'Installing',
          path: `${path}#installing`,
          body: 'Take the quokka by the hand.',
          urls: { app: `${app}#installing` },
        },
      ],
      urls: { app },
    };
    expect((await client.spaces.searchSpaceContent(space, { query: 'quokka' })).data).toEqual({
      count: 1,
      items: [found],
    });
    expect((await client.spaces.searchSpaceContent(space, { query: 'echidna' })).data).toEqual({ count: 0, items: [] });

    const { data: everywhere } = await client.orgs.searchOrganizationContent(organization, { query: 'quokka' });
    expect(everywhere.items.map(({ title, pages }) => [title, pages.length]).sort()).toEqual([
      ['Handbook', 1],
      ['Other handbook', 1],
    ]);
    expect(everywhere.items.find(({ id }) => id === space)?.pages).toEqual([found]);
  });

  it('makes teams, and gives them and people access to spaces and collections', async () => {
    const ann = await app.create.user({ in: acme, displayName: 'Ann', role: null });
    const { data: team } = await client.orgs.createOrganizationTeam(organization, { title: 'Writers' });
    const inTeam = [organization, team.id] as const;
    await client.orgs.addMemberToOrganizationTeamById(...inTeam, ann._id, {});
    await client.orgs.updateMembersInOrganizationTeam(...inTeam, {
      memberships: { [ann._id]: { role: 'owner' as never } },
    });
    const { data: members } = await client.orgs.listTeamMembersInOrganizationById(...inTeam);
    expect(members.items.map((one) => [one.organization.user.displayName, one.team.role])).toEqual([['Ann', 'owner']]);
    const { data: collection } = await client.orgs.createCollection(organization, {});
    const { data: space } = await client.orgs.createSpace(organization, { title: 'Guide', parent: collection.id });
    await client.collections.inviteToCollection(collection.id, { teams: [team.id], role: 'comment' as never });
    const everyone = async () =>
      (await client.spaces.listPermissionsAggregateInSpace(space.id)).data.items.map(({ permission, user }) => [
        user.id,
        permission,
      ]);
    expect(await everyone()).toEqual([
      [ann._id, 'comment'],
      [admin._id, 'admin'],
    ]);
    await client.spaces.inviteToSpace(space.id, { users: [ann._id], role: 'read' as never });
    await client.spaces.updateUserPermissionInSpace(space.id, ann._id, { role: 'edit' as never });
    expect(await everyone()).toContainEqual([ann._id, 'edit']);
    const { data: spaces } = await client.orgs.listSpacesForOrganizationMember(organization, ann._id);
    expect(spaces.items.map((one) => [one.permission, one.space.id])).toEqual([['edit', space.id]]);
    const { data: teams } = await client.orgs.listTeamsForOrganizationMember(organization, ann._id);
    expect(teams.items.map((one) => [one.team.id, one.member.role])).toEqual([[team.id, 'owner']]);
    await client.spaces.removeUserFromSpace(space.id, ann._id);
    await client.orgs.removeTeamFromOrganizationById(...inTeam);
    expect((await client.collections.listTeamPermissionsInCollection(collection.id)).data.items).toEqual([]);
    expect(await everyone()).toEqual([[admin._id, 'admin']]);
  });

  it('makes a site of spaces and sections, orders it and publishes it', async () => {
    const { data: guide } = await client.orgs.createSpace(organization, { title: 'Guide' });
    const { data: api } = await client.orgs.createSpace(organization, { title: 'API' });
    const { data: site } = await client.orgs.createSite(organization, { title: 'Docs', spaces: [guide.id] });
    const at = [organization, site.id] as const;
    const { data: section } = await client.orgs.addSectionToSite(...at, { spaceId: api.id });
    const { data: group } = await client.orgs.addSectionGroupToSite(...at, { title: 'More', sections: [section.id] });
    await client.orgs.sortSiteStructure(...at, { item: { type: 'site-section-group', id: group.id }, position: {} });
    const { data: variant } = await client.orgs.addSpaceToSite(...at, { spaceId: guide.id, sectionId: section.id });
    await client.orgs.sortSiteStructure(...at, { item: { type: 'site-space', id: variant.id }, position: {} });
    await client.orgs.updateSiteById(...at, { visibility: 'unlisted' as never, defaultSiteSection: section.id });
    await client.orgs.publishSite(...at);
    const { data: sections } = await client.orgs.listSiteSections(...at);
    const shown = sections.items.map(({ title, default: first, siteSpaces }) => [
      title,
      first,
      siteSpaces.map((one) => [one.title, one.default]),
    ]);
    expect(shown).toEqual([
      ['Guide', false, [['Guide', true]]],
      [
        'API',
        true,
        [
          ['API', true],
          ['Guide', false],
        ],
      ],
    ]);
    const { data: link } = await client.orgs.createSiteShareLink(...at, { name: 'Friends' });
    expect(link).toMatchObject({ object: 'share-link', active: true });
    const { data: list } = await client.orgs.listSites(organization, {
      space: guide.id,
      title: 'doc',
      published: true,
    });
    expect(list).toMatchObject({ count: 1, items: [{ id: site.id, siteSpaces: 3, published: true }] });
    await client.orgs.deleteSiteById(...at);
    const gone = await refusalOf(client.orgs.getSiteById(...at));
    expect(gone).toMatchObject({ code: 404, errorMessage: 'Site not found' });
  });

  describe('is told why it is refused', () => {
    it.each([
      ['without a token', undefined, 'Send your token as "Authorization: Bearer <token>"'],
      ['with a token that nobody has', 'no-such-token', 'The token is unknown, revoked or expired'],
    ])('%s', async (_, token, message) => {
      const error = await refusalOf(publicClient(app.url, token).user.getAuthenticatedUser());
      expect(error).toMatchObject({ name: 'GitBookAPIError', code: 401, errorMessage: message });
      expect(error.message).toBe(`GitBook API failed with [401] ${app.url}/v1/user: ${message}`);
    });

    it('when there is nothing of that id', async () => {
      const { space } = await spaceWithPages();
      const calls: [() => Promise<unknown>, string][] = [
        [() => client.orgs.getOrganizationById(NOWHERE), 'Organization not found'],
        [() => client.spaces.getSpaceById(NOWHERE), 'Space not found'],
        [() => client.spaces.getPageById(space, NOWHERE), 'Page not found'],
        [() => client.spaces.getFileById(space, NOWHERE), 'File not found'],
      ];
      for (const [call, errorMessage] of calls) {
        expect(await refusalOf(call())).toMatchObject({ code: 404, errorMessage });
      }
    });

    it('when it may not see or do a thing', async () => {
      const { space } = await spaceWithPages();
      const stranger = publicClient(app.url, (await app.create.user()).token);
      const hidden = await refusalOf(stranger.spaces.getSpaceById(space));
      expect(hidden).toMatchObject({ code: 404, errorMessage: 'Space not found' });

      const reader = await app.create.user({ in: acme, role: 'read' });
      const forbidden = await refusalOf(publicClient(app.url, reader.token).orgs.createSpace(organization, {}));
      expect(forbidden).toMatchObject({ code: 403 });
    });

    it('when a body or a query has the wrong form', async () => {
      expect(await refusalOf(client.orgs.createSpace(organization, { title: '' }))).toMatchObject({
        code: 400,
        errorMessage: 'title must be 1 to 50 characters long',
      });
      expect(
        await refusalOf(client.orgs.listSpacesInOrganizationById(organization, { page: 'nonsense' })),
      ).toMatchObject({ code: 400 });
    });

    it('of an operation that there is not', async () => {
      const request = { url: 'https://git.example.org/books.git', ref: 'main', commitMessage: 'Export' };
      expect(await refusalOf(client.spaces.exportToGitRepository(NOWHERE, request))).toMatchObject({
        code: 404,
        errorMessage: expect.stringContaining('POST /v1/spaces/') as string,
      });
    });
  });
});
