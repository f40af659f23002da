import {
  checkData,
  checkJson,
  fail,
  isSafeName,
  listOf,
  membersOf,
  textOf,
  type Fields,
  type Members,
} from './fields.js';
import type { Fragment } from './model.js';

const FLAG = { kind: 'flag' } as const;
const MULTIPLE: Fields = { multiple: FLAG };
const ALIGNMENT = { kind: 'choice', values: ['left', 'center', 'right'] } as const;
const COLUMN_TYPES: Readonly<Record<string, Fields>> = {
  text: {
    textAlignment: ALIGNMENT,
    verticalAlignment: { kind: 'choice', values: ['top', 'middle', 'bottom'] },
    header: { kind: 'line' },
  },
  number: {},
  checkbox: {},
  files: {},
  users: MULTIPLE,
  rating: { max: { kind: 'whole', min: 1, max: 100 } },
  select: { ...MULTIPLE, options: { kind: 'json', required: true } },
  'content-ref': {},
};
const VIEWS: Readonly<Record<string, Fields>> = {
  grid: {
    columns: { kind: 'texts', required: true },
    columnWidths: { kind: 'json' },
    hideHeader: FLAG,
    useNewSizing: FLAG,
  },
  cards: {
    columns: { kind: 'texts', required: true },
    cardSize: { kind: 'choice', values: ['medium', 'large'] },
    targetDefinition: { kind: 'line' },
    coverDefinition: { kind: 'line' },
    hideColumnTitle: FLAG,
  },
};

/**
 * The data of the table `node` with its view, columns and rows taken from `given`.
 * @throws DocumentError when a row or the view names a column, or a cell a fragment, that is not there.
 */
export function checkTable(node: Members, given: Members, at: string): { data: Members } {
  const fragments = new Set((node['fragments'] as Fragment[]).map(({ fragment }) => fragment));
  const definition = checkMap(given['definition'], `${at}.data.definition`, checkColumn);
  const view = checkView(given['view'], `${at}.data.view`);
  for (const [index, column] of (view['columns'] as string[]).entries()) {
    if (!Object.hasOwn(definition, column)) fail(`${at}.data.view.columns[${index}]`, 'is not a column');
  }
  const records = checkMap(given['records'], `${at}.data.records`, (value, place) => {
    const record = membersOf(value, place);
    const values = checkMap(record['values'] ?? {}, `${place}.values`, (cell, where, name) => {
      const column = Object.hasOwn(definition, name) ? definition[name] : undefined;
      if (column === undefined) fail(where, 'is in no column');
      return checkCell(cell, column, fragments, where);
    });
    return { orderIndex: textOf(record['orderIndex'], `${place}.orderIndex`), values };
  });
  for (const [name, { header }] of Object.entries(definition)) {
    if (header !== undefined && !fragments.has(header as string))
      fail(`${at}.data.definition.${name}.header`, 'is no fragment');
  }
  return { data: { ...(node['data'] as Members), view, definition, records } };
}

function checkMap<T>(
  value: unknown,
  at: string,
  check: (value: unknown, at: string, name: string) => T,
): Record<string, T> {
  const map: Record<string, T> = {};
  for (const [name, member] of Object.entries(membersOf(value, at))) {
    if (!isSafeName(name)) fail(at, 'has a member with a name that is not allowed');
    map[name] = check(member, `${at}.${name}`, name);
  }
  return map;
}

function checkColumn(value: unknown, at: string, name: string): Members {
  const given = membersOf(value, at);
  const type = given['type'];
  const fields = typeof type === 'string' && Object.hasOwn(COLUMN_TYPES, type) ? COLUMN_TYPES[type] : undefined;
  if (fields === undefined) fail(`${at}.type`, 'is not a type of column');
  if (given['id'] !== name) fail(`${at}.id`, 'must be the name that the column stands under');
  return { id: name, type, title: textOf(given['title'] ?? '', `${at}.title`), ...checkData(given, fields, at) };
}

function checkView(value: unknown, at: string): Members {
  const given = membersOf(value, at);
  const type = given['type'];
  const fields = typeof type === 'string' && Object.hasOwn(VIEWS, type) ? VIEWS[type] : undefined;
  if (fields === undefined) fail(`${at}.type`, 'must be grid or cards');
  return { type, ...checkData(given, fields, at) };
}

function checkCell(value: unknown, column: Members, fragments: ReadonlySet<string | undefined>, at: string): unknown {
  if (column['type'] === 'text') {
    const name = textOf(value, at);
    return fragments.has(name) ? name : fail(at, 'is not the name of a fragment');
  }
  if (column['type'] === 'select') listOf(value, at);
  return checkJson(value, at);
}
