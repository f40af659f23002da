import { Document, EngineError, typeMismatch } from '../errors.js';
import { isDocument, own, plainNumber, put } from '../bson/types.js';
import { isOperators } from '../query/values.js';
import { compileExpression } from './expression.js';
import { checkVariable } from './lookup.js';
import { PipelineSource, Stage, StageScope, SubPipeline } from './stage.js';
import { compileStage } from './stages.js';

export type { PipelineSource } from './stage.js';

/** What the first stages of a pipeline ask of the collection: the documents that match, in that order, without the first `skip`, `limit` at most. */
export interface Leading {
  filter?: Document;
  sort?: Document;
  skip?: number;
  limit?: number;
}

/** A checked pipeline. */
export interface ParsedPipeline {
  /** What can be asked of an index. */
  leading: Leading;
  /** Whether all that follows `leading` is to count; then {@link countResult} is the answer and no document need be read. */
  countOnly: boolean;
  /** The answer of a pipeline that only counts, for the number of documents. */
  countResult(count: number): Document[];
  /** Runs the stages that follow `leading` over the (promoted) documents that it asks for. @throws EngineError when an expression fails. */
  run(input: Iterable<Document>, source: PipelineSource): Document[];
}

interface Step {
  name: string;
  spec: unknown;
  stage: Stage;
}

const MAX_DEPTH = 20;
const MAX_STAGES = 1000;

/** Reads and checks a pipeline; `lets` are its variables, as constant expressions. @throws EngineError for what is malformed, unknown (40324, 168, 17276) or not supported (238). */
export function parsePipeline(pipeline: unknown, lets: Document = {}): ParsedPipeline {
  const variables: Document = {};
  for (const [name, expression] of Object.entries(lets)) {
    checkVariable(name);
    variables[name] = compileExpression(expression)({});
  }
  const steps = parseSteps(pipeline, variables, 0);
  const { leading, taken } = lead(steps, variables);
  const rest = steps.slice(taken);
  const counted = countField(rest);
  return {
    leading,
    countOnly: counted !== undefined,
    countResult: (count) => (count === 0 || counted === undefined ? [] : [counted(count)]),
    run: (input, source) => [...chain(rest)(input, source)],
  };
}

function parseSteps(pipeline: unknown, variables: Document, depth: number): Step[] {
  if (!Array.isArray(pipeline)) throw typeMismatch("'pipeline' option must be specified as an array");
  if (depth > MAX_DEPTH || pipeline.length > MAX_STAGES)
    throw new EngineError(7749501, 'the pipeline has too many stages, or is nested too deeply');
  const scope: StageScope = {
    variables,
    pipeline: (stages, inner, within) => subPipeline(stages, inner, within, depth + 1),
  };
  return pipeline.map((step: unknown) => {
    if (!isDocument(step)) throw typeMismatch("Each element of the 'pipeline' array must be an object");
    const [name, ...others] = Object.keys(step);
    if (name === undefined || others.length > 0) {
      throw new EngineError(40323, 'A pipeline stage specification object must contain exactly one field.');
    }
    return { name, spec: step[name], stage: compileStage(name, step[name], scope) };
  });
}

function subPipeline(stages: unknown, variables: Document, within: string, depth: number): SubPipeline {
  const steps = parseSteps(stages, variables, depth);
  if (within === '$facet' && steps.some(({ name }) => name === '$facet')) {
    throw new EngineError(40600, '$facet is not allowed to be used within a $facet stage');
  }
  const matches = steps.findIndex((step) => !isPlainMatch(step, variables));
  const taken = matches === -1 ? steps.length : matches;
  const filters = steps.slice(0, taken).map(({ spec }) => spec);
  return { filter: filters.length === 0 ? {} : { $and: filters }, rest: chain(steps.slice(taken)) };
}

function chain(steps: Step[]): Stage {
  return (input, source) => steps.reduce((docs, { stage }) => stage(docs, source), input);
}

/** The stages that an index can serve, in this order: `$match` as often as it comes, then one `$sort`, then one `$skip`, then `$limit`. */
function lead(steps: Step[], variables: Document): { leading: Leading; taken: number } {
  const leading: Leading = {};
  let taken = 0;
  for (const step of steps) {
    if (!take(step, leading, variables)) break;
    taken += 1;
  }
  return { leading, taken };
}

function take(step: Step, leading: Leading, variables: Document): boolean {
  const { name, spec } = step;
  const number = plainNumber(spec) ?? 0;
  const cut = leading.skip !== undefined || leading.limit !== undefined;
  if (isDocument(spec) && !cut && isPlainMatch(step, variables)) {
    leading.filter = leading.filter === undefined ? spec : { $and: [leading.filter, spec] };
  } else if (isDocument(spec) && name === '$sort' && !cut && leading.sort === undefined) leading.sort = spec;
  else if (name === '$skip' && !cut) leading.skip = number;
  else if (name === '$limit') leading.limit = Math.min(number, leading.limit ?? number);
  else return false;
  return true;
}

/** Whether a step is a `$match` that can be tested without the pipeline's variables. */
function isPlainMatch({ name, spec }: Step, variables: Document): boolean {
  return name === '$match' && (Object.keys(variables).length === 0 || !usesExpressions(spec));
}

function usesExpressions(filter: unknown): boolean {
  if (Array.isArray(filter)) return filter.some(usesExpressions);
  return isDocument(filter) && Object.entries(filter).some(([key, value]) => key === '$expr' || usesExpressions(value));
}

/** How a count is shown, if counting is all that is left: `$count`, or the `$group` that drivers send for it. */
function countField([step, ...others]: Step[]): ((count: number) => Document) | undefined {
  if (step === undefined || others.length > 0) return undefined;
  const { name, spec } = step;
  if (name === '$count' && typeof spec === 'string') return (count) => ({ [spec]: count });
  if (name !== '$group' || !isDocument(spec)) return undefined;
  const [field, ...more] = Object.keys(spec).filter((key) => key !== '_id');
  const id = own(spec, '_id');
  const total = field === undefined || more.length > 0 ? undefined : spec[field];
  const constant = id === null || plainNumber(id) !== undefined;
  const ones = isOperators(total) && plainNumber(own(total, '$sum')) === 1;
  if (field === undefined || !constant || !ones) return undefined;
  return (count) => {
    const row: Document = { _id: id };
    put(row, field, count);
    return row;
  };
}
