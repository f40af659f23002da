import { Injectable, NotFoundException } from '@nestjs/common';
import type { Page } from '../../common/page.dto.js';
import {
  decodeCursor,
  DEFAULT_LIMIT,
  encodeCursor,
  type ListQuery,
  listScope,
  pageOfArray,
} from '../../common/pagination.js';
import { OrganizationsService } from '../../organizations/index.js';
import { type ContentTree, type FileEntry, RevisionsService } from '../../revisions/index.js';
import { type SpaceAccess, SpacePublications } from '../../spaces/index.js';
import type { ChangeRequestView } from '../change-request.view.js';
import { BranchLinkReader, type LinkSource } from './branch-links.js';
import { LinkRecords } from './link-records.js';
import type { Link, LinkStatus, LinkTargetRecord } from './link.schema.js';
import { OutsideTargets } from './outside-targets.js';
import { fileResource, pageResource, targetKey } from './page-links.js';
import type { LinkedResource, LinkItem, SpaceContext } from './resources.js';

/** A part of a list of links. */
export interface LinksQuery extends ListQuery {
  status?: LinkStatus;
}

/** Links with how many there are of all statuses (decision 3.76); `brokenHere`: in the change request alone. */
export interface LinkList extends Page<LinkItem> {
  stats: { total: number; broken: number; brokenHere?: number };
}

/** A place that leads to a file. */
export interface FileBacklink {
  location: LinkedResource;
  file: FileEntry;
}

/** A target with what it is for the caller: the state it is in, and the thing itself where that lies outside. */
interface JudgedTarget {
  record: LinkTargetRecord;
  status: LinkStatus;
  outside?: LinkedResource;
}

/** The content whose links are listed, and where they are read. */
interface Listed {
  context: SpaceContext;
  records: LinkSource;
}

/** Places that one answer shows at the most, unless a single target has more: then it ends early, and goes on. */
const MAX_LOCATIONS = 5000;

/** Lists what the pages of a space lead to, and what leads to its pages and files. */
@Injectable()
export class LinksService {
  constructor(
    private readonly records: LinkRecords,
    private readonly outside: OutsideTargets,
    private readonly revisions: RevisionsService,
    private readonly organizations: OrganizationsService,
    private readonly publications: SpacePublications,
    private readonly branches: BranchLinkReader,
  ) {}

  /** One page of all that the pages of a space lead to. */
  async ofSpace(access: SpaceAccess, user: string, query: LinksQuery): Promise<LinkList> {
    const { list } = await this.list({ context: await this.context(access), records: this.records }, user, query);
    return list;
  }

  /** One page of all that the pages of a change request lead to. */
  async ofChangeRequest(
    access: SpaceAccess,
    changeRequest: ChangeRequestView,
    user: string,
    query: LinksQuery,
  ): Promise<LinkList> {
    const revision = await this.revisions.get(changeRequest.revision);
    const records = await this.branches.read(access.space, revision);
    const context = { ...(await this.context(access)), revision, changeRequest };
    const { list, outside } = await this.list({ context, records }, user, query);
    return { ...list, stats: { ...list.stats, brokenHere: records.brokenHere(outside) } };
  }

  private async list(
    { context, records }: Listed,
    user: string,
    query: LinksQuery,
  ): Promise<{ list: LinkList; outside: ReadonlyMap<string, JudgedTarget> }> {
    const { _id: space } = context.space;
    const { page, limit = DEFAULT_LIMIT, status } = query;
    const scope = listScope('links', space, context.changeRequest?.id, status);
    const after = page === undefined ? '' : decodeCursor(scope, page).id;
    const outside = await this.judge(context, user, await records.outside(space));
    const wanted = [...outside.values()].filter((target) => target.status === status);
    const broken = [...outside.values()].filter((target) => target.status === 'broken').length;
    const stats = {
      total: await records.count(space),
      broken: broken + (await records.count(space, 'broken')),
    };
    const count = status === undefined ? stats.total : wanted.length + (await records.count(space, status));
    if (limit === 0) return { list: { count, items: [], stats }, outside };
    const found = await records.find(space, { status, after, limit: limit + 1 });
    const judged = found.map((record) => outside.get(record.key) ?? inside(record));
    const both = [...judged, ...wanted.filter(({ record }) => record.key > after)];
    const targets = withinBounds(both.sort(byKey), limit);
    const links = await records.linksTo(space, [...new Set(targets.map(({ record }) => record.resource))]);
    const items = await this.items(context, targets, links);
    const last = targets.at(-1);
    const more = last !== undefined && both.length > targets.length;
    const next = more && { next: { page: encodeCursor(scope, { at: '', id: last.record.key }) } };
    return { list: { ...next, count, items, stats }, outside };
  }

  /** One page of what a page leads to. @throws NotFoundException when the space has no such page. */
  async ofPage(access: SpaceAccess, user: string, page: string, query: LinksQuery): Promise<LinkList> {
    const { _id: space } = access.space;
    await this.requirePage(access, page);
    const links = await this.records.linksFrom(space, page);
    const keys = new Set(links.flatMap(({ resource, uses }) => uses.map(({ to }) => targetKey(resource, to))));
    const records = [...(await this.records.targetsOf(space, [...keys])).values()];
    const judged = [...(await this.judge(access, user, records)).values()].sort(byKey);
    const wanted = query.status === undefined ? judged : judged.filter(({ status }) => status === query.status);
    const scope = listScope('page-links', space, page, query.status);
    const part = pageOfArray(wanted, ({ record }) => record.key, scope, query);
    const broken = judged.filter(({ status }) => status === 'broken').length;
    return {
      ...part,
      items: await this.items(await this.context(access), part.items, links),
      stats: { total: judged.length, broken },
    };
  }

  /** One page of the other pages that lead to a page. @throws NotFoundException when the space has no such page. */
  async toPage(access: SpaceAccess, page: string, query: ListQuery): Promise<Page<LinkedResource>> {
    await this.requirePage(access, page);
    return this.backlinks(access, pageResource(page), query, page);
  }

  /** One page of the pages that lead to a file. @throws NotFoundException when the space has no such file. */
  async toFile(access: SpaceAccess, id: string, query: ListQuery): Promise<Page<FileBacklink>> {
    const file = await (await this.tree(access)).findFile(id);
    if (!file) throw new NotFoundException('File not found');
    const found = await this.backlinks(access, fileResource(id), query);
    return { ...found, items: found.items.map((location) => ({ location, file })) };
  }

  private async backlinks(
    access: SpaceAccess,
    resource: string,
    { page, limit = DEFAULT_LIMIT }: ListQuery,
    except?: string,
  ): Promise<Page<LinkedResource>> {
    const { _id: space } = access.space;
    const scope = listScope('backlinks', space, resource);
    const after = page === undefined ? '' : decodeCursor(scope, page).id;
    const { links, count } = await this.records.backlinks(space, resource, {
      after,
      limit: limit === 0 ? 0 : limit + 1,
      ...(except !== undefined && { except }),
    });
    const shown = links.slice(0, limit);
    const context = await this.context(access);
    const pages = await this.revisions.tree(context.revision).findPlaced(shown.map((link) => link.page));
    const items = shown.flatMap((link) => {
      const found = pages.get(link.page);
      return found ? [{ kind: 'page' as const, context, page: found, ...under(link.uses[0]?.under) }] : [];
    });
    const last = links.length > shown.length ? shown.at(-1) : undefined;
    return { ...(last && { next: { page: encodeCursor(scope, { at: '', id: last.page }) } }), count, items };
  }

  /** What state each of `records` is in for the caller, by key. */
  private async judge(
    { space }: Pick<SpaceAccess, 'space'>,
    user: string,
    records: readonly LinkTargetRecord[],
  ): Promise<Map<string, JudgedTarget>> {
    const asked = records.filter(({ status }) => status === 'outside');
    const asking = { user, organization: space.organization };
    const found = await this.outside.find(
      asking,
      asked.map(({ ref }) => ref),
    );
    const resources = new Map(asked.map(({ key }, index) => [key, found[index]]));
    return new Map(
      records.map((record) => {
        if (record.status !== 'outside') return [record.key, inside(record)];
        const outside = resources.get(record.key);
        return [record.key, outside ? { record, status: 'ok', outside } : { record, status: 'broken' }];
      }),
    );
  }

  private async items(
    context: SpaceContext,
    targets: readonly JudgedTarget[],
    links: readonly Link[],
  ): Promise<LinkItem[]> {
    const tree = this.revisions.tree(context.revision);
    const refs = targets.map(({ record: { ref } }) => ref);
    const pages = await tree.findPlaced([
      ...new Set([...links.map(({ page }) => page), ...refs.flatMap((ref) => ('page' in ref ? (ref.page ?? []) : []))]),
    ]);
    const files = await tree.findFiles(refs.flatMap((ref) => (ref.kind === 'file' ? ref.file : [])));
    const contents = await tree.findReusableContents(
      refs.flatMap((ref) => (ref.kind === 'reusable-content' ? ref.reusableContent : [])),
    );
    const resourceOf = ({ record: { ref } }: JudgedTarget): LinkedResource | undefined => {
      if (ref.kind === 'url') return { kind: 'url', url: ref.url };
      const file = ref.kind === 'file' ? files.get(ref.file) : undefined;
      if (file) return { kind: 'file', context, file };
      const content = ref.kind === 'reusable-content' ? contents.get(ref.reusableContent) : undefined;
      if (content) return { kind: 'reusable-content', context, content };
      const page = 'page' in ref ? pages.get(ref.page ?? '') : undefined;
      return page && { kind: 'page', context, page, ...(ref.kind === 'anchor' && { anchor: ref.anchor }) };
    };
    const places = placesByTarget(links);
    return targets.map((target) => {
      const resource = target.status === 'broken' ? undefined : (target.outside ?? resourceOf(target));
      const locations = (places.get(target.record.key) ?? []).flatMap(
        ({ page: id, under: anchor }): LinkedResource[] => {
          const page = pages.get(id);
          return page ? [{ kind: 'page', context, page, ...under(anchor) }] : [];
        },
      );
      return {
        status: target.status,
        needed: target.record.needing > 0,
        ...(resource && { target: resource }),
        locations,
      };
    });
  }

  /** The space as it is shown, at the revision that the index stands at. */
  private async context({ space, role, inherited, member }: SpaceAccess): Promise<SpaceContext> {
    const organization = await this.organizations.settings(space.organization);
    const revision = await this.revisions.get(space.indexedRevision ?? space.revision);
    const publication = (await this.publications.of([space])).get(space._id);
    return { space, role, level: inherited.level, organization, member, revision, publication };
  }

  private async tree({ space }: SpaceAccess): Promise<ContentTree> {
    return this.revisions.tree(await this.revisions.get(space.revision));
  }

  private async requirePage(access: SpaceAccess, page: string): Promise<void> {
    if (!(await (await this.tree(access)).findPage(page))) throw new NotFoundException('Page not found');
  }
}

/** Where the links to each target stand, by the key of the target. */
function placesByTarget(links: readonly Link[]): Map<string, { page: string; under: string }[]> {
  const places = new Map<string, { page: string; under: string }[]>();
  for (const { resource, page, uses } of links) {
    for (const { to, under: anchor } of uses) {
      const key = targetKey(resource, to);
      const known = places.get(key);
      if (known) known.push({ page, under: anchor });
      else places.set(key, [{ page, under: anchor }]);
    }
  }
  return places;
}

/** As many of `targets` as one answer shows. */
function withinBounds(targets: readonly JudgedTarget[], limit: number): JudgedTarget[] {
  let locations = 0;
  return targets.slice(0, limit).filter(({ record }, index) => {
    locations += record.pages;
    return index === 0 || locations <= MAX_LOCATIONS;
  });
}

/** A target of the space itself, whose status is known. */
function inside(record: LinkTargetRecord): JudgedTarget {
  return { record, status: record.status === 'outside' ? 'broken' : record.status };
}

function byKey(a: JudgedTarget, b: JudgedTarget): number {
  return a.record.key < b.record.key ? -1 : 1;
}

function under(anchor: string | undefined): { anchor?: string } {
  return anchor === undefined || anchor === '' ? {} : { anchor };
}
