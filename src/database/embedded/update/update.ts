import { CODES, Document, EngineError, failedToParse, unsupported } from '../errors.js';
import { equalValues, identicalValues, typeName } from '../bson/compare.js';
import { isDocument, own } from '../bson/types.js';
import { idFirst } from '../query/projection.js';
import { checkValue, isOperators } from '../query/values.js';
import { checkIdentifiers, compileArrayFilters, ElementFilters } from './filters.js';
import { Entry, parseModifiers } from './modifiers.js';
import { identifierOf } from './paths.js';
import { applyToDocument, buildTree } from './tree.js';

export { upsertSeed } from './upsert.js';

/** The circumstances of one document's update. */
export interface UpdateContext {
  /** What `$` stands for: the array position that the filter matched. */
  arrayIndex?: number;
  /** The document is new: the seed of an upsert. */
  isInsert?: boolean;
  /** The time that `$currentDate` sets. */
  now: Date;
}

/** A compiled update. */
export interface Update {
  /**
   * The document after the update, `_id` first; `doc`, whose numbers are unpromoted, is left as it is, and is what comes back if nothing changes.
   * @throws EngineError 2, 14, 28, 40, 53 or 66 when the update does not fit the document.
   */
  apply(doc: Document, context: UpdateContext): { doc: Document; changed: boolean };
}

/**
 * Compiles a replacement or a document of update operators; everything is read and checked before the first document.
 * @throws EngineError for what is malformed or unknown (2, 9, 14, 40, 52, 56) or not supported (238).
 */
export function compileUpdate(update: unknown, { arrayFilters = [] }: { arrayFilters?: Document[] } = {}): Update {
  if (Array.isArray(update)) throw unsupported('pipeline-style updates');
  if (!isDocument(update))
    throw failedToParse(`Update argument must be either an object or an array, not ${typeName(update)}`);
  const filters = compileArrayFilters(arrayFilters);
  return isOperators(update) ? operatorUpdate(update, filters) : replacement(update, filters);
}

function operatorUpdate(update: Document, filters: ElementFilters): Update {
  const entries: Entry[] = [];
  const lasting: Entry[] = [];
  for (const name of Object.keys(update)) {
    const parsed = parseModifiers(name, update[name]);
    entries.push(...parsed);
    if (name !== '$setOnInsert') lasting.push(...parsed);
  }
  checkIdentifiers(filters, identifiersOf(entries));
  const [onInsert, onUpdate] = [buildTree(entries), buildTree(lasting)];
  return {
    apply: (doc, { arrayIndex, isInsert = false, now }) => {
      const result = applyToDocument(isInsert ? onInsert : onUpdate, doc, { root: doc, arrayIndex, filters, now });
      if (result === doc) return { doc, changed: false };
      checkId(doc, result);
      return { doc: idFirst(result), changed: true };
    },
  };
}

function replacement(update: Document, filters: ElementFilters): Update {
  const odd = Object.keys(update).find((key) => key.startsWith('$'));
  if (odd !== undefined) {
    const message = `The dollar ($) prefixed field '${odd}' in '${odd}' is not allowed in the context of an update's replacement document.`;
    throw new EngineError(CODES.DollarPrefixedFieldName, message);
  }
  checkValue(update, 'updates');
  checkIdentifiers(filters, new Map());
  return {
    apply: (doc) => {
      const result =
        Object.hasOwn(update, '_id') || !Object.hasOwn(doc, '_id')
          ? idFirst({ ...update })
          : { _id: doc['_id'], ...update };
      checkId(doc, result);
      return identicalValues(doc, result) ? { doc, changed: false } : { doc: result, changed: true };
    },
  };
}

function identifiersOf(entries: Entry[]): Map<string, string> {
  const used = new Map<string, string>();
  for (const [path] of entries) {
    for (const component of path) {
      const identifier = identifierOf(component);
      if (identifier !== undefined && identifier !== '') used.set(identifier, path.join('.'));
    }
  }
  return used;
}

function checkId(before: Document, after: Document): void {
  const [old, id] = [own(before, '_id'), own(after, '_id')];
  if (old !== undefined) {
    if (id !== undefined && equalValues(old, id)) return;
    throw new EngineError(
      CODES.ImmutableField,
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
  }
  if (Array.isArray(id)) throw new EngineError(CODES.InvalidIdField, "The '_id' value cannot be of type array");
  if (isDocument(id) && Object.keys(id).some((key) => key.startsWith('$'))) {
    throw new EngineError(
      CODES.DollarPrefixedFieldName,
      "The dollar ($) prefixed field in '_id' is not valid for storage.",
    );
  }
}
