import { asPage, childRange, orderEntryKey, pageKey, type PageNode } from '../entries.js';
import type { Siblings } from '../siblings.js';
import { longestIncreasing } from './increasing.js';
import type { TreeParts } from './tree-parts.js';

/** Pages that one side put between the same two neighbours, in that side's order. */
interface Gap {
  readonly parent: string | null;
  /** The nearest page before them that both sides left where it was. */
  readonly neighbour: string | null;
  readonly ours: PageNode[];
  readonly theirs: PageNode[];
  /** Those of `theirs` that the other side put at the same place. */
  readonly shared: Set<string>;
}

/**
 * Puts pages in their order. What primary content placed keeps its keys; what the change request placed goes behind the
 * same neighbour as there. Where both put pages behind one neighbour, those of each side stay together between the pages
 * that both put there, and the ids decide which come first, so that it does not matter which side is merged into which.
 */
export class PlaceMerge {
  constructor(
    private readonly parts: TreeParts,
    private readonly siblings: Siblings,
  ) {}

  /** Links the pages that changed, each with its slug. */
  async link(changed: ReadonlyMap<string, PageNode>): Promise<void> {
    const lifted: PageNode[] = [];
    const ours: PageNode[] = [];
    for (const node of changed.values()) {
      const decision = this.parts.decisions.get(node.id);
      const placedBy = decision?.placedBy ?? 'theirs';
      if (this.parts.sides.pages.get(node.id)?.[placedBy]?.parent !== node.parent) lifted.push(node);
      else if (placedBy === 'theirs') this.siblings.link(node);
      else ours.push(node);
    }
    const contested: Gap[] = [];
    for (const gap of await this.gaps(ours)) {
      if (!(await this.keepKeys(gap))) contested.push(gap);
    }
    for (const gap of contested) await this.linkBehind(gap);
    for (const node of lifted) this.siblings.link({ ...node, order: await this.siblings.place(node.parent, {}) });
  }

  private async gaps(ours: readonly PageNode[]): Promise<Gap[]> {
    const { placements, sides, decisions } = this.parts;
    const gaps = new Map<string, Gap>();
    const add = async (node: PageNode, side: 'ours' | 'theirs'): Promise<void> => {
      const neighbour = await placements.neighbour(node.id, side);
      const key = JSON.stringify([node.parent, neighbour]);
      const gap = gaps.get(key) ?? { parent: node.parent, neighbour, ours: [], theirs: [], shared: new Set() };
      gap[side].push(node);
      gaps.set(key, gap);
      if (side === 'theirs' && (await this.isShared(node, neighbour))) gap.shared.add(node.id);
    };
    for (const node of ours) await add(node, 'ours');
    const parents = new Set(ours.map(({ parent }) => parent));
    for (const [id, { node, placedBy }] of decisions) {
      if (node === null || placedBy !== 'theirs' || !parents.has(node.parent)) continue;
      const isThere = sides.pages.get(id)?.theirs?.parent === node.parent;
      if (isThere && (placements.isPlaced(id, 'theirs') || placements.isPlaced(id, 'ours'))) await add(node, 'theirs');
    }
    const found = [...gaps.values()].filter((gap) => gap.ours.length > 0);
    for (const gap of found) for (const side of ['ours', 'theirs'] as const) gap[side].sort(byOrder);
    return found;
  }

  /** Links the pages with the keys that they have, where these already mean the right place. */
  private async keepKeys({ parent, neighbour, ours, theirs }: Gap): Promise<boolean> {
    const [first, last] = [ours[0], ours.at(-1)];
    if (theirs.length > 0 || first === undefined || last === undefined) return false;
    const low = neighbour === null ? '' : (await this.page(neighbour)).order;
    const map = await this.parts.draft.applied();
    const next = await map.at(await map.rank(`${orderEntryKey(parent, low)}\0`));
    const range = childRange(parent);
    const high = next === undefined || next.key >= range.to ? null : next.key.slice(range.from.length);
    if (first.order <= low || (high !== null && last.order >= high)) return false;
    for (const node of ours) this.siblings.link(node);
    return true;
  }

  private async isShared({ id, parent }: PageNode, neighbour: string | null): Promise<boolean> {
    const { placements, sides } = this.parts;
    if (!placements.isPlaced(id, 'ours') || !placements.isPlaced(id, 'theirs')) return false;
    return sides.pages.get(id)?.ours?.parent === parent && (await placements.neighbour(id, 'ours')) === neighbour;
  }

  private async linkBehind(gap: Gap): Promise<void> {
    let previous = gap.neighbour;
    for (const node of this.sequence(gap)) {
      if (!gap.theirs.includes(node)) {
        const position = previous === null ? { at: 0 } : { order: (await this.page(previous)).order };
        this.siblings.link({ ...node, order: await this.siblings.place(gap.parent, position) });
      }
      previous = node.id;
    }
  }

  /** All pages of a gap in one order: that of each side, as far as the two agree about the pages that they share. */
  private sequence(gap: Gap): PageNode[] {
    const orderInOurs = (node: PageNode): string => this.parts.sides.pages.get(node.id)?.ours?.order ?? node.order;
    const candidates = gap.theirs.filter(({ id }) => gap.shared.has(id));
    const anchors = longestIncreasing(candidates.map(orderInOurs)).flatMap((index) => candidates[index] ?? []);
    const merged: PageNode[] = [];
    let [ours, theirs] = [gap.ours, gap.theirs];
    for (const anchor of anchors) {
      const reached = orderInOurs(anchor);
      const [before, rest] = split(ours, (node) => orderInOurs(node) < reached);
      const at = theirs.indexOf(anchor);
      merged.push(...this.together(gap.parent, before, theirs.slice(0, at)), anchor);
      [ours, theirs] = [rest, theirs.slice(at + 1)];
    }
    return [...merged, ...this.together(gap.parent, ours, theirs)];
  }

  private together(parent: string | null, ours: PageNode[], theirs: PageNode[]): PageNode[] {
    return this.theirsFirst({ parent, ours, theirs }) ? [...theirs, ...ours] : [...ours, ...theirs];
  }

  private theirsFirst({ parent, ours, theirs }: Pick<Gap, 'parent' | 'ours' | 'theirs'>): boolean {
    const { pages } = this.parts.sides;
    const inBoth = (node: PageNode): boolean => {
      const versions = pages.get(node.id);
      return versions?.ours?.parent === parent && versions.theirs?.parent === parent;
    };
    const [our, their] = [ours.find(inBoth), theirs.find(inBoth)];
    if (our !== undefined && their !== undefined) {
      // both sides can have the two, and may agree about them
      const [inOurs, inTheirs] = (['ours', 'theirs'] as const).map(
        (side) => (pages.get(their.id)?.[side]?.order ?? '') < (pages.get(our.id)?.[side]?.order ?? ''),
      );
      if (inOurs !== undefined && inOurs === inTheirs) return inOurs;
    }
    return smallest(theirs) < smallest(ours);
  }

  private async page(id: string): Promise<PageNode> {
    const page = asPage(await this.parts.draft.get(pageKey(id)));
    if (page === null) throw new Error(`Page ${id} is not there`);
    return page;
  }
}

function smallest(nodes: readonly PageNode[]): string {
  return nodes.map(({ id }) => id).reduce((least, id) => (id < least ? id : least), '~');
}

function split(nodes: readonly PageNode[], isFirst: (node: PageNode) => boolean): [PageNode[], PageNode[]] {
  const at = nodes.findIndex((node) => !isFirst(node));
  return at < 0 ? [[...nodes], []] : [nodes.slice(0, at), nodes.slice(at)];
}

function byOrder(a: PageNode, b: PageNode): number {
  return a.order < b.order ? -1 : 1;
}
