import { Injectable } from '@nestjs/common';
import { openApiSpecPermissions, OpenApiSpecs } from '../../openapi/index.js';
import { type Member, MembersService, type Organization, OrganizationsService } from '../../organizations/index.js';
import { type ContentRef, type Revision, RevisionsService } from '../../revisions/index.js';
import { CollectionsService, SpacePublications, SpacesService } from '../../spaces/index.js';
import { UsersService } from '../../users/index.js';
import type { LinkedResource, SpaceContext } from './resources.js';
import { TargetStatuses } from './target-status.js';

/** Who asks, and for which space. */
export interface Asking {
  readonly user: string;
  /** The organization of the space. */
  readonly organization: string;
}

/**
 * Finds what targets outside of a space are: other spaces and what is in them, people, collections, descriptions of APIs.
 * What the caller may not see is not there. A few readings for all of them, and some for each other space.
 */
@Injectable()
export class OutsideTargets {
  constructor(
    private readonly members: MembersService,
    private readonly organizations: OrganizationsService,
    private readonly users: UsersService,
    private readonly spaces: SpacesService,
    private readonly publications: SpacePublications,
    private readonly collections: CollectionsService,
    private readonly revisions: RevisionsService,
    private readonly statuses: TargetStatuses,
    private readonly specs: OpenApiSpecs,
  ) {}

  /** What each of `refs` is for the caller, in their order; `undefined` for what is not there. */
  async find(asking: Asking, refs: readonly ContentRef[]): Promise<(LinkedResource | undefined)[]> {
    if (refs.length === 0) return [];
    const members = await this.members.organizationsOf(asking.user);
    const people = await this.people(asking, members, refs);
    const collections = await this.collectionsOf(members, refs);
    const specs = await this.specsOf(asking, members, refs);
    const inSpaces = await this.inSpaces(members, refs);
    return refs.map((ref) => {
      if (ref.kind === 'openapi') return specs.get(ref.spec);
      if (ref.kind === 'user') return people.get(ref.user);
      if (ref.kind === 'collection') return collections.get(ref.collection);
      return inSpaces.get(ref);
    });
  }

  private async people(
    { organization }: Asking,
    members: ReadonlyMap<string, Member>,
    refs: readonly ContentRef[],
  ): Promise<Map<string, LinkedResource>> {
    const ids = refs.flatMap((ref) => (ref.kind === 'user' ? ref.user : []));
    if (ids.length === 0) return new Map();
    const belonging = await this.members.belonging(organization, ids);
    // a guest does not see the other members
    const isGuest = (members.get(organization)?.role ?? null) === null;
    const users = await this.users.getMany([...belonging]);
    return new Map([...users].map(([id, user]) => [id, { kind: 'user', user, showEmail: !isGuest }]));
  }

  private async collectionsOf(
    members: ReadonlyMap<string, Member>,
    refs: readonly ContentRef[],
  ): Promise<Map<string, LinkedResource>> {
    const visible = await this.collections.visible(
      unique(refs.flatMap((ref) => (ref.kind === 'collection' ? ref.collection : []))),
      members,
    );
    const found = new Map<string, LinkedResource>();
    for (const [id, { collection, role, level }] of visible) {
      const organization = await this.organizations.settings(collection.organization);
      const member = members.get(collection.organization) ?? null;
      found.set(id, { kind: 'collection', collection, role, level, organization, member });
    }
    return found;
  }

  private async specsOf(
    asking: Asking,
    members: ReadonlyMap<string, Member>,
    refs: readonly ContentRef[],
  ): Promise<Map<string, LinkedResource>> {
    const slugs = unique(refs.flatMap((ref) => (ref.kind === 'openapi' ? ref.spec : [])));
    const member = members.get(asking.organization) ?? null;
    if (slugs.length === 0 || !openApiSpecPermissions(member).view) return new Map();
    const organization = await this.organizations.settings(asking.organization);
    const specs = await this.specs.findMany(asking.organization, slugs);
    return new Map([...specs].map(([slug, spec]) => [slug, { kind: 'openapi', spec, organization, member }]));
  }

  private async inSpaces(
    members: ReadonlyMap<string, Member>,
    refs: readonly ContentRef[],
  ): Promise<Map<ContentRef, LinkedResource>> {
    const visible = await this.spaces.visible(unique(refs.flatMap((ref) => spaceOf(ref) ?? [])), members);
    const revisions = await this.revisions.findMany([...visible.values()].map(({ space }) => space.revision));
    const published = await this.publications.of([...visible.values()].map(({ space }) => space));
    const found = new Map<ContentRef, LinkedResource>();
    for (const [id, { space, role, level }] of visible) {
      const revision = revisions.get(space.revision);
      if (revision === undefined) continue;
      const organization: Organization = await this.organizations.settings(space.organization);
      const member = members.get(space.organization) ?? null;
      const publication = published.get(id);
      const context: SpaceContext = { space, role, level, organization, member, revision, publication };
      await this.inSpace(
        context,
        revision,
        refs.filter((ref) => spaceOf(ref) === id),
        found,
      );
    }
    return found;
  }

  private async inSpace(
    context: SpaceContext,
    revision: Revision,
    refs: readonly ContentRef[],
    found: Map<ContentRef, LinkedResource>,
  ): Promise<void> {
    const tree = this.revisions.tree(revision);
    const pages = await tree.findPlaced(
      unique(refs.flatMap((ref) => (ref.kind === 'page' || ref.kind === 'anchor' ? (ref.page ?? []) : []))),
    );
    const contents = await tree.findReusableContents(
      unique(refs.flatMap((ref) => (ref.kind === 'reusable-content' ? ref.reusableContent : []))),
    );
    const anchors = await this.statuses.anchors(
      refs.flatMap((ref) => (ref.kind === 'anchor' ? (pages.get(ref.page ?? '') ?? []) : [])),
    );
    for (const ref of refs) {
      const page = ref.kind === 'page' || ref.kind === 'anchor' ? pages.get(ref.page ?? '') : undefined;
      const content = ref.kind === 'reusable-content' ? contents.get(ref.reusableContent) : undefined;
      if (ref.kind === 'space') found.set(ref, { kind: 'space', context });
      else if (content) found.set(ref, { kind: 'reusable-content', context, content });
      else if (page && ref.kind === 'page') found.set(ref, { kind: 'page', context, page });
      else if (page && ref.kind === 'anchor' && anchors.get(page.node.id)?.has(ref.anchor)) {
        found.set(ref, { kind: 'page', context, page, anchor: ref.anchor });
      }
    }
  }
}

function spaceOf(ref: ContentRef): string | undefined {
  return 'space' in ref ? ref.space : undefined;
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
