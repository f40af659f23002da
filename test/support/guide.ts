import { readFileSync } from 'node:fs';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Code, Nodes } from 'mdast';

/** A command of a page of documentation, with the answer that stands beneath. */
export interface Example {
  /** What is typed into a shell: a fenced block of `sh`. */
  code: string;
  /** What the page says that it prints. */
  shown?: { lang: 'json' | 'text'; text: string };
  /** Line of the page at which the block begins. */
  line: number;
}

/** What ran: all that it printed, its status, and the statuses of HTTP that `curl` got, in their order. */
export interface Ran {
  printed: string;
  complaints: string;
  exit: number;
  statuses: number[];
}

const trees = new Map<string, Nodes>();

/** The tree of the Markdown in `file`, which is read once. */
export function treeOf(file: string): Nodes {
  const options = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };
  const tree = trees.get(file) ?? fromMarkdown(readFileSync(file, 'utf8'), options);
  trees.set(file, tree);
  return tree;
}

/** All nodes of `tree` in reading order, itself first. */
export function nodesOf(tree: Nodes): Nodes[] {
  return [tree, ...('children' in tree ? tree.children.flatMap((child) => nodesOf(child)) : [])];
}

/** The examples in `file`, in their order: each block of `sh`, with a block of `json` or `text` right behind it. */
export function examplesOf(file: string): Example[] {
  const nodes = nodesOf(treeOf(file));
  return nodes.flatMap((node, index) => {
    if (!isCode(node, 'sh')) return [];
    const next = nodes[index + 1];
    const shown = isCode(next, 'json') ?? isCode(next, 'text');
    const lang = next?.type === 'code' && next.lang === 'json' ? 'json' : 'text';
    return [
      {
        code: (node as Code).value,
        line: node.position?.start.line ?? 0,
        ...(shown !== undefined && { shown: { lang, text: shown } as const }),
      },
    ];
  });
}

function isCode(node: Nodes | undefined, lang: string): string | undefined {
  return node?.type === 'code' && node.lang === lang ? node.value : undefined;
}

/** What is wrong with what `example` came to; an empty list when all is as the page says. */
export function faultsOf({ code, shown }: Example, ran: Ran | undefined): string[] {
  if (!ran) return ['it was not run'];
  const refused = refusalIn(shown);
  const stated = [...code.matchAll(/ # (\d{3})$/gm)].map(([, status]) => Number(status));
  const last = ran.statuses.at(-1);
  const done = refused === undefined ? ran.statuses : ran.statuses.slice(0, -1);
  const faults = [
    ...done.filter((status) => status < 200 || status > 399).map((status) => `it got ${status}`),
    ...(refused !== undefined && last !== refused ? [`it got ${String(last)}, and the page shows ${refused}`] : []),
    ...stated.filter((status) => !ran.statuses.includes(status)).map((status) => `it never got ${status}`),
    ...(ran.exit === (refused === undefined ? 0 : HTTP_FAILURE) ? [] : [`it ended with ${ran.exit}`]),
    ...(shown ? differences(shown, ran.printed) : []),
  ];
  return faults.length > 0 ? [...faults, ran.printed, ran.complaints] : [];
}

/** With what `curl --fail-with-body` ends at 400 and above. */
const HTTP_FAILURE = 22;

/** The status of the refusal that is shown. */
function refusalIn(shown: Example['shown']): number | undefined {
  if (shown?.lang !== 'json') return undefined;
  return (JSON.parse(shown.text) as { error?: { code: number } }).error?.code;
}

function differences({ lang, text }: NonNullable<Example['shown']>, printed: string): string[] {
  if (lang === 'text') return like(text.trim(), printed.trim()) ? [] : [`it does not print ${text}`];
  let answer: unknown;
  try {
    answer = JSON.parse(printed);
  } catch {
    return ['it does not print one answer of JSON'];
  }
  return compare(JSON.parse(text), answer, '');
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Where `answer` departs from what is shown. Fields may be left out, and items behind a last `…`; `…` in a text is any text,
 * alone it is any value; a time is any time. All else is equal.
 */
function compare(shown: unknown, answer: unknown, path: string): string[] {
  if (shown === '…') return answer === undefined || answer === '' ? [`${path} is not there`] : [];
  if (typeof shown === 'string' && typeof answer === 'string') {
    const same = TIME.test(shown) ? TIME.test(answer) : like(shown, answer);
    return same ? [] : [`${path} is ${answer}, not ${shown}`];
  }
  if (Array.isArray(shown) && Array.isArray(answer)) {
    const open = shown.at(-1) === '…';
    const items = open ? shown.slice(0, -1) : shown;
    const counted = open ? answer.length >= items.length : answer.length === items.length;
    if (!counted) return [`${path} has ${answer.length} items, not ${items.length}`];
    return items.flatMap((item, index) => compare(item, answer[index], `${path}[${index}]`));
  }
  if (isObject(shown) && isObject(answer)) {
    return Object.entries(shown).flatMap(([key, value]) => compare(value, answer[key], `${path}.${key}`));
  }
  return Object.is(shown, answer) ? [] : [`${path} is ${JSON.stringify(answer)}, not ${JSON.stringify(shown)}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether `text` is as `shown`, in which `…` stands for any characters. */
function like(shown: string, text: string): boolean {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`).test(text);
}
