import { setImmediate } from 'node:timers/promises';
import { lazy } from '../common/lazy.js';
import { ContentError } from './content-error.js';
import { readFrontMatter, type FrontMatter } from './front-matter.js';
import { splitMarkdown, type MarkdownPart } from './markdown-parts.js';
import type { Outline } from './outline.js';
import { OutlineBuilder, type UrlSpans } from './outline-builder.js';
import { References } from './references.js';

/** Largest Markdown, in bytes of UTF-8. */
export const MAX_MARKDOWN = 2 * 1024 * 1024;
/** Goes up with whatever makes {@link readOutline} answer something else than before for the same text. */
export const OUTLINE_VERSION = 2;
/** Time to read one Markdown, ms; far beyond what honest text needs. */
const MAX_TIME = 10_000;

/** The parser, read with the first text. */
const parser = lazy(() => import('./parse-outline.js'));

/**
 * Reads the outline of `markdown`. Long texts are read piece by piece, with other work in between.
 * @throws ContentError (`limit`) over 2 MiB or ten thousand links or headings, (`complex`) for what takes too long.
 */
export async function readOutline(markdown: string): Promise<Outline> {
  if (Buffer.byteLength(markdown) > MAX_MARKDOWN) {
    throw new ContentError('limit', 'A page holds at most 2 MiB of Markdown', 'document');
  }
  const { values: frontMatter, end } = readFrontMatter(markdown);
  const parts = splitMarkdown(markdown, end);
  const references = new References(parts.length > 1 ? markdown : '');
  const builder = new OutlineBuilder();
  let spent = 0;
  for (const [index, part] of parts.entries()) {
    if (index > 0) await setImmediate();
    const started = performance.now();
    await readPart(markdown, part, references, builder);
    spent += performance.now() - started;
    if (spent > MAX_TIME) throw new ContentError('complex', 'The Markdown takes too long to read', 'document');
  }
  return { ...builder.finish(), ...inherited(frontMatter, builder.leadingHeading) };
}

/** What a page is called and described as by its own text. */
function inherited(
  frontMatter: FrontMatter | undefined,
  leadingHeading: string | undefined,
): Pick<Outline, 'title' | 'description' | 'frontMatter'> {
  const { title, description } = frontMatter ?? {};
  const own = typeof title === 'string' && title !== '' ? title : leadingHeading;
  return {
    ...(own !== undefined && { title: own }),
    ...(typeof description === 'string' && description !== '' && { description }),
    ...(frontMatter && { frontMatter }),
  };
}

async function readPart(
  markdown: string,
  part: MarkdownPart,
  references: References,
  builder: OutlineBuilder,
): Promise<void> {
  const text = markdown.slice(part.start, part.end);
  if (part.isVerbatim) {
    builder.addText(text);
    return;
  }
  const prefix = references.neededBy(text);
  const spans: UrlSpans = new Map();
  const parsed = prefix + text;
  const place = { prefix: prefix.length, offset: part.start - prefix.length };
  const { parseForOutline } = await parser();
  builder.addTree(parseForOutline(parsed, spans), { text: parsed, spans, ...place });
}
