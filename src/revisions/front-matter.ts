/** What is read from the front matter of a page, by key: texts and flags; everything else in it is left alone. */
export type FrontMatter = Readonly<Record<string, string | boolean>>;

const BLOCK = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;
const TEXTS: ReadonlySet<string> = new Set(['title', 'description', 'icon', 'emoji']);
const FLAGS: ReadonlySet<string> = new Set(['hidden', 'noIndex', 'noRobotsIndex']);

/**
 * Reads the front matter of `markdown`: top-level `key: value` lines with plain, quoted or block (`>`, `|`) texts.
 * Other YAML is passed over; it never throws. `end` is the offset of what comes after it, no `values` without one.
 */
export function readFrontMatter(markdown: string): { values?: FrontMatter; end: number } {
  const block = BLOCK.exec(markdown);
  if (block === null) return { end: markdown.startsWith('\uFEFF') ? 1 : 0 };
  const scalars = readScalars((block[1] ?? '').split(/\r?\n/));
  const values: Record<string, string | boolean> = {};
  for (const [name, text] of scalars) {
    const flag = text.trim().toLowerCase();
    if (TEXTS.has(name)) values[name] = text.trim();
    else if (FLAGS.has(name) && (flag === 'true' || flag === 'false')) values[name] = flag === 'true';
  }
  return { values, end: block[0].length };
}

function readScalars(lines: readonly string[]): Map<string, string> {
  const scalars = new Map<string, string>();
  for (let index = 0; index < lines.length;) {
    const pair = /^([A-Za-z]+)[ \t]*:(?:[ \t]+(.*))?$/.exec(lines[index++] ?? '');
    if (pair === null) continue;
    const start = index;
    while (index < lines.length && /^(?:[ \t]|$)/.test(lines[index] ?? '')) index++;
    const more = lines.slice(start, index).map((line) => line.trim());
    const text = scalar((pair[2] ?? '').trim(), more);
    if (text !== undefined) scalars.set(pair[1] ?? '', text);
  }
  return scalars;
}

/** The text of a value; `undefined` for what is none: nothing, lists, maps, references. */
function scalar(first: string, more: readonly string[]): string | undefined {
  if (/^\|[-+\d]*$/.test(first)) return more.join('\n');
  if (/^>[-+\d]*$/.test(first)) return folded(more);
  const text = folded([first, ...more]);
  const quoted = /^"((?:[^"\\]|\\.)*)"|^'((?:[^']|'')*)'/.exec(text);
  if (quoted?.[1] !== undefined) return unescaped(quoted[1]);
  if (quoted?.[2] !== undefined) return quoted[2].replaceAll("''", "'");
  return text === '' || /^[&*!{[#@%|>-]/.test(text) ? undefined : text.replace(/[ \t]#.*$/s, '');
}

function folded(lines: readonly string[]): string {
  return lines.filter((line) => line !== '').join(' ');
}

function unescaped(text: string): string {
  const named: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
  return text.replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))/gs, (_, two?: string, four?: string, one = '') =>
    one === '' ? String.fromCharCode(parseInt(two ?? four ?? '', 16)) : (named[String(one)] ?? String(one)),
  );
}
