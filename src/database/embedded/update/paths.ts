import { badValue, CODES, EngineError } from '../errors.js';
import { splitPath } from '../query/paths.js';

/** The components of an update's path, checked: names, `$`, `$[]` and `$[identifier]`. @throws EngineError 56, 52 or 2. */
export function parsePath(path: string): string[] {
  const components = splitPath(path);
  if (components.includes('')) {
    throw new EngineError(
      CODES.EmptyFieldName,
      `The update path '${path}' contains an empty field name, which is not allowed.`,
    );
  }
  const [first = ''] = components;
  if (isPositional(first))
    throw badValue(`Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
  if (components.filter((component) => component === '$').length > 1) {
    throw badValue(`Too many positional (i.e. '$') elements found in path '${path}'`);
  }
  const odd = components.find((component) => component.startsWith('$') && !isPositional(component));
  if (odd !== undefined) {
    throw new EngineError(
      CODES.DollarPrefixedFieldName,
      `The dollar ($) prefixed field '${odd}' in '${path}' is not allowed in the context of an update.`,
    );
  }
  return components;
}

/** Whether a component stands for array elements: `$`, `$[]`, `$[identifier]`. */
export function isPositional(component: string): boolean {
  return component === '$' || /^\$\[.*\]$/.test(component);
}

/** The identifier of `$[identifier]`, empty for `$[]`; undefined for any other component. */
export function identifierOf(component: string): string | undefined {
  return /^\$\[(.*)\]$/.exec(component)?.[1];
}

/** The order in which fields of one document are updated, which is the order in which new ones appear: numbers by value, before names. */
export function compareComponents(a: string, b: string): number {
  const numeric = /^\d+$/;
  if (numeric.test(a) && numeric.test(b)) return Number(a) - Number(b);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The failure of two updates of the same field, or of a field and one within it (40). */
export function conflict(path: string, at: string): EngineError {
  return new EngineError(
    CODES.ConflictingUpdateOperators,
    `Updating the path '${path}' would create a conflict at '${at}'`,
  );
}
