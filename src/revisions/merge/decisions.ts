import type { PageNode } from '../entries.js';
import { sameJson } from '../json.js';
import { Conflicts, type Resolution } from './conflicts.js';
import { mergePage, mergeValue } from './merge-values.js';
import type { Placements } from './placements.js';
import { other, SIDES, type Side, type Sides, type Versions } from './sides.js';

/** Keys of three texts that have to be merged line by line; without `base` there is nothing that both come from. */
export interface TextVersions {
  readonly base: string | undefined;
  readonly ours: string;
  readonly theirs: string;
}

/** What becomes of a page that one side changed at least. */
export interface Decision {
  /** The page; `null` when it goes. Its order key is the one of the side that placed it. */
  readonly node: PageNode | null;
  /** The side whose place it has; primary content when both have it at the same one. */
  readonly placedBy: Side;
  /** Its text still has to be merged. */
  readonly text?: TextVersions;
}

/** How the pages named in resolutions are settled, by page. */
export type PageResolutions = ReadonlyMap<string, Resolution>;

/** Decides page by page, by itself: whether the pages together make a tree is for others to see. */
export class PageDecisions {
  private readonly restored = new Map<string, boolean>();
  /** Pages that both sides put at the same place, by that place. */
  private readonly shared = new Map<string, Record<Side, PageNode>[]>();

  constructor(
    private readonly sides: Sides,
    private readonly placements: Placements,
    private readonly resolutions: PageResolutions,
    private readonly conflicts: Conflicts,
  ) {}

  /** All decisions, by page. */
  async all(): Promise<Map<string, Decision>> {
    const decisions = new Map<string, Decision>();
    for (const [id, versions] of this.sides.pages) decisions.set(id, await this.decide(id, versions));
    this.checkOrder();
    this.lift(decisions);
    return decisions;
  }

  private async decide(id: string, versions: Versions<PageNode>): Promise<Decision> {
    const side = this.chosen(id);
    if (side !== undefined) return { node: versions[side], placedBy: side };
    const { ours, theirs } = versions;
    if (ours !== null && theirs !== null) return this.mergeBoth(id, { ...versions, ours, theirs });
    const present: Side = ours === null ? 'theirs' : 'ours';
    return { node: this.remaining(id, versions, present), placedBy: present };
  }

  /** What remains of a page that only `present` has. */
  private remaining(id: string, versions: Versions<PageNode>, present: Side): PageNode | null {
    const { base, [present]: node } = versions;
    if (node === null || base === null || this.isRestored(id, present)) return node;
    if (!this.isEdited(id, base, node, present)) return null;
    this.conflicts.add({ item: { page: id }, kind: 'deleted' });
    return node;
  }

  private async mergeBoth(
    id: string,
    versions: Versions<PageNode> & { ours: PageNode; theirs: PageNode },
  ): Promise<Decision> {
    const { base, ours, theirs } = versions;
    const { node, conflicts } = mergePage(versions);
    for (const property of conflicts) this.conflicts.add({ item: { page: id }, kind: 'property', property });
    const placedBy = await this.placer(id, { ours, theirs });
    const placed = { ...node, parent: versions[placedBy].parent, order: versions[placedBy].order };
    const text = mergeValue(base?.document, ours.document, theirs.document);
    if (text !== 'conflict') return { node: withText(placed, text.value), placedBy };
    if (ours.document === undefined || theirs.document === undefined) return { node: placed, placedBy };
    return { node: placed, placedBy, text: { base: base?.document, ours: ours.document, theirs: theirs.document } };
  }

  private async placer(id: string, { ours, theirs }: Record<Side, PageNode>): Promise<Side> {
    if (!this.placements.isPlaced(id, 'ours')) return 'theirs';
    if (!this.placements.isPlaced(id, 'theirs')) return 'ours';
    const [our, their] = [await this.placeOf(id, ours, 'ours'), await this.placeOf(id, theirs, 'theirs')];
    if (our !== their) this.conflicts.add({ item: { page: id }, kind: 'position' });
    else this.shared.set(our, [...(this.shared.get(our) ?? []), { ours, theirs }]);
    return 'theirs';
  }

  private async placeOf(id: string, { parent }: PageNode, side: Side): Promise<string> {
    return JSON.stringify([parent, await this.placements.neighbour(id, side)]);
  }

  /** Pages that both sides put at one place, and in another order there. */
  private checkOrder(): void {
    for (const pages of this.shared.values()) {
      for (const one of pages) {
        const isTurned = (two: Record<Side, PageNode>): boolean =>
          one.ours.order < two.ours.order !== one.theirs.order < two.theirs.order;
        if (pages.some((two) => two !== one && isTurned(two))) {
          this.conflicts.add({ item: { page: one.ours.id }, kind: 'position' });
        }
      }
    }
  }

  /** Whether `side` did something to the page, other than giving it another order key at the same place. */
  private isEdited(id: string, base: PageNode, node: PageNode, side: Side): boolean {
    if (this.placements.isPlaced(id, side)) return true;
    const { order, updatedAt } = base;
    return !sameJson(base, { ...node, order, updatedAt });
  }

  /** The side that a resolution takes the page from. */
  private chosen(id: string): Side | undefined {
    const resolution = this.resolutions.get(id);
    if (resolution === undefined) return undefined;
    return resolution.use === 'primary' ? 'theirs' : 'ours';
  }

  /** Whether the page lies, on `side`, under one that the other side deleted and a resolution brings back. */
  private isRestored(id: string, side: Side): boolean {
    const known = this.restored.get(id);
    if (known !== undefined) return known;
    const parent = this.sides.pages.get(id)?.[side]?.parent ?? null;
    const above = parent === null ? undefined : this.sides.pages.get(parent);
    const isBack =
      parent !== null &&
      above !== undefined &&
      above[other(side)] === null &&
      above[side] !== null &&
      (this.resolutions.has(parent) ? this.chosen(parent) === side : this.isRestored(parent, side));
    this.restored.set(id, isBack);
    return isBack;
  }

  /**
   * Pages that a side put under one that goes: whoever deleted that did not know of them, which is a conflict about the
   * parent. Where it is settled, they go to the nearest page above that is left.
   */
  private lift(decisions: Map<string, Decision>): void {
    for (const [id, decision] of decisions) {
      if (decision.node === null) continue;
      for (const side of SIDES) this.checkParent(decisions, id, side);
      const { parent } = decision.node;
      if (parent === null || decisions.get(parent)?.node !== null) continue;
      decisions.set(id, { ...decision, node: { ...decision.node, parent: this.remainingAbove(decisions, parent) } });
    }
  }

  private checkParent(decisions: ReadonlyMap<string, Decision>, id: string, side: Side): void {
    const parent = this.sides.pages.get(id)?.[side]?.parent ?? null;
    if (parent === null || decisions.get(parent)?.node !== null || !this.placements.isPlaced(id, side)) return;
    if (this.resolutions.has(id) || this.resolutions.has(parent)) return;
    this.conflicts.add({ item: { page: parent }, kind: 'deleted' });
  }

  private remainingAbove(decisions: ReadonlyMap<string, Decision>, parent: string): string | null {
    let above: string | null = parent;
    while (above !== null && decisions.get(above)?.node === null) {
      const versions = this.sides.pages.get(above);
      const known: PageNode | null = versions?.ours ?? versions?.theirs ?? versions?.base ?? null;
      above = known?.parent ?? null;
    }
    return above;
  }
}

/** `node` with its text, where it has one. */
function withText(node: PageNode, document: string | undefined): PageNode {
  return document === undefined ? node : { ...node, document };
}
