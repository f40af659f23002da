import { Injectable } from '@nestjs/common';
import { type Revision, RevisionsService } from '../../revisions/index.js';
import type { Space } from '../../spaces/index.js';
import { LinkIndex } from './link-index.js';
import { LinkRecords, type TargetQuery } from './link-records.js';
import type { Link, LinkStatus, LinkTargetRecord } from './link.schema.js';
import { type TargetDelta, TargetDeltas } from './target-deltas.js';
import { TargetStatuses } from './target-status.js';

/** What lists of links are read from. */
export type LinkSource = Pick<LinkRecords, 'count' | 'find' | 'linksTo' | 'outside'>;

/** What is otherwise in a branch than in the index. */
interface Overlay {
  /** Pages whose links are otherwise, and those links. */
  readonly pages: ReadonlySet<string>;
  readonly links: readonly Link[];
  /** Targets that are otherwise, by key, as the index has them; `undefined`: not at all. */
  readonly before: ReadonlyMap<string, LinkTargetRecord | undefined>;
  /** The same as the branch has them. */
  readonly after: ReadonlyMap<string, LinkTargetRecord>;
}

/** The links of a branch: what the index of its space says, but for what differs. */
export class BranchLinks implements LinkSource {
  constructor(
    private readonly records: LinkRecords,
    private readonly overlay: Overlay,
  ) {}

  async find(space: string, query: TargetQuery): Promise<LinkTargetRecord[]> {
    const { status, after, limit } = query;
    const { before, after: now } = this.overlay;
    const hidden = [...before.keys()].filter((key) => key > after).length;
    const stored = await this.records.find(space, { ...query, limit: limit + hidden });
    const own = [...now.values()].filter((one) => one.key > after && (status === undefined || one.status === status));
    const all = [...stored.filter(({ key }) => !before.has(key)), ...own];
    return all.sort((one, other) => (one.key < other.key ? -1 : 1)).slice(0, limit);
  }

  async outside(space: string): Promise<LinkTargetRecord[]> {
    const stored = await this.records.outside(space);
    const own = [...this.overlay.after.values()].filter(({ status }) => status === 'outside');
    return [...stored.filter(({ key }) => !this.overlay.before.has(key)), ...own];
  }

  async count(space: string, status?: LinkStatus): Promise<number> {
    const of = (targets: Iterable<LinkTargetRecord | undefined>): number =>
      [...targets].filter((one) => one !== undefined && (status === undefined || one.status === status)).length;
    const stored = await this.records.count(space, status);
    return stored - of(this.overlay.before.values()) + of(this.overlay.after.values());
  }

  async linksTo(space: string, resources: readonly string[]): Promise<Link[]> {
    const wanted = new Set(resources);
    const stored = await this.records.linksTo(space, resources);
    const all = [
      ...stored.filter(({ page }) => !this.overlay.pages.has(page)),
      ...this.overlay.links.filter(({ resource }) => wanted.has(resource)),
    ];
    const order = ({ resource, page }: Link): string => `${resource} ${page}`;
    return all.sort((one, other) => (order(one) < order(other) ? -1 : 1));
  }

  /** How many targets are broken here that are not in the index; those outside by what `judged` says of them. */
  brokenHere(judged: ReadonlyMap<string, { status: LinkStatus }>): number {
    const { before, after } = this.overlay;
    return [...after.values()].filter(({ key, status }) => {
      if (status === 'outside') return before.get(key) === undefined && judged.get(key)?.status === 'broken';
      return status === 'broken' && before.get(key)?.status !== 'broken';
    }).length;
  }
}

/** Finds out what pages of branches lead to; costs what differs. */
@Injectable()
export class BranchLinkReader {
  constructor(
    private readonly revisions: RevisionsService,
    private readonly index: LinkIndex,
    private readonly records: LinkRecords,
    private readonly statuses: TargetStatuses,
  ) {}

  /** The links of the branch of `space` whose tip is `tip`. */
  async read(space: Space, tip: Revision): Promise<BranchLinks> {
    const indexed = await this.revisions.get(space.indexedRevision ?? space.revision);
    const [before, after] = [this.revisions.tree(indexed), this.revisions.tree(tip)];
    const changes = await this.revisions.diff(indexed, tip);
    const { pages, resources } = await this.index.plan(space._id, before, after, changes);
    const read = await this.index.read(space._id, after, [...(await after.findPlaced([...pages])).values()]);
    const deltas = new TargetDeltas();
    for (const link of await this.records.linksOf(space._id, [...pages])) deltas.remove(link);
    for (const { records, targets } of read.values()) for (const one of records) deltas.add(one, targets);
    const counted = new Map(deltas.changed().map((delta) => [delta.key, delta]));
    const stored = new Map([
      ...(await this.records.targetsOf(space._id, [...counted.keys()])),
      ...(await this.records.targetsIn(space._id, [...resources])),
    ]);
    const otherwise: LinkTargetRecord[] = [];
    for (const key of new Set([...counted.keys(), ...stored.keys()])) {
      const delta = counted.get(key);
      const known = stored.get(key) ?? (delta && newTarget(space._id, delta));
      const [more, needing] = [delta?.pages ?? 0, delta?.needing ?? 0];
      if (known && known.pages + more > 0) {
        otherwise.push({ ...known, pages: known.pages + more, needing: known.needing + needing });
      }
    }
    const statuses = await this.statuses.of(after, otherwise);
    return new BranchLinks(this.records, {
      pages,
      links: [...read.values()].flatMap(({ records }) => records),
      before: new Map([...counted.keys(), ...stored.keys()].map((key) => [key, stored.get(key)])),
      after: new Map(otherwise.map((one, at) => [one.key, { ...one, status: statuses[at] ?? one.status }])),
    });
  }
}

/** A target that the index does not have, before anybody counts who leads to it. */
function newTarget(space: string, { key, resource, ref }: TargetDelta): LinkTargetRecord | undefined {
  return ref && { _id: `${space} ${key}`, space, key, resource, ref, status: 'broken', pages: 0, needing: 0 };
}
