import { badValue, Document, EngineError, failedToParse } from '../errors.js';
import { isDocument } from '../bson/types.js';
import { compileFilter } from '../query/match.js';

/** Which elements `$[identifier]` stands for, by identifier. */
export type ElementFilters = Map<string, (element: unknown) => boolean>;

/** Compiles the array filters of an update. @throws EngineError 9 or 2 for what is malformed, or names two identifiers or one twice. */
export function compileArrayFilters(filters: Document[]): ElementFilters {
  const compiled: ElementFilters = new Map();
  for (const filter of filters) {
    const [identifier, ...others] = new Set(identifiersOf(filter));
    if (identifier === undefined)
      throw failedToParse('Cannot use an expression without a top-level field name in arrayFilters');
    const [other] = others;
    if (other !== undefined) {
      throw failedToParse(
        `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${identifier}' and '${other}'`,
      );
    }
    if (!/^[a-z][a-zA-Z0-9]*$/.test(identifier)) {
      throw badValue(
        `The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${identifier}'`,
      );
    }
    if (compiled.has(identifier))
      throw failedToParse(`Found multiple array filters with the same top-level field name ${identifier}`);
    const matches = compileFilter(filter);
    compiled.set(identifier, (element) => matches({ [identifier]: element }));
  }
  return compiled;
}

/** Checks that each of `used` has a filter and each filter is used. @throws EngineError 2 or 9. */
export function checkIdentifiers(filters: ElementFilters, used: Map<string, string>): void {
  for (const [identifier, path] of used) {
    if (!filters.has(identifier))
      throw badValue(`No array filter found for identifier '${identifier}' in path '${path}'`);
  }
  for (const identifier of filters.keys()) {
    if (!used.has(identifier))
      throw failedToParse(`The array filter for identifier '${identifier}' was not used in the update`);
  }
}

function identifiersOf(filter: unknown, depth = 0): string[] {
  if (!isDocument(filter)) throw new EngineError(14, 'an array filter has to be a document');
  if (depth > 100) throw badValue('the array filter is nested too deeply');
  return Object.entries(filter).flatMap(([key, value]) => {
    if (!key.startsWith('$')) return [key.split('.')[0] ?? key];
    return Array.isArray(value) ? value.flatMap((branch) => identifiersOf(branch, depth + 1)) : [];
  });
}
