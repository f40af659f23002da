import { badValue, Document, EngineError, failedToParse } from '../errors.js';
import { valueKey } from '../bson/compare.js';
import { isDocument, own } from '../bson/types.js';
import { checkFieldPath, splitPath, visitPath, withPath } from '../query/paths.js';
import { compileExpression } from './expression.js';
import { PipelineSource, Stage, StageScope, SubPipeline } from './stage.js';

const OPTIONS = ['from', 'as', 'localField', 'foreignField', 'let', 'pipeline'];

/** The variables that `let` gives to the pipeline within. */
interface Correlation {
  pipeline: SubPipeline;
  /** Sets the variables for a document. */
  bind: (doc: Document) => void;
}

/**
 * `$lookup`: the documents of another collection whose `foreignField` equals `localField` (one indexed read for each distinct value), or that a pipeline makes, or both.
 */
export function lookup(spec: unknown, scope: StageScope): Stage {
  if (!isDocument(spec)) throw failedToParse('the $lookup specification must be an Object');
  const odd = Object.keys(spec).find((option) => !OPTIONS.includes(option));
  if (odd !== undefined) throw failedToParse(`unknown argument to $lookup: ${odd}`);
  const [from, as] = [text(spec, 'from'), splitPath(text(spec, 'as'))];
  checkFieldPath(as);
  const read = reader(spec, from);
  const correlation = Object.hasOwn(spec, 'pipeline') ? correlate(spec, scope) : undefined;
  return function* (input, source) {
    const cache = new Map<string, Document[]>();
    for (const doc of input) {
      const found = read(doc, source, cache, correlation?.pipeline.filter ?? {});
      correlation?.bind(doc);
      yield withPath(doc, as, correlation === undefined ? found : [...correlation.pipeline.rest(found, source)]);
    }
  };
}

/** Reads the foreign documents of a local one, those that match `filter` and equal it in the joined field if there is one, once for each value. */
function reader(
  spec: Document,
  from: string,
): (doc: Document, source: PipelineSource, cache: Map<string, Document[]>, filter: Document) => Document[] {
  const joined = Object.hasOwn(spec, 'localField') || Object.hasOwn(spec, 'foreignField');
  if (!joined && !Object.hasOwn(spec, 'pipeline'))
    throw failedToParse('$lookup requires either localField and foreignField, or pipeline');
  const local = joined ? splitPath(text(spec, 'localField')) : [];
  const foreign = joined ? text(spec, 'foreignField') : '';
  checkFieldPath(joined ? local : ['_id']);
  return (doc, source, cache, filter) => {
    const values = joined ? localValues(doc, local) : [];
    const key = valueKey(values);
    const equal = joined ? { [foreign]: values.length === 1 ? { $eq: values[0] } : { $in: values } } : {};
    let found = cache.get(key);
    if (found === undefined) {
      const parts = [equal, filter].filter((part) => Object.keys(part).length > 0);
      found = source.find(from, parts.length > 1 ? { $and: parts } : (parts[0] ?? {}));
      cache.set(key, found);
    }
    return found;
  };
}

/** What a document joins by: the elements of an array rather than the array, null for missing. */
function localValues(doc: Document, path: string[]): unknown[] {
  const values: unknown[] = [];
  visitPath(doc, path, true, (value) => {
    values.push(value ?? null);
    return false;
  });
  const scalars = values.filter((value) => !Array.isArray(value));
  const distinct = [...new Map(scalars.map((value) => [valueKey(value), value])).values()];
  return values.length === 0 ? [null] : distinct;
}

function correlate(spec: Document, { variables, pipeline }: StageScope): Correlation {
  const lets = own(spec, 'let') ?? {};
  if (!isDocument(lets)) throw failedToParse('$lookup argument let must be an object');
  const inner: Document = { ...variables };
  const bound = Object.entries(lets).map(([name, expression]) => {
    checkVariable(name);
    inner[name] = null;
    return { name, evaluate: compileExpression(expression, variables) };
  });
  return {
    pipeline: pipeline(spec['pipeline'], inner, '$lookup'),
    bind: (doc) => {
      Object.assign(inner, variables);
      for (const { name, evaluate } of bound) inner[name] = evaluate(doc);
    },
  };
}

/** Checks the name of a variable. @throws EngineError (16867, 16868). */
export function checkVariable(name: string): void {
  if (!/^[a-z]\w*$/.test(name)) throw new EngineError(16867, `'${name}' is not a valid name of a user variable`);
}

function text(spec: Document, option: string): string {
  const value = own(spec, option);
  if (typeof value !== 'string') throw failedToParse(`$lookup argument '${option}' must be a string`);
  if (value === '') throw badValue(`$lookup argument '${option}' must not be empty`);
  return value;
}
