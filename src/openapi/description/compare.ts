import { type Direction, SchemaComparison } from './compare-schemas.js';
import { canonical, isObject, type Json, type JsonObject, own, textAt } from './json.js';
import { operationsOf, type PlacedOperation, schemaNameOf, schemasOf } from './parts.js';
import { type Content, type Shape, shapeOf, spellingOf } from './shapes.js';

/** A part of a description: an operation or webhook, or a schema. */
export interface Part {
  kind: 'operation' | 'webhook' | 'schema';
  /** Of operations and webhooks, in small letters. */
  method?: string;
  /** Of operations. */
  path?: string;
  operationId?: string;
  /** Of webhooks and schemas. */
  name?: string;
}

/** A part, and what of its change breaks clients. */
export interface BreakingPart extends Part {
  reason: string;
}

/** What is different between two descriptions; the parts in the order of the documents. */
export interface Comparison {
  added: Part[];
  removed: Part[];
  changed: Part[];
  breaking: BreakingPart[];
}

type Placed = Map<string, PlacedOperation>;

/**
 * What `after` has changed since `before`; without one, all of it is new. Breaking is what clients that keep to `before`
 * may fail on: a schema counts where operations of `before` send or answer it.
 */
export function compareDescriptions(before: JsonObject | null, after: JsonObject): Comparison {
  const earlier = before ?? {};
  const result: Comparison = { added: [], removed: [], changed: [], breaking: [] };
  compareOperations(earlier, after, result);
  compareSchemas(earlier, after, result);
  return result;
}

function compareOperations(before: JsonObject, after: JsonObject, result: Comparison): void {
  const [was, is] = [byPlace(before), byPlace(after)];
  const schemas = new SchemaComparison(before, after);
  for (const [key, placed] of is) {
    const earlier = was.get(key);
    if (!earlier) result.added.push(partOf(placed));
    else if (spellingOf(before, earlier) !== spellingOf(after, placed)) {
      result.changed.push(partOf(placed));
      const reasons = breakingOperation(shapeOf(before, earlier), shapeOf(after, placed), schemas, placed.isWebhook);
      for (const reason of reasons) result.breaking.push({ ...partOf(placed), reason });
    }
  }
  for (const [key, placed] of was) {
    if (is.has(key)) continue;
    result.removed.push(partOf(placed));
    result.breaking.push({ ...partOf(placed), reason: 'is gone' });
  }
}

/** Operations by what tells them apart: names of parameters within a path do not. */
function byPlace(document: JsonObject): Placed {
  const found: Placed = new Map();
  for (const placed of operationsOf(document)) {
    const alike = [placed.isWebhook, placed.method, placed.path.replace(/\{[^}]*\}/g, '{}')].join(' ');
    found.set(found.has(alike) ? [placed.isWebhook, placed.method, placed.path].join(' ') : alike, placed);
  }
  return found;
}

function partOf({ method, path, isWebhook, operation }: PlacedOperation): Part {
  const operationId = textAt(operation, 'operationId', 200);
  const place = isWebhook
    ? { kind: 'webhook' as const, method, name: path }
    : { kind: 'operation' as const, method, path };
  return { ...place, ...(operationId !== undefined && { operationId }) };
}

/** Of a webhook, clients receive what callers of an operation send. */
function* breakingOperation(
  before: Shape,
  after: Shape,
  schemas: SchemaComparison,
  isWebhook: boolean,
): Generator<string> {
  const sent: Direction = isWebhook ? 'received' : 'sent';
  const received: Direction = isWebhook ? 'sent' : 'received';
  for (const [key, parameter] of after.parameters) {
    const earlier = before.parameters.get(key);
    if (parameter.isRequired && !earlier?.isRequired) yield `${parameter.name}: must be given now`;
    if (earlier) {
      const pair = { before: earlier.schema, after: parameter.schema, direction: sent, at: parameter.name };
      yield* schemas.breaking(pair);
    }
  }
  if (after.body?.isRequired && !before.body?.isRequired) yield 'request body: must be given now';
  if (before.body && !after.body) yield 'request body: is not taken any more';
  yield* breakingContent(before.body?.content, after.body?.content, { schemas, direction: sent, at: 'request body' });
  for (const [status, content] of before.responses) {
    const later = after.responses.get(status);
    const at = `answer ${status}`;
    if (later) yield* breakingContent(content, later, { schemas, direction: received, at });
    else if (/^2/.test(status)) yield `${at}: is gone`;
  }
  const isShut = before.security.some(
    (way) => !after.security.some((wanted) => [...wanted].every((one) => way.has(one))),
  );
  if (isShut) yield 'security: a way to sign in is not taken any more';
}

function* breakingContent(
  before: Content | undefined,
  after: Content | undefined,
  { schemas, direction, at }: { schemas: SchemaComparison; direction: Direction; at: string },
): Generator<string> {
  if (!before || !after) return;
  for (const [type, schema] of before) {
    const where = `${at} (${type.slice(0, 100)})`;
    if (!after.has(type)) yield `${where}: is gone`;
    else yield* schemas.breaking({ before: schema, after: after.get(type), direction, at: where });
  }
}

function compareSchemas(before: JsonObject, after: JsonObject, result: Comparison): void {
  const [was, is] = [schemasOf(before), schemasOf(after)];
  const schemas = new SchemaComparison(before, after);
  const uses = { sent: new Set<string>(), received: new Set<string>() };
  const changed = Object.entries(is).filter(([name, schema]) => {
    const earlier = own(was, name);
    if (earlier === undefined) result.added.push({ kind: 'schema', name });
    return earlier !== undefined && canonical(earlier) !== canonical(schema);
  });
  for (const name of Object.keys(was)) if (!Object.hasOwn(is, name)) result.removed.push({ kind: 'schema', name });
  if (changed.length > 0) findUses(before, uses);
  for (const [name, schema] of changed) {
    result.changed.push({ kind: 'schema', name });
    for (const direction of ['sent', 'received'] as const) {
      if (!uses[direction].has(name)) continue;
      const at = direction === 'sent' ? 'in requests' : 'in answers';
      for (const reason of schemas.breaking({ before: own(was, name), after: schema, direction, at })) {
        result.breaking.push({ kind: 'schema', name, reason });
      }
    }
  }
}

/** Enters the names of schemas that operations send or answer, whether by themselves or within others. */
function findUses(document: JsonObject, uses: Record<Direction, Set<string>>): void {
  for (const placed of operationsOf(document)) {
    const { parameters, body, responses } = shapeOf(document, placed);
    const [sent, received] = placed.isWebhook ? [uses.received, uses.sent] : [uses.sent, uses.received];
    for (const { schema } of parameters.values()) addNames(schema, sent);
    for (const schema of body?.content.values() ?? []) addNames(schema, sent);
    for (const content of responses.values()) for (const schema of content.values()) addNames(schema, received);
  }
  const schemas = schemasOf(document);
  // a set that grows while it is walked is walked to its end
  for (const names of Object.values(uses)) for (const name of names) addNames(own(schemas, name), names);
}

/** Enters the names of the schemas that `value` refers to, at any depth. */
function addNames(value: Json | undefined, names: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) addNames(item, names);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const name = key === '$ref' && typeof item === 'string' ? schemaNameOf(item) : undefined;
      if (name !== undefined) names.add(name);
      else addNames(item, names);
    }
  }
}
