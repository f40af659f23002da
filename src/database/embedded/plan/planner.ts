import { badValue, type Document } from '../errors.js';
import { compileFilter } from '../query/match.js';
import type { Collection } from '../store/catalogue.js';
import { findIndex, type Index } from '../store/index.js';
import type { Workspace } from '../store/workspace.js';
import { boundsOf, type Bounds } from './bounds.js';
import { demandsOf, operatorsOf, type Demands } from './conditions.js';

/** How the documents of a query are found. */
export interface Plan {
  /** The index that is read; `undefined`: all documents are. */
  index: Index | undefined;
  bounds: Bounds | undefined;
  /** Whether it is read backwards. */
  reverse: boolean;
  /** Whether documents come in the order asked for. */
  sorted: boolean;
  /** Whether exactly the documents that match are found, each once. */
  exact: boolean;
}

/** What a query asks for, as far as the choice of an index goes. */
export interface Question {
  filter: Document;
  sort?: Document;
  hint?: unknown;
}

/** Chooses how to answer a query. @throws EngineError 2 for a hint that names no index. */
export function planFor(workspace: Workspace, collection: Collection, { filter, sort, hint }: Question): Plan {
  const demands = demandsOf(filter);
  const natural = naturalOrder(sort) ?? naturalOrder(hint);
  if (natural !== undefined) return scan(demands, sort === undefined || naturalOrder(sort) !== undefined, natural < 0);
  const usable = collection.indexes.filter((index) => workspace.usable(index));
  if (hint !== undefined) return candidate(hinted(usable, hint), demands, sort);
  let best: Plan | undefined;
  for (const index of usable) {
    if (!mayServe(index, demands)) continue;
    const plan = candidate(index, demands, sort);
    if ((plan.bounds?.bound ?? 0) === 0 && !(plan.sorted && sort)) continue;
    if (!best || rank(plan) > rank(best)) best = plan;
  }
  return best ?? scan(demands, sort === undefined, false);
}

function scan(demands: Demands, sorted: boolean, reverse: boolean): Plan {
  const exact = demands.complete && demands.fields.size === 0;
  return { index: undefined, bounds: undefined, reverse, sorted, exact };
}

function naturalOrder(keys: unknown): number | undefined {
  if (typeof keys !== 'object' || keys === null || !('$natural' in keys)) return undefined;
  return Number(keys.$natural);
}

function hinted(indexes: Index[], hint: unknown): Index {
  const found = findIndex(indexes, hint);
  if (!found) throw badValue('hint provided does not correspond to an existing index');
  return found;
}

// more fields bound to one value first, then a range, then the order asked for; of equals, the narrower index
function rank({ index, bounds, sorted }: Plan): number {
  if (!bounds || !index) return 0;
  if (bounds.points) return Infinity;
  return bounds.equalities * 1000 + (bounds.bound - bounds.equalities) * 500 + (sorted ? 200 : 0) - index.fields.length;
}

function candidate(index: Index, demands: Demands, sort: Document | undefined): Plan {
  const bounds = boundsOf(index, demands);
  const direction = sort ? sortDirection(index, bounds, sort) : 1;
  const bound = index.fields.slice(0, bounds.bound).filter(({ path }) => demands.fields.has(path)).length;
  return {
    index,
    bounds,
    reverse: direction === -1,
    sorted: direction !== 0,
    exact: bounds.exact && demands.complete && demands.fields.size === bound,
  };
}

/** 1 or -1 when reading the index forwards or backwards gives the order, otherwise 0. */
function sortDirection(index: Index, { ranges, equalities }: Bounds, sort: Document): 1 | -1 | 0 {
  if (index.multikey || index.shortened || ranges.length > 1) return 0;
  const constant = new Set(index.fields.slice(0, equalities).map(({ path }) => path));
  const wanted = Object.entries(sort).filter(([path]) => !constant.has(path));
  const offered = index.fields.slice(equalities);
  if (wanted.length > offered.length) return 0;
  let direction: 1 | -1 | 0 = wanted.length === 0 ? 1 : 0;
  for (const [at, [path, order]] of wanted.entries()) {
    const field = offered[at];
    const sign = Number(order);
    if (field?.path !== path || Number.isNaN(sign)) return 0;
    const same = sign < 0 === field.descending ? 1 : -1;
    if (direction !== 0 && direction !== same) return 0;
    direction = same;
  }
  return direction;
}

// an index that leaves documents out serves only filters that leave out at least these
function mayServe(index: Index, demands: Demands): boolean {
  if (index.spec.sparse && !index.fields.some(({ path }) => excludesMissing(demands, path))) return false;
  const partial = index.spec.partialFilterExpression;
  return !partial || Object.entries(partial).every(([path, condition]) => implies(demands, path, condition));
}

function excludesMissing(demands: Demands, path: string): boolean {
  const demand = demands.fields.get(path);
  if (!demand) return false;
  return demand.points
    ? demand.points.every((point) => point !== null && point !== undefined)
    : demand.ranges.length > 0;
}

function implies(demands: Demands, path: string, condition: unknown): boolean {
  const demand = demands.fields.get(path);
  if (!demand) return false;
  return (operatorsOf(condition) ?? [['$eq', condition] as const]).every(([operator, operand]) => {
    if (demand.given.some(([name, given]) => name === operator && isSame(given, operand))) return true;
    if (operator === '$exists' && excludesMissing(demands, path)) return true;
    if (!demand.points || !excludesMissing(demands, path)) return false;
    const test = compileFilter({ value: { [operator]: operand } });
    return demand.points.every((value) => test({ value }));
  });
}

function isSame(a: unknown, b: unknown): boolean {
  return compileFilter({ value: { $eq: a } })({ value: b }) && !Array.isArray(a) && !Array.isArray(b);
}
