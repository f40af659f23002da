import { compileExpression, isTruthy } from '../aggregate/expression.js';
import { badValue, Document } from '../errors.js';
import { isDocument, promoteDocument } from '../bson/types.js';
import { compileField, Node, Recorder } from './operators.js';
import { splitPath } from './paths.js';

/** Whether a document, promoted or not, is one that a filter asks for. */
export type Predicate = (doc: Document) => boolean;

/** The answer of a filter; `arrayIndex` is the position that `$` stands for in an update, if an array took part in the match. */
export interface Match {
  matched: boolean;
  arrayIndex?: number;
}

/** Where a filter stands: how deep, whether at the top (`$expr` goes nowhere else), and the variables that `$expr` may use. */
interface Place {
  depth: number;
  inElement: boolean;
  variables: Document;
}

const MAX_DEPTH = 100;

/**
 * Compiles a filter; everything is read and checked before the first document. `variables` are those that `$expr` may use; it sees their values as they are when a document is tested.
 * @throws EngineError for what is malformed (2, 9) or not supported (2, 238).
 */
export function compileFilter(filter: Document, variables: Document = {}): Predicate {
  const node = compileNode(filter, { depth: 0, inElement: false, variables });
  return (doc) => node(doc);
}

/** {@link compileFilter}, answering also which array element matched. */
export function compilePositionalFilter(filter: Document): (doc: Document) => Match {
  const node = compileNode(filter, { depth: 0, inElement: false, variables: {} });
  return (doc) => {
    const recorder: Recorder = {};
    return node(doc, recorder) ? { matched: true, ...recorder } : { matched: false };
  };
}

/** Whether a filter tells an int from a double (`$type`), so that it must see documents unpromoted. */
export function asksForTypes(filter: unknown): boolean {
  if (Array.isArray(filter)) return filter.some(asksForTypes);
  return isDocument(filter) && Object.entries(filter).some(([key, value]) => key === '$type' || asksForTypes(value));
}

function compileNode(filter: unknown, place: Place): Node {
  if (!isDocument(filter)) throw badValue('a filter has to be a document');
  if (place.depth > MAX_DEPTH) throw badValue(`the filter exceeds the maximum depth of ${MAX_DEPTH}`);
  const inner = { ...place, depth: place.depth + 1 };
  const nodes = Object.keys(filter).map((key) =>
    key.startsWith('$') ? logical(key, filter[key], inner) : fieldNode(key, filter[key], inner),
  );
  return every(nodes);
}

function fieldNode(path: string, operand: unknown, place: Place): Node {
  const nested = (filter: Document): Node => compileNode(filter, { ...place, inElement: true });
  return compileField(operand, { path: splitPath(path), nested }).path;
}

function logical(name: string, operand: unknown, place: Place): Node {
  switch (name) {
    case '$and':
      return every(branches(name, operand, place));
    case '$or':
      return some(branches(name, operand, place));
    case '$nor': {
      const any = some(branches(name, operand, place));
      return (doc) => !any(doc);
    }
    case '$expr':
      return expression(operand, place);
    default:
      throw badValue(`unknown top level operator: ${name}`);
  }
}

function branches(name: string, operand: unknown, place: Place): Node[] {
  if (!Array.isArray(operand) || operand.length === 0) throw badValue(`${name} must be a nonempty array`);
  return operand.map((filter: unknown) => {
    if (!isDocument(filter)) throw badValue('$or/$and/$nor entries need to be full objects');
    return compileNode(filter, place);
  });
}

function every(nodes: Node[]): Node {
  const [only] = nodes;
  if (only !== undefined && nodes.length === 1) return only;
  return (doc, recorder) => nodes.every((node) => node(doc, recorder));
}

/** The first branch that holds; a branch that fails may have noted a position for its first half, so each gets a recorder of its own. */
function some(nodes: Node[]): Node {
  return (doc, recorder) =>
    nodes.some((node) => {
      const own: Recorder | undefined = recorder && {};
      return node(doc, own) && (Object.assign(recorder ?? {}, own), true);
    });
}

function expression(operand: unknown, { variables, inElement }: Place): Node {
  if (inElement) throw badValue('$expr can only be applied to the top-level document');
  const evaluate = compileExpression(operand, variables);
  return (doc) => isTruthy(evaluate(promoteDocument(doc)));
}
