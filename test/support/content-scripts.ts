import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { ContentError } from '../../src/revisions/content-error.js';
import type { ChunkStore } from '../../src/revisions/map-draft.js';
import { ChunkMap } from '../../src/revisions/chunk-map.js';
import { PAGES, asPage } from '../../src/revisions/entries.js';
import { TreeEditor } from '../../src/revisions/tree-editor.js';

/** Texts that live as long as the process. */
export class MemoryTexts {
  readonly texts = new Map<string, string>();

  put(markdown: string): string {
    const key = createHash('sha256').update(markdown).digest('base64url');
    this.texts.set(key, markdown);
    return key;
  }

  get(key: string): string {
    const markdown = this.texts.get(key);
    if (markdown === undefined) throw new Error(`No text ${key}`);
    return markdown;
  }

  read(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return Promise.resolve(new Map(keys.map((key) => [key, this.get(key)])));
  }

  write(markdowns: readonly string[]): Promise<readonly string[]> {
    return Promise.resolve(markdowns.map((markdown) => this.put(markdown)));
  }
}

/** One edit; numbers pick pages, lines and places among those that are there. */
export type Step =
  | { do: 'insert'; title: string; kind: 'document' | 'group' | 'link'; into: number; at: number; slug?: string }
  | { do: 'write'; page: number; line: number; replaces: boolean }
  | { do: 'cut'; page: number; line: number }
  | { do: 'rename'; page: number; title: string }
  | { do: 'reslug'; page: number; slug: string | null }
  | { do: 'flag'; page: number; emoji: string | null }
  | { do: 'move'; page: number; into: number; at: number }
  | { do: 'delete'; page: number }
  | { do: 'file'; file: number; name: string; blob: string }
  | { do: 'removeFile'; file: number };

const pick = fc.nat({ max: 60 });
/** Often one of the first pages, so that both sides meet there. */
const parent = fc.oneof(fc.nat({ max: 2 }), pick);
const title = fc.constantFrom('A', 'B', 'C', 'Über uns', 'a b');
const slug = fc.constantFrom('a', 'b', 'c', 'by-hand', 'a-1');

const insert: fc.Arbitrary<Step> = fc.record(
  {
    do: fc.constant('insert' as const),
    title,
    kind: fc.constantFrom(
      'document' as const,
      'document' as const,
      'document' as const,
      'group' as const,
      'link' as const,
    ),
    into: parent,
    at: fc.nat({ max: 6 }),
    slug,
  },
  { requiredKeys: ['do', 'title', 'kind', 'into', 'at'] },
);
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.WeightedArbitrary<T> => ({ weight, arbitrary });

/** An edit of any kind. */
const step: fc.Arbitrary<Step> = fc.oneof(
  weighted(4, insert),
  weighted(6, fc.record({ do: fc.constant('write' as const), page: pick, line: pick, replaces: fc.boolean() })),
  weighted(3, fc.record({ do: fc.constant('cut' as const), page: pick, line: pick })),
  weighted(3, fc.record({ do: fc.constant('rename' as const), page: pick, title })),
  weighted(2, fc.record({ do: fc.constant('reslug' as const), page: pick, slug: fc.option(slug) })),
  weighted(
    2,
    fc.record({ do: fc.constant('flag' as const), page: pick, emoji: fc.constantFrom('1f600', '1f601', null) }),
  ),
  weighted(6, fc.record({ do: fc.constant('move' as const), page: pick, into: parent, at: fc.nat({ max: 6 }) })),
  weighted(1, fc.record({ do: fc.constant('delete' as const), page: pick })),
  weighted(
    1,
    fc.record({
      do: fc.constant('file' as const),
      file: fc.nat({ max: 9 }),
      name: title,
      blob: fc.constantFrom('x', 'y'),
    }),
  ),
  weighted(1, fc.record({ do: fc.constant('removeFile' as const), file: fc.nat({ max: 9 }) })),
);

/** Edits of one side, none of which is refused as a whole: what the rules forbid is left out. */
export interface Script {
  readonly store: ChunkStore;
  readonly texts: MemoryTexts;
  readonly scope: string;
  /** Makes the ids and lines of this side differ from those of others. */
  readonly name: string;
  readonly now: Date;
}

/** Applies `steps` to the content `root`, and answers the new root. */
export async function play(script: Script, root: string, steps: readonly Step[]): Promise<string> {
  const editor = new TreeEditor(script.store, script.scope, root, script.now);
  const ids = (await new ChunkMap(script.store, root).scan(PAGES)).flatMap(({ value }) => asPage(value)?.id ?? []);
  for (const [index, each] of steps.entries()) {
    try {
      await apply(script, editor, { ids, index }, each);
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
    }
  }
  return (await editor.finish()).root;
}

async function apply(
  { texts, name }: Script,
  editor: TreeEditor,
  { ids, index }: { ids: string[]; index: number },
  each: Step,
): Promise<void> {
  const idOf = (number: number): string | null => ids[number % (ids.length + 1)] ?? null;
  const target = 'page' in each ? idOf(each.page) : null;
  const page = target === null ? null : await editor.findPage(target);
  switch (each.do) {
    case 'insert': {
      const { kind } = each;
      const own = kind === 'document' ? { document: texts.put(textOf(`${name} ${index}`)) } : {};
      const more = kind === 'link' ? { target: { kind: 'url', url: 'https://x.test' } } : own;
      const named = each.slug !== undefined && kind !== 'link' ? { slug: each.slug } : {};
      const into = kind === 'group' ? null : idOf(each.into);
      const made = await editor.insertPage(
        { id: `${name}${index}`, kind, title: each.title, ...more, ...named },
        { into, at: each.at },
      );
      ids.push(made.id);
      return;
    }
    case 'write':
    case 'cut': {
      if (page?.document === undefined) return;
      const lines = texts.get(page.document).split(/(?<=\n)/);
      const at = each.line % (lines.length + 1);
      if (each.do === 'cut') lines.splice(at, 1);
      else lines.splice(at, each.replaces ? 1 : 0, `${name} ${index} line\n`);
      await editor.updatePage(page.id, { document: texts.put(lines.join('')) });
      return;
    }
    case 'rename':
      if (page) await editor.updatePage(page.id, { title: each.title });
      return;
    case 'reslug':
      if (page) await editor.updatePage(page.id, { slug: each.slug });
      return;
    case 'flag':
      if (page) await editor.updatePage(page.id, { emoji: each.emoji });
      return;
    case 'move':
      if (page) await editor.movePage(page.id, { into: page.kind === 'group' ? null : idOf(each.into), at: each.at });
      return;
    case 'delete':
      if (page) await editor.deletePage(page.id);
      return;
    case 'file':
      return editor.putFile({
        id: `file${each.file}`,
        name: each.name,
        contentType: 'text/plain',
        size: 1,
        blob: each.blob,
      });
    case 'removeFile':
      return editor.removeFile(`file${each.file}`);
  }
}

/** A text whose lines tell where they come from; some of them are in every text. */
function textOf(name: string): string {
  return `${[1, 2, 3].map((line) => `${name} ${line}`).join('\n\n')}\n\n${[4, 5, 6].map((line) => `${name} ${line}\n`).join('')}`;
}

/** A base of up to some 40 pages, with two sides that come from it. */
export const scripts = fc.record({
  base: fc
    .tuple(
      fc.array(insert, { minLength: 3, maxLength: 24, size: 'max' }),
      fc.array(step, { maxLength: 12, size: 'max' }),
    )
    .map((parts) => parts.flat()),
  ours: fc.array(step, { minLength: 2, maxLength: 10, size: 'max' }),
  theirs: fc.array(step, { minLength: 2, maxLength: 10, size: 'max' }),
});
