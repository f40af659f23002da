import { isId } from '../../common/ids.js';

/** What a resolution is about. */
export const RESOLUTION_ITEMS = ['page', 'file', 'reusableContent'] as const;
/** Which side it takes. */
export const RESOLUTION_USES = ['change-request', 'primary'] as const;
/** Resolutions of one request, at the most. */
export const MAX_RESOLUTIONS = 10_000;

/** What is wrong with `value` as a list of resolutions (decision 4.5), as a sentence; `undefined`: nothing. */
export function mistakeInResolutions(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length > MAX_RESOLUTIONS) {
    return `resolutions must be a list of at most ${String(MAX_RESOLUTIONS)} entries`;
  }
  const seen = new Set<string>();
  for (const [index, entry] of value.entries()) {
    const place = `resolutions.${String(index)}`;
    const mistake = mistakeIn(entry);
    if (mistake !== undefined) return place + mistake;
    const [item, id] = itemOf(entry as Record<string, unknown>) ?? [];
    const key = `${String(item)} ${String(id)}`;
    if (seen.has(key)) return `${place} names the ${key} a second time`;
    seen.add(key);
  }
  return undefined;
}

/** What is wrong with one entry, as a sentence that goes on after its place. */
function mistakeIn(value: unknown): string | undefined {
  if (!isObject(value)) return ' must be an object';
  const item = itemOf(value);
  if (!item) return ` must name one of: ${RESOLUTION_ITEMS.join(', ')}`;
  const [name, id] = item;
  if (!isId(id)) return `.${name} must be an id`;
  const unknown = Object.keys(value).find((key) => key !== name && key !== 'use' && key !== 'document');
  if (unknown !== undefined) return ` must have no ${quoted(unknown)} beside ${name}`;
  const { use, document } = value;
  if ((use === undefined) === (document === undefined)) return ' takes either use or document';
  if (use !== undefined) {
    return RESOLUTION_USES.some((one) => one === use)
      ? undefined
      : `.use must be one of: ${RESOLUTION_USES.join(', ')}`;
  }
  if (name === 'file') return '.document: a file has no text, settle it with use';
  return mistakeInText(document);
}

function mistakeInText(value: unknown): string | undefined {
  if (!isObject(value)) return '.document must be an object';
  const unknown = Object.keys(value).find((key) => key !== 'markdown');
  if (unknown !== undefined) return `.document must have no ${quoted(unknown)}`;
  return typeof value.markdown === 'string' ? undefined : '.document.markdown must be a string';
}

function itemOf(entry: Record<string, unknown>): [(typeof RESOLUTION_ITEMS)[number], unknown] | undefined {
  const name = RESOLUTION_ITEMS.find((one) => Object.hasOwn(entry, one));
  return name && [name, entry[name]];
}

const quoted = (key: string): string => JSON.stringify(key.slice(0, 50));

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
