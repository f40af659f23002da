import type { Fragment, InlineContent, Table, TableColumn } from './model.js';

const ALIGNMENTS = { left: ':--', center: ':-:', right: '--:' } as const;

/** Spells a table of text; `undefined` when it says more than a table of Markdown can. */
export function writeTable(table: Table, cell: (nodes: readonly InlineContent[]) => string): string | undefined {
  const { view, definition, records, fullWidth } = table.data;
  const columns = view.columns.map((name) => definition[name]);
  if (view.type !== 'grid' || fullWidth === true || columns.length === 0) return undefined;
  if (Object.keys(view).length > 3 || columns.length < Object.keys(definition).length) return undefined;
  const known = columns.filter((column): column is TableColumn => column !== undefined && isTextColumn(column));
  if (known.length < columns.length) return undefined;
  const cells = new Map(table.fragments.map((fragment) => [fragment.fragment, contentOf(fragment)]));
  const header = known.map(({ title, header }) => (header === undefined ? [text(title)] : cells.get(header)));
  const isEmpty = known.every((column) => column.title === '' && column.header === undefined);
  if (isEmpty !== (view.hideHeader === true)) return undefined;
  const rows = Object.values(records).sort((a, b) =>
    a.orderIndex < b.orderIndex ? -1 : a.orderIndex > b.orderIndex ? 1 : 0,
  );
  const body = rows.map(({ values }) => known.map(({ id }) => readCell(values[id], cells)));
  const lines: string[] = [];
  const all = [header, ...body].map((row) => row.filter((nodes) => nodes !== undefined && fits(nodes)));
  if (all.some((row) => row.length < known.length)) return undefined;
  for (const row of all) lines.push(`| ${row.map((nodes) => (nodes === undefined ? '' : cell(nodes))).join(' | ')} |`);
  const [first = '', ...rest] = lines;
  const rule = known.map(({ textAlignment }) => (textAlignment === undefined ? '---' : ALIGNMENTS[textAlignment]));
  return [first, `| ${rule.join(' | ')} |`, ...rest].join('\n');
}

function isTextColumn(column: TableColumn): boolean {
  return column.type === 'text' && column['verticalAlignment'] === undefined;
}

function readCell(
  value: unknown,
  cells: ReadonlyMap<unknown, readonly InlineContent[] | undefined>,
): readonly InlineContent[] | undefined {
  return value === undefined ? [] : cells.get(value);
}

/** The text of a cell that is one paragraph, or none. */
function contentOf({ nodes }: Fragment): readonly InlineContent[] | undefined {
  const [only] = nodes;
  if (nodes.length === 0) return [];
  return nodes.length === 1 && only?.type === 'paragraph' && only.data.align === undefined ? only.nodes : undefined;
}

/** Whether no bar stands where a table of Markdown cannot have it. */
function fits(nodes: readonly InlineContent[]): boolean {
  return nodes.every((node) => {
    if (node.object === 'text') return true;
    if (node.type === 'source') return !/\\\|/.test(node.data.source);
    return node.type !== 'link' && node.type !== 'annotation' ? true : fits(node.nodes);
  });
}

function text(value: string): InlineContent {
  return { object: 'text', key: '', leaves: [{ object: 'leaf', text: value, marks: [] }] };
}
