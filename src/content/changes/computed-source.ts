import { isId } from '../../common/ids.js';
import { isSlug } from '../../common/slugs.js';
import { isStorable } from '../../common/validation.js';
import { ContentError, type JsonObject } from '../../revisions/index.js';

/** Characters of a source as JSON, at the most. */
const MAX_SIZE = 16 * 1024;
/** Levels of lists and objects in it. */
const MAX_DEPTH = 16;
const INTEGRATION = /^integration:[^:]+:[^:]+$/;
const MAX_TYPE = 200;

type Members = Readonly<Record<string, unknown>>;

/**
 * What a computed page is made from, as it is stored: the members that its type has, and no others (decision 3.69).
 * A dependency is kept as the reference alone; what it stands for is found when the page is computed.
 *
 * @throws ContentError naming the member that is wrong.
 */
export function checkComputed(given: object): JsonObject {
  checkSize(given);
  const { type, props, dependencies } = given as Members;
  if (typeof type !== 'string' || type.length > MAX_TYPE) throw wrong('type must be a string');
  switch (type) {
    case 'builtin:openapi':
      return { type, props: openapiProps(props), dependencies: only('spec', dependencies, 'openapi') };
    case 'builtin:translation':
      return { type, props: plain(props ?? {}), dependencies: only('translation', dependencies, 'translation') };
    default:
      if (!INTEGRATION.test(type)) {
        throw wrong('type must be builtin:openapi, builtin:translation or integration:<name>:<source>');
      }
      return { type, props: plain(props), ...(dependencies !== undefined && { dependencies: refsOf(dependencies) }) };
  }
}

/** `{models}` of a whole specification, or what one generated document shows. */
function openapiProps(props: unknown): JsonObject {
  const { models, doc, page } = membersOf(props, 'props');
  if (doc === undefined && typeof models === 'boolean') return { models };
  if (doc === 'models') return { doc };
  if ((doc === 'operations' || doc === 'info') && typeof page === 'string' && page !== '') return { doc, page };
  throw wrong(
    'props must be {"models": true or false}, {"doc": "models"} or {"doc": "operations" or "info", "page": …}',
  );
}

/** The one dependency that a built-in type has. */
function only(name: 'spec' | 'translation', dependencies: unknown, kind: RefKind): JsonObject {
  const found = membersOf(dependencies, 'dependencies');
  if (!Object.hasOwn(found, name)) throw wrong(`dependencies.${name} is required`);
  return { [name]: dependency(found[name], `dependencies.${name}`, [kind]) };
}

function refsOf(dependencies: unknown): JsonObject {
  const entries = Object.entries(membersOf(dependencies, 'dependencies'));
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      dependency(value, `dependencies.${name}`, ['space', 'openapi', 'translation']),
    ]),
  );
}

type RefKind = 'space' | 'openapi' | 'translation';

function dependency(value: unknown, path: string, kinds: readonly RefKind[]): JsonObject {
  const { kind, ...ref } = membersOf(membersOf(value, path).ref, `${path}.ref`);
  const found = kinds.find((one) => one === kind);
  if (found === undefined) throw wrong(`${path}.ref.kind must be one of: ${kinds.join(', ')}`);
  const field = found === 'openapi' ? 'spec' : found;
  const target = ref[field];
  const fits = typeof target === 'string' && (found === 'openapi' ? isSlug(target) : isId(target));
  if (!fits) throw wrong(`${path}.ref.${field} is missing or malformed`);
  return { ref: { kind: found, [field]: target } };
}

function membersOf(value: unknown, path: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(`${path} must be an object`);
  return value as Members;
}

function plain(props: unknown): JsonObject {
  return membersOf(props, 'props') as JsonObject;
}

/** @throws ContentError for what is too large or too deep to be kept with a page, or cannot be stored unchanged. */
function checkSize(given: object): void {
  let level: unknown[] = [given];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw wrong(`it is nested deeper than ${MAX_DEPTH} levels`);
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? (Object.values(one) as unknown[]) : []));
  }
  const text = JSON.stringify(given);
  if (text.length > MAX_SIZE) throw wrong(`it is larger than ${MAX_SIZE} characters`);
  // escapes such as \ud800 stand for characters that no database keeps
  if (/\\u(?:0000|d[89a-f])/i.test(text) || !isStorable(text)) throw wrong('it holds characters that cannot be stored');
}

function wrong(message: string): ContentError {
  return new ContentError('invalid', `computed: ${message}`, 'computed');
}
