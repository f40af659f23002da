import { Document, EngineError } from '../errors.js';
import { typeName } from '../bson/compare.js';
import { isDocument, own, plainNumber } from '../bson/types.js';
import { compileFilter } from '../query/match.js';
import { checkFieldPath, plainValue, splitPath, withPath } from '../query/paths.js';
import { compileSort, sortDocuments } from '../query/sort.js';
import { compileExpression } from './expression.js';
import { group, sortedCounts } from './group.js';
import { lookup } from './lookup.js';
import { addition, project, removal } from './project.js';
import { CompileStage, mapping, Stage, StageScope } from './stage.js';

const STAGES = new Map<string, CompileStage>([
  ['$match', match],
  ['$sort', sort],
  ['$limit', limit],
  ['$skip', skip],
  ['$project', project],
  ['$addFields', addition],
  ['$set', addition],
  ['$unset', removal],
  ['$unwind', unwind],
  ['$group', group],
  ['$count', count],
  ['$lookup', lookup],
  ['$replaceRoot', replaceRoot],
  ['$facet', facet],
  ['$sortByCount', sortedCounts],
]);

/** Compiles one stage. @throws EngineError for one that is unknown or not supported (40324), and for a malformed one. */
export function compileStage(name: string, spec: unknown, scope: StageScope): Stage {
  const compile = STAGES.get(name);
  if (compile !== undefined) return compile(spec, scope);
  throw new EngineError(40324, `Unrecognized pipeline stage name: '${name}'`);
}

function match(spec: unknown, { variables }: StageScope): Stage {
  if (!isDocument(spec)) throw new EngineError(15959, 'the match filter must be an expression in an object');
  const matches = compileFilter(spec, variables);
  return function* (input) {
    for (const doc of input) if (matches(doc)) yield doc;
  };
}

function sort(spec: unknown): Stage {
  if (!isDocument(spec)) throw new EngineError(15973, 'the $sort key specification must be an object');
  if (Object.keys(spec).length === 0) throw new EngineError(15976, '$sort stage must have at least one sort key');
  compileSort(spec);
  return (input) => sortDocuments(input, spec);
}

function limit(spec: unknown): Stage {
  const most = wholeNumber(spec);
  if (most === undefined)
    throw new EngineError(5107201, 'invalid argument to $limit stage: Expected a non-negative number');
  if (most === 0) throw new EngineError(15958, 'the limit must be positive');
  return function* (input) {
    let left = most;
    for (const doc of input) {
      yield doc;
      if (--left === 0) return;
    }
  };
}

function skip(spec: unknown): Stage {
  const first = wholeNumber(spec);
  if (first === undefined)
    throw new EngineError(5107200, 'invalid argument to $skip stage: Expected a non-negative number');
  return function* (input) {
    let left = first;
    for (const doc of input) if (left-- <= 0) yield doc;
  };
}

function count(spec: unknown): Stage {
  if (typeof spec !== 'string' || spec === '')
    throw new EngineError(40156, 'the count field must be a non-empty string');
  if (spec.startsWith('$')) throw new EngineError(40158, 'the count field cannot be a $-prefixed path');
  if (spec.includes('.')) throw new EngineError(40160, "the count field cannot contain '.'");
  return (input) => {
    const total = [...input].length;
    return total === 0 ? [] : [{ [spec]: total }];
  };
}

function replaceRoot(spec: unknown, { variables }: StageScope): Stage {
  if (!isDocument(spec) || !Object.hasOwn(spec, 'newRoot'))
    throw new EngineError(40231, 'no newRoot specified for the $replaceRoot stage');
  const evaluate = compileExpression(spec['newRoot'], variables);
  return mapping((doc) => {
    const root = evaluate(doc);
    if (isDocument(root)) return root;
    throw new EngineError(
      40228,
      `'newRoot' expression must evaluate to an object, but resulting value was of type: ${typeName(root)}`,
    );
  });
}

function facet(spec: unknown, { variables, pipeline }: StageScope): Stage {
  if (!isDocument(spec) || Object.keys(spec).length === 0)
    throw new EngineError(40169, 'the $facet specification must be a non-empty object');
  const facets = Object.entries(spec).map(([name, stages]) => {
    checkFieldPath([name]);
    const { filter, rest } = pipeline(stages, variables, '$facet');
    return { name, rest, matches: compileFilter(filter, variables) };
  });
  return (input, source) => {
    const docs = [...input];
    return [
      Object.fromEntries(facets.map(({ name, rest, matches }) => [name, [...rest(docs.filter(matches), source)]])),
    ];
  };
}

function unwind(spec: unknown): Stage {
  const options = isDocument(spec) ? spec : { path: spec };
  const odd = Object.keys(options).find(
    (option) => !['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'].includes(option),
  );
  if (odd !== undefined) throw new EngineError(28811, `unrecognized option to $unwind stage: ${odd}`);
  const [from, index, preserve] = [
    own(options, 'path'),
    own(options, 'includeArrayIndex'),
    own(options, 'preserveNullAndEmptyArrays') ?? false,
  ];
  if (typeof from !== 'string' || !from.startsWith('$'))
    throw new EngineError(28818, "path option to $unwind stage should be prefixed with a '$'");
  if (typeof preserve !== 'boolean')
    throw new EngineError(28809, 'expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage');
  if (index !== undefined && (typeof index !== 'string' || index === '')) {
    throw new EngineError(28810, 'expected a non-empty string for the includeArrayIndex option to $unwind stage');
  }
  const path = splitPath(from.slice(1));
  checkFieldPath(path);
  const numbered = (doc: Document, i: number | null): Document =>
    index === undefined ? doc : withPath(doc, splitPath(index), i);
  return function* (input) {
    for (const doc of input) {
      const value = plainValue(doc, path);
      if (Array.isArray(value) && value.length > 0)
        for (const [i, element] of value.entries()) yield numbered(withPath(doc, path, element), i);
      else if (Array.isArray(value) ? preserve : preserve || (value !== null && value !== undefined)) {
        yield numbered(Array.isArray(value) ? withPath(doc, path, undefined) : doc, null);
      }
    }
  };
}

/** A number that is a whole one and not negative, else undefined. */
function wholeNumber(value: unknown): number | undefined {
  const number = plainNumber(value);
  return number !== undefined && Number.isInteger(number) && number >= 0 ? number : undefined;
}
