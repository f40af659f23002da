import { toChanges, type ContentChanges } from '../changes.js';
import { diffMaps } from '../chunk-diff.js';
import { ContentError } from '../content-error.js';
import { asLinks, FILES, linksKey, type PageLinks, type PageNode } from '../entries.js';
import { MapDraft, type ChunkStore } from '../map-draft.js';
import { MAX_FILES } from '../rules.js';
import { Conflicts, itemKey, type FoundConflict, type MergeConflict, type Resolution } from './conflicts.js';
import { PageDecisions, type Decision } from './decisions.js';
import { describe } from './describe.js';
import { enterFiles, enterReusableContents, mergeFiles, mergeReusableContents } from './merge-items.js';
import { mergeLinks } from './merge-links.js';
import { mergeValue } from './merge-values.js';
import { Placements } from './placements.js';
import { readSides, type Roots, type Sides } from './sides.js';
import { TextMerge, type Texts } from './text-merge.js';
import { TreeMerge } from './tree-merge.js';

/** What a merge needs around it. */
export interface MergeContext {
  readonly store: ChunkStore;
  /** The organization that the result is written for. */
  readonly scope: string;
  /** When the merge is made: the time of pages that neither side has as they come out. */
  readonly now: Date;
  readonly texts: Texts;
}

/** What to merge: the contents, and how conflicts are settled. */
export interface MergeRequest extends Roots {
  readonly resolutions?: readonly Resolution[];
}

/** The merged content, or why there is none. */
export type MergeResult =
  | {
      /** Content key of the result; one of the given ones when nothing had to be merged. */
      readonly root: string;
      /** What differs from primary content (`theirs`). */
      readonly changes: ContentChanges;
      readonly conflicts?: undefined;
    }
  | { readonly conflicts: readonly MergeConflict[]; readonly root?: undefined };

/**
 * Merges two contents that come from one (decisions 4.3 to 4.5): `ours` is the change request, `theirs` primary content,
 * whichever is merged into the other. Reads and writes what the sides changed, whatever there is beside. Nothing is
 * changed when there are conflicts; texts may have been stored that nobody refers to.
 *
 * `resolutions` settle the conflicts of the items that they name. Settling one may bring up another (a page that is
 * brought back wants a slug by hand that is taken): then that one is answered, or settled by its own resolution.
 *
 * @throws ContentError (`invalid`) for a resolution of something that is not in conflict, or that is given twice;
 * (`limit`) when both sides together hold too many pages or files; as the store does for the text of a resolution.
 */
export async function mergeContent(context: MergeContext, request: MergeRequest): Promise<MergeResult> {
  const { base, ours, theirs } = request;
  const resolutions = byItem(request.resolutions ?? []);
  const untouched = ours === theirs || ours === base ? theirs : theirs === base ? ours : null;
  if (untouched !== null) {
    refuseUnneeded(resolutions);
    return answer(context, theirs, untouched);
  }
  const merge = new ContentMerge(context, await readSides(context.store, { base, ours, theirs }));
  const applied = new Map<string, Resolution>();
  for (;;) {
    const { draft, conflicts } = await merge.attempt(applied);
    const named = conflicts.all.flatMap(({ item }) => resolutions.get(itemKey(item)) ?? []);
    if (named.length === 0) {
      refuseUnneeded(resolutions);
      if (!conflicts.isEmpty) return { conflicts: await merge.describe(conflicts.all) };
      return answer(context, theirs, (await draft.save()).root);
    }
    for (const resolution of named) {
      applied.set(itemKey(resolution), resolution);
      resolutions.delete(itemKey(resolution));
    }
  }
}

/** One merge, that is tried with more and more resolutions. */
class ContentMerge {
  private readonly texts: TextMerge;
  private placements: Placements | null = null;

  constructor(
    private readonly context: MergeContext,
    private readonly sides: Sides,
  ) {
    this.texts = new TextMerge(context.texts);
  }

  async attempt(resolutions: ReadonlyMap<string, Resolution>): Promise<{ draft: MapDraft; conflicts: Conflicts }> {
    const { sides, context } = this;
    const conflicts = new Conflicts();
    const draft = new MapDraft(context.store, context.scope, sides.maps.theirs.root);
    this.placements ??= await Placements.read(sides);
    const ofPages = new Map(
      [...resolutions.values()].flatMap((each) => (each.page === undefined ? [] : [[each.page, each]])),
    );
    const decisions = await new PageDecisions(sides, this.placements, ofPages, conflicts).all();
    const links = await this.decideTexts(decisions, ofPages, conflicts);
    await this.enterItems(draft, resolutions, conflicts);
    // which slugs and places are free is a question only when it is clear where all pages go
    if (!conflicts.all.some(isAboutPlace)) {
      const parts = { sides, placements: this.placements, decisions, resolutions: ofPages, conflicts, draft };
      await new TreeMerge({ ...parts, now: context.now.toISOString() }).run();
    }
    for (const [page, value] of links) draft.set(linksKey(page), value ?? undefined);
    return { draft, conflicts };
  }

  describe(found: readonly FoundConflict[]): Promise<MergeConflict[]> {
    return describe(found, this.sides, this.context.texts);
  }

  /** Gives the decided pages their texts; answers what the addresses in them mean, where primary content says otherwise. */
  private async decideTexts(
    decisions: Map<string, Decision>,
    resolutions: ReadonlyMap<string, Resolution>,
    conflicts: Conflicts,
  ): Promise<Map<string, PageLinks | null>> {
    for (const [page, { document }] of resolutions) {
      if (document !== undefined) await this.setText(decisions, page, document.markdown);
    }
    const wanted = new Map([...decisions].flatMap(([id, { text }]) => (text === undefined ? [] : [[id, text]])));
    const merged = await this.texts.run(wanted);
    const links = await this.links([...wanted.keys(), ...resolutions.keys()]);
    for (const [page, document] of merged) {
      const decision = decisions.get(page);
      const both = links.get(page);
      if (document === null || both === 'conflict') conflicts.add({ item: { page }, kind: 'text' });
      else if (decision?.node) {
        const node = { ...decision.node, document, updatedAt: this.context.now.toISOString() };
        decisions.set(page, { ...decision, node });
      }
    }
    return this.linksOf(decisions, links);
  }

  private async setText(decisions: Map<string, Decision>, page: string, markdown: string): Promise<void> {
    const decision = decisions.get(page);
    if (decision?.node?.kind !== 'document') {
      throw noText(`page ${page}`);
    }
    const document = await this.texts.write(markdown);
    const node = { ...decision.node, document, updatedAt: this.context.now.toISOString() };
    decisions.set(page, { ...decision, node });
  }

  /** What both sides together say of the addresses in the texts of `pages`. */
  private async links(pages: readonly string[]): Promise<Map<string, PageLinks | null | 'conflict'>> {
    const unchanged = pages.filter((page) => !this.sides.links.has(page));
    const values = await this.sides.maps.theirs.getMany(unchanged.map(linksKey));
    return new Map(
      pages.map((page) => {
        const versions = this.sides.links.get(page);
        if (versions === undefined) return [page, asLinks(values.get(linksKey(page)))];
        return [page, mergeLinks(versions.ours, versions.theirs)];
      }),
    );
  }

  /** The entries of links that follow the texts: of the side whose text a page has, or of both. */
  private linksOf(
    decisions: ReadonlyMap<string, Decision>,
    both: ReadonlyMap<string, PageLinks | null | 'conflict'>,
  ): Map<string, PageLinks | null> {
    const found = new Map<string, PageLinks | null>();
    for (const [page, { base, ours, theirs }] of this.sides.links) {
      const decision = decisions.get(page);
      const versions = this.sides.pages.get(page);
      const of = (node: PageNode | null | undefined): boolean => node?.document === decision?.node?.document;
      if (decision?.node === null) continue;
      const [isOurs, isTheirs] = versions === undefined ? [true, true] : [of(versions.ours), of(versions.theirs)];
      if (isOurs && isTheirs) {
        const merged = mergeValue(base ?? undefined, ours ?? undefined, theirs ?? undefined);
        found.set(page, merged === 'conflict' ? theirs : (merged.value ?? null));
      } else if (isOurs !== isTheirs) {
        found.set(page, isOurs ? ours : theirs);
      } else {
        const merged = both.get(page) ?? null;
        found.set(page, merged === 'conflict' ? ours : merged);
      }
    }
    return found;
  }

  private async enterItems(
    draft: MapDraft,
    resolutions: ReadonlyMap<string, Resolution>,
    conflicts: Conflicts,
  ): Promise<void> {
    await enterFiles(draft, mergeFiles(this.sides.files, resolutions, conflicts));
    if (this.sides.files.size > 0 && (await (await draft.applied()).count(FILES)) > MAX_FILES) {
      throw new ContentError('limit', `A space holds at most ${MAX_FILES} files, and both sides together have more`);
    }
    const { merged, texts } = mergeReusableContents(this.sides.reusableContents, resolutions, conflicts);
    for (const [reusableContent, document] of await this.texts.run(texts)) {
      const content = merged.get(reusableContent);
      if (document === null) conflicts.add({ item: { reusableContent }, kind: 'text' });
      else if (content) merged.set(reusableContent, { ...content, document });
    }
    for (const { reusableContent, document } of resolutions.values()) {
      if (document === undefined || reusableContent === undefined) continue;
      const content = merged.get(reusableContent) ?? null;
      if (content === null) throw noText(`reusable content ${reusableContent}`);
      merged.set(content.id, { ...content, document: await this.texts.write(document.markdown) });
    }
    await enterReusableContents(draft, merged);
  }
}

function isAboutPlace({ kind, property }: FoundConflict): boolean {
  return kind === 'position' || kind === 'deleted' || property === 'slug';
}

function byItem(resolutions: readonly Resolution[]): Map<string, Resolution> {
  const found = new Map<string, Resolution>();
  for (const resolution of resolutions) {
    const item = itemKey(resolution);
    if (found.has(item)) throw new ContentError('invalid', `\`resolutions\` names the ${item} twice`, 'resolutions');
    if (resolution.file !== undefined && resolution.document !== undefined) throw noText(item);
    found.set(item, resolution);
  }
  return found;
}

function refuseUnneeded(resolutions: ReadonlyMap<string, Resolution>): void {
  const [item] = resolutions.keys();
  if (item === undefined) return;
  throw new ContentError('invalid', `\`resolutions\` names the ${item}, which is not in conflict`, 'resolutions');
}

function noText(item: string): ContentError {
  return new ContentError(
    'invalid',
    `The ${item} has no text in the change request; settle it with \`use\``,
    'resolutions',
  );
}

async function answer({ store }: MergeContext, theirs: string, root: string): Promise<MergeResult> {
  return { root, changes: toChanges(await diffMaps(store, theirs, root)) };
}
