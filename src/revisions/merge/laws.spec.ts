import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { MemoryTexts, play, scripts, type Step } from '../../../test/support/content-scripts.js';
import { ChunkMap } from '../chunk-map.js';
import { ContentTree } from '../content-tree.js';
import { asFile, asPage, hasPath, type FileEntry, type PageNode } from '../entries.js';
import type { Json } from '../json.js';
import { MemoryChunkStore } from '../memory-chunk-store.js';
import type { TreePage } from '../page-tree.js';
import { mergeContent, type MergeConflict, type MergeResult, type Resolution } from './index.js';

const SCOPE = 'one';
const NOW = new Date('2026-03-01T00:00:00Z');

interface World {
  readonly store: MemoryChunkStore;
  readonly texts: MemoryTexts;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

async function world(steps: Record<'base' | 'ours' | 'theirs', readonly Step[]>): Promise<World> {
  const [store, texts] = [new MemoryChunkStore(), new MemoryTexts()];
  const script = { store, texts, scope: SCOPE };
  const base = await play(
    { ...script, name: 'base', now: new Date('2026-01-01T00:00:00Z') },
    store.empty(SCOPE),
    steps.base,
  );
  const ours = await play({ ...script, name: 'ours', now: new Date('2026-02-01T00:00:00Z') }, base, steps.ours);
  const theirs = await play({ ...script, name: 'theirs', now: new Date('2026-02-02T00:00:00Z') }, base, steps.theirs);
  return { store, texts, base, ours, theirs };
}

function merge({ store, texts, ...roots }: World): Promise<MergeResult> {
  return mergeContent({ store, texts, scope: SCOPE, now: NOW }, roots);
}

type Use = 'primary' | 'change-request';
const swapped = (world: World): World => ({ ...world, ours: world.theirs, theirs: world.ours });

interface Content {
  readonly pages: ReadonlyMap<string, PageNode>;
  readonly files: ReadonlyMap<string, FileEntry>;
  readonly lines: ReadonlySet<string>;
}

async function read({ store, texts }: World, root: string): Promise<Content> {
  const entries = await new ChunkMap(store, root).scan({ from: '', to: '~' });
  const pages = new Map<string, PageNode>();
  const files = new Map<string, FileEntry>();
  for (const { key, value } of entries) {
    const page = key.startsWith('p/') ? asPage(value) : null;
    if (page) pages.set(page.id, page);
    const file = key.startsWith('f/') ? asFile(value) : null;
    if (file) files.set(file.id, file);
  }
  const lines = [...pages.values()].flatMap(({ document }) =>
    document === undefined ? [] : texts.get(document).split('\n'),
  );
  return { pages, files, lines: new Set(lines.filter((line) => line !== '')) };
}

/** All entries that pages and files imply, and no others; pages within the rules. */
async function checkTree(world: World, root: string): Promise<void> {
  const { pages, files } = await read(world, root);
  const expected = new Map<string, Json>();
  const add = (key: string, value: Json): void => {
    expect(expected.has(key)).toBe(false);
    expected.set(key, value);
  };
  for (const page of pages.values()) {
    add(`p/${page.id}`, page);
    add(`o/${page.parent ?? ''}/${page.order}`, page.id);
    expect(page.slug !== undefined).toBe(hasPath(page.kind));
    if (page.slug !== undefined) add(`s/${page.parent ?? ''}/${page.slug}`, page.id);
    if (page.kind === 'group') expect(page.parent).toBeNull();
    const seen = new Set<string>();
    for (let at: PageNode | undefined = page; at !== undefined && at.parent !== null; at = pages.get(at.parent)) {
      expect(seen.has(at.id)).toBe(false);
      seen.add(at.id);
      const parent = pages.get(at.parent);
      expect(parent && hasPath(parent.kind)).toBe(true);
    }
    expect(seen.size).toBeLessThan(32);
  }
  for (const file of files.values()) {
    add(`f/${file.id}`, file);
    add(`n/${file.name.normalize('NFKC').toLowerCase()}/${file.id}`, file.id);
  }
  const entries = await new ChunkMap(world.store, root).scan({ from: '', to: '~' });
  expect(new Map(entries.map(({ key, value }) => [key, value]))).toEqual(expected);
}

/** Every line and value that one side alone set is in the result, and what one side alone took away is not. */
async function checkNothingLost(made: World, root: string): Promise<void> {
  const [base, ours, theirs, result] = [
    await read(made, made.base),
    await read(made, made.ours),
    await read(made, made.theirs),
    await read(made, root),
  ];
  for (const line of new Set([...base.lines, ...ours.lines, ...theirs.lines])) {
    const isWanted = !base.lines.has(line) || (ours.lines.has(line) && theirs.lines.has(line));
    expect([line, result.lines.has(line)]).toEqual([line, isWanted]);
  }
  for (const id of new Set([...base.pages.keys(), ...ours.pages.keys(), ...theirs.pages.keys()])) {
    const [before, our, their, after] = [base, ours, theirs, result].map(({ pages }) => pages.get(id));
    expect([id, after !== undefined]).toEqual([id, before === undefined || (our !== undefined && their !== undefined)]);
    for (const name of ['title', 'emoji', 'parent', 'slugSet'] as const) {
      const changed = our && our[name] !== before?.[name] ? our : (their ?? our);
      if (after) expect([name, after[name]]).toEqual([name, changed?.[name]]);
    }
  }
}

/** What a merge has to agree about whichever way round it was made. */
async function comparable({ store, texts }: World, root: string): Promise<unknown> {
  const tree = new ContentTree(new ChunkMap(store, root));
  const page = ({ node, pages }: TreePage): unknown => ({
    ...node,
    order: null,
    updatedAt: null,
    // which of two gets the number depends on which is there already
    slug: node.slugSet === true ? node.slug : null,
    document: node.document === undefined ? null : texts.get(node.document),
    pages: pages.map(page),
  });
  return { pages: (await tree.tree()).pages.map(page), files: await tree.files() };
}

const mirrored = (conflicts: readonly MergeConflict[] | undefined): unknown =>
  conflicts?.map(({ path: _, ours, theirs, ...rest }) => ({ ...rest, ours: theirs, theirs: ours }));
const plain = (conflicts: readonly MergeConflict[] | undefined): unknown =>
  conflicts?.map(({ path: _, ours, theirs, ...rest }) => ({ ...rest, ours, theirs }));

const runs = { numRuns: cases(100, 2000) };
/** The thorough run takes minutes, ms. */
const TIMEOUT = 900_000;

describe('mergeContent, by laws', () => {
  it(
    'answers what one side did when the other did nothing',
    async () => {
      await fc.assert(
        fc.asyncProperty(scripts, async (steps) => {
          const made = await world(steps);
          const { base, ours, theirs } = made;
          expect((await merge({ ...made, theirs: base })).root).toBe(ours);
          expect((await merge({ ...made, ours: base })).root).toBe(theirs);
          expect((await merge({ ...made, theirs: ours })).root).toBe(ours);
        }),
        { numRuns: cases(20, 2000) },
      );
    },
    TIMEOUT,
  );

  it(
    'loses nothing, keeps the rules, and does not depend on which side is merged into which',
    async () => {
      let merged = 0;
      await fc.assert(
        fc.asyncProperty(scripts, async (steps) => {
          const made = await world(steps);
          const [one, two] = [await merge(made), await merge(swapped(made))];
          expect(plain(one.conflicts)).toEqual(mirrored(two.conflicts));
          if (one.root === undefined || two.root === undefined) {
            expect(one.conflicts).not.toHaveLength(0);
            return;
          }
          merged++;
          await checkTree(made, one.root);
          await checkTree(made, two.root);
          await checkNothingLost(made, one.root);
          expect(await comparable(made, one.root)).toEqual(await comparable(made, two.root));
        }),
        runs,
      );
      expect(merged).toBeGreaterThan(runs.numRuns / 10);
    },
    TIMEOUT,
  );

  it(
    'settles every conflict by a side',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          scripts,
          fc.infiniteStream(fc.constantFrom<Use>('primary', 'change-request')),
          async (steps, uses) => {
            const made = await world(steps);
            const resolutions = new Map<string, Resolution>();
            const { store, texts, ...roots } = made;
            for (let round = 0; ; round++) {
              const result = await mergeContent(
                { store, texts, scope: SCOPE, now: NOW },
                { ...roots, resolutions: [...resolutions.values()] },
              );
              if (result.root !== undefined) {
                await checkTree(made, result.root);
                return;
              }
              const known = resolutions.size;
              for (const { page, file } of result.conflicts) {
                const use = uses.next().value as Use;
                const key = JSON.stringify([page, file]);
                if (resolutions.has(key)) continue;
                if (page !== undefined) resolutions.set(key, { page, use });
                else if (file !== undefined) resolutions.set(key, { file, use });
              }
              // only a circle out of contradictory choices remains
              if (resolutions.size === known) {
                expect(new Set(result.conflicts.map(({ kind }) => kind))).toEqual(new Set(['position']));
                return;
              }
            }
          },
        ),
        { numRuns: cases(30, 2000) },
      );
    },
    TIMEOUT,
  );
});
