import { Document, EngineError } from '../errors.js';
import { valueKey } from '../bson/compare.js';
import { isDocument, own, put } from '../bson/types.js';
import { compileExpression, Evaluate } from './expression.js';
import { average, extreme, mergeObjects, sum } from './operators.js';
import { Stage, StageScope } from './stage.js';

/** How the values of a group's documents become one; `seen` is what a group remembers of them. */
interface Accumulator {
  add: (seen: unknown[], value: unknown) => void;
  result: (seen: unknown[]) => unknown;
}

const gather = (seen: unknown[], value: unknown): void => {
  if (value !== undefined) seen.push(value);
};

const ACCUMULATORS = new Map<string, Accumulator>([
  ['$sum', { add: (seen, value) => (seen[0] = sum([seen[0], value])), result: ([total]) => total ?? 0 }],
  ['$count', { add: (seen) => (seen[0] = sum([seen[0], 1])), result: ([total]) => total ?? 0 }],
  ['$avg', { add: gather, result: average }],
  ['$min', { add: (seen, value) => (seen[0] = extreme([seen[0], value], -1)), result: ([best]) => best ?? null }],
  ['$max', { add: (seen, value) => (seen[0] = extreme([seen[0], value], 1)), result: ([best]) => best ?? null }],
  [
    '$first',
    { add: (seen, value) => (seen[0] = seen.length === 0 ? value : seen[0]), result: ([first]) => first ?? null },
  ],
  ['$last', { add: (seen, value) => (seen[0] = value), result: ([last]) => last ?? null }],
  ['$push', { add: gather, result: (seen) => seen }],
  [
    '$addToSet',
    { add: gather, result: (seen) => [...new Map(seen.map((value) => [valueKey(value), value])).values()] },
  ],
  ['$mergeObjects', { add: gather, result: mergeObjects }],
]);

interface Field {
  name: string;
  evaluate: Evaluate;
  accumulator: Accumulator;
}

/** `$group`: one document for each value of the expression `_id`, in the order of their first documents. */
export function group(spec: unknown, { variables }: StageScope): Stage {
  if (!isDocument(spec)) throw new EngineError(15947, "a group's fields must be specified in an object");
  if (!Object.hasOwn(spec, '_id')) throw new EngineError(15955, 'a group specification must include an _id');
  const idOf = compileExpression(spec['_id'], variables);
  const fields = Object.keys(spec)
    .filter((name) => name !== '_id')
    .map((name) => fieldOf(name, spec[name], variables));
  return (input) => {
    const groups = new Map<string, { id: unknown; seen: unknown[][] }>();
    for (const doc of input) {
      const id = idOf(doc) ?? null;
      const key = valueKey(id);
      let found = groups.get(key);
      if (found === undefined) groups.set(key, (found = { id, seen: fields.map(() => []) }));
      for (const [i, seen] of found.seen.entries()) fields[i]?.accumulator.add(seen, fields[i].evaluate(doc));
    }
    return Array.from(groups.values(), ({ id, seen }) => {
      const row: Document = { _id: id };
      for (const [i, { name, accumulator }] of fields.entries()) put(row, name, accumulator.result(seen[i] ?? []));
      return row;
    });
  };
}

/** `$sortByCount`: how often each value of an expression occurs, most frequent first. */
export function sortedCounts(spec: unknown, scope: StageScope): Stage {
  const counts = group({ _id: spec, count: { $sum: 1 } }, scope);
  return (input, source) => [...counts(input, source)].sort((a, b) => Number(b['count']) - Number(a['count']));
}

function fieldOf(name: string, spec: unknown, variables: Document): Field {
  if (name.includes('.')) throw new EngineError(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith('$')) throw new EngineError(40236, `The field name '${name}' cannot be an operator name`);
  const [operator, ...others] = isDocument(spec) ? Object.keys(spec) : [];
  if (!isDocument(spec) || operator === undefined)
    throw new EngineError(40234, `The field '${name}' must be an accumulator object`);
  if (others.length > 0) throw new EngineError(40238, `The field '${name}' must specify one accumulator`);
  const accumulator = ACCUMULATORS.get(operator);
  if (accumulator !== undefined)
    return { name, accumulator, evaluate: compileExpression(own(spec, operator), variables) };
  throw new EngineError(15952, `unknown group operator '${operator}'`);
}
