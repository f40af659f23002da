import { isDocument } from '../bson/types.js';
import { CODES, EngineError, unsupported, type Document } from '../errors.js';
import { compileFilter, type Predicate } from '../query/match.js';

/** What an index is made from, as `createIndexes` names it. */
export interface IndexSpec {
  name: string;
  key: Document;
  unique?: boolean;
  sparse?: boolean;
  partialFilterExpression?: Document;
  expireAfterSeconds?: number;
}

/** One field of an index. */
export interface IndexField {
  path: string;
  parts: string[];
  descending: boolean;
}

const OPTIONS = ['unique', 'sparse', 'partialFilterExpression', 'expireAfterSeconds'] as const;
const IGNORED = new Set(['v', 'ns', 'background', 'key', 'name', ...OPTIONS]);
const PARTIAL_OPERATORS = new Set(['$eq', '$gt', '$gte', '$lt', '$lte', '$in', '$exists', '$type']);

/** An index of a collection. */
export class Index {
  readonly fields: IndexField[];
  /** Whether a document belongs into a partial index. */
  readonly covers: Predicate | undefined;
  /** Whether some document has an array in an indexed field: then it has several entries. Never falls back to false. */
  multikey = false;
  /** Whether some key was too long to be stored whole: then the order of the entries is not that of the values. */
  shortened = false;
  /** Set when the index is gone: who still reads it must stop. */
  dropped = false;

  /** `createdAt` is the number of the commit that made it: older snapshots hold no entries of it. */
  constructor(
    readonly id: number,
    readonly spec: IndexSpec,
    readonly createdAt: number,
  ) {
    this.fields = Object.entries(spec.key).map(([path, direction]) => ({
      path,
      parts: path.split('.'),
      descending: Number(direction) < 0,
    }));
    this.covers = spec.partialFilterExpression && compileFilter(spec.partialFilterExpression);
  }

  get unique(): boolean {
    return this.spec.unique === true;
  }

  /** The index as `listIndexes` shows it. */
  describe(): Document {
    const { name, key, ...options } = this.spec;
    if (name === '_id_') return { v: 2, key, name };
    return { v: 2, key, name, ...options };
  }

  /** What makes two indexes the same one, apart from the name and from how long documents live. */
  get identity(): string {
    const { unique, sparse, partialFilterExpression } = this.spec;
    return JSON.stringify([this.pattern, unique === true, sparse === true, partialFilterExpression ?? null]);
  }

  /** The key with its directions, comparable. */
  get pattern(): string {
    return patternOf(this.spec.key);
  }
}

function patternOf(key: object): string {
  return JSON.stringify(Object.entries(key).map(([path, direction]) => [path, Number(direction) < 0]));
}

/** The index that a name or a key stands for. */
export function findIndex(indexes: Index[], wanted: unknown): Index | undefined {
  const pattern = isDocument(wanted) ? patternOf(wanted) : undefined;
  return indexes.find((index) => index.spec.name === wanted || index.pattern === pattern);
}

/** Reads one index of a `createIndexes` command. @throws EngineError 67 for what is no index, 238 for kinds of index that there are not. */
export function parseIndexSpec(raw: Document): IndexSpec {
  const key = checkKey(raw.key);
  if (typeof raw.name !== 'string' || raw.name === '') throw invalid("an index needs a 'name'");
  for (const option of Object.keys(raw)) {
    if (!IGNORED.has(option)) throw unsupported(`the index option '${option}'`);
  }
  const spec: IndexSpec = { name: raw.name, key };
  if (isTrue(raw.unique)) spec.unique = true;
  if (isTrue(raw.sparse)) spec.sparse = true;
  if (raw.partialFilterExpression !== undefined)
    spec.partialFilterExpression = checkPartial(raw.partialFilterExpression);
  if (raw.expireAfterSeconds !== undefined) spec.expireAfterSeconds = checkLifetime(raw.expireAfterSeconds, key);
  if (spec.sparse && spec.partialFilterExpression) {
    throw invalid("an index has either 'sparse' or 'partialFilterExpression'");
  }
  return spec;
}

function checkKey(key: unknown): Document {
  if (typeof key !== 'object' || key === null || Object.keys(key).length === 0) {
    throw invalid("an index needs a 'key' with at least one field");
  }
  const checked: [string, number][] = [];
  for (const [path, direction] of Object.entries(key)) {
    if (typeof direction === 'string') throw unsupported(`'${direction}' indexes`);
    const sign = Number(direction);
    if (!Number.isFinite(sign) || sign === 0)
      throw invalid(`values of an index key must be 1 or -1, not ${String(direction)}`);
    if (path.split('.').some((part) => part === '' || part.startsWith('$'))) {
      throw invalid(`'${path}' cannot be the field of an index`);
    }
    checked.push([path, sign]);
  }
  return Object.fromEntries(checked);
}

function checkPartial(filter: unknown): Document {
  if (typeof filter !== 'object' || filter === null) throw invalid('partialFilterExpression must be a document');
  for (const [path, condition] of Object.entries(filter as Document)) {
    if (path.startsWith('$')) throw invalid(`unsupported expression in partial index: ${path}`);
    if (!isDocument(condition)) continue;
    for (const [operator, operand] of Object.entries(condition)) {
      const refused = operator.startsWith('$') && !PARTIAL_OPERATORS.has(operator);
      if (refused || (operator === '$exists' && !isTrue(operand))) {
        throw invalid(`unsupported expression in partial index: ${operator}`);
      }
    }
  }
  return filter as Document;
}

function checkLifetime(value: unknown, key: Document): number {
  const seconds = Number(value);
  if (!Number.isFinite(seconds) || seconds < 0 || seconds > 0x7fff_ffff) {
    throw invalid('expireAfterSeconds must be between 0 and 2147483647');
  }
  if (Object.keys(key).length !== 1 || '_id' in key) throw invalid('a TTL index has one field, which is not _id');
  return seconds;
}

function isTrue(value: unknown): boolean {
  return value === true || (value !== false && Number(value) > 0);
}

function invalid(message: string): EngineError {
  return new EngineError(CODES.CannotCreateIndex, message);
}
