import type { PhrasingContent, Table as TableNode } from 'mdast';
import type { Fragment, InlineContent, Table, TableColumn, TableRecord } from './model.js';
import { readInlines, type Place, type ReadContext } from './read-inline.js';

/** The name of a column, a row or a cell, as tables from Markdown have them. */
export const tableNames = {
  column: (index: number): string => `c${index + 1}`,
  row: (index: number): string => `r${index + 1}`,
  cell: (row: number, column: number): string => `r${row + 1}c${column + 1}`,
  header: (column: number): string => `h${column + 1}`,
  order: (row: number): string => String(row + 1).padStart(6, '0'),
};

/** Reads a table of Markdown: every column is of text, every cell a fragment of one paragraph. */
export function readTable(node: TableNode, context: ReadContext, place: Place): Table {
  const read = (cells: readonly PhrasingContent[]): InlineContent[] =>
    readInlines(cells, context, { ...place, inTable: true });
  const [head, ...rows] = node.children;
  const width = Math.max(...node.children.map((row) => row.children.length));
  const fragments: Fragment[] = [];
  const columns = Array.from({ length: width }, (_, index): TableColumn => {
    const title = read(head?.children[index]?.children ?? []);
    const align = node.align?.[index];
    const column: TableColumn = { id: tableNames.column(index), type: 'text', title: plainOf(title) };
    if (align) column.textAlignment = align;
    if (!isPlain(title)) {
      column.header = tableNames.header(index);
      fragments.push(cellFragment(column.header, title));
    }
    return column;
  });
  const records: Record<string, TableRecord> = {};
  for (const [row, { children }] of rows.entries()) {
    const values: Record<string, string> = {};
    for (const [index, { id }] of columns.entries()) {
      const name = tableNames.cell(row, index);
      values[id] = name;
      fragments.push(cellFragment(name, read(children[index]?.children ?? [])));
    }
    records[tableNames.row(row)] = { orderIndex: tableNames.order(row), values };
  }
  const hideHeader = columns.every(({ title, header }) => title === '' && header === undefined);
  const view = { type: 'grid' as const, columns: columns.map(({ id }) => id), hideHeader };
  const definition = Object.fromEntries(columns.map((column) => [column.id, column]));
  return { object: 'block', type: 'table', key: '', isVoid: true, data: { view, definition, records }, fragments };
}

function cellFragment(name: string, nodes: InlineContent[]): Fragment {
  const paragraph = {
    object: 'block' as const,
    type: 'paragraph' as const,
    key: '',
    isVoid: false as const,
    data: {},
    nodes,
  };
  return { object: 'fragment', key: '', fragment: name, nodes: [paragraph] };
}

function isPlain(nodes: readonly InlineContent[]): boolean {
  return nodes.every((node) => node.object === 'text' && node.leaves.every(({ marks }) => marks.length === 0));
}

function plainOf(nodes: readonly InlineContent[]): string {
  return nodes.map((node) => (node.object === 'text' ? node.leaves.map(({ text }) => text).join('') : '')).join('');
}
