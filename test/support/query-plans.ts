import type { CommandStartedEvent, Document } from 'mongodb';
import type { Connection } from 'mongoose';
import { newId } from '../../src/common/ids.js';

/** A query as the service sends it, and how the engine answers it. */
export interface Explained {
  collection: string;
  /** In the form in which the engine reads it, as JSON. */
  filter: string;
  /** What the engine does, from the last step to the first. */
  stages: string[];
  /** How many records it reads for the answer. */
  examined: number;
}

interface Stage {
  stage: string;
  inputStage?: Stage;
}

const LOOK_UPS = ['find', 'aggregate', 'count', 'distinct'];
const PARTS = ['filter', 'query', 'pipeline', 'cursor', 'sort', 'limit', 'key', 'projection'];
/** Names of what a unique index holds. */
const UNIQUE = [
  'basename',
  'comment',
  'email',
  'files_id',
  'hash',
  'hostname',
  'installation',
  'integration',
  'keyHash',
  'proxyKey',
  'segment',
  'site',
  'slug',
  'space',
  'user',
];

/** Puts `count` copies of some record into every collection that has one, but for the migrations. */
export async function multiply(connection: Connection, count: number): Promise<void> {
  for (const { collectionName } of (await connection.db?.collections()) ?? []) {
    const collection = connection.collection<Document & { _id: unknown }>(collectionName);
    const record = collectionName === 'migrations' ? null : await collection.findOne();
    if (!record) continue;
    const copies = Array.from({ length: count }, () => copyOf(record));
    await collection.insertMany(copies);
  }
}

/** A record like `record`, with names of its own where they are unique, and made at another time. */
function copyOf(record: Document): Document & { _id: string } {
  const unique = UNIQUE.filter((name) => name in record);
  return {
    ...record,
    _id: newId(),
    ...Object.fromEntries(unique.map((name) => [name, newId()])),
    createdAt: new Date(Math.floor(Math.random() * Date.now())),
  };
}

/** What the commands were that `work` sent by `clients` and that look something up, as {@link explain} takes them. */
export async function commandsOf(clients: Connection[], work: () => Promise<unknown>): Promise<Document[]> {
  const seen: Document[] = [];
  const listen = ({ command }: CommandStartedEvent): void => void seen.push(command);
  for (const client of clients) client.getClient().on('commandStarted', listen);
  try {
    await work();
  } finally {
    for (const client of clients) client.getClient().off('commandStarted', listen);
  }
  return seen.flatMap(lookUps);
}

/** `command` as commands that `explain` takes, one for each of its statements. */
function lookUps(command: Document): Document[] {
  const [name = ''] = Object.keys(command);
  const collection: unknown = command[name];
  // `explain` runs it to its end, where the command itself stops at the first
  if (name === 'findAndModify') {
    const { query, sort } = command as { query: Document; sort?: Document };
    return [{ find: collection, filter: query, limit: 1, ...(sort && { sort }) }];
  }
  if (LOOK_UPS.includes(name)) {
    const parts = PARTS.filter((part) => part in command).map((part) => [part, command[part] as unknown] as const);
    return [{ [name]: collection, ...Object.fromEntries(parts) }];
  }
  if (name !== 'update' && name !== 'delete') return [];
  const statements = command[`${name}s`] as Document[];
  return statements.map((statement) => ({ [name]: collection, [`${name}s`]: [statement] }));
}

/** How the engine answers `command`. */
export async function explain(connection: Connection, command: Document): Promise<Explained> {
  const [collection = ''] = Object.values(command) as string[];
  const answer = await connection.db?.command({ explain: command, verbosity: 'executionStats' });
  const { winningPlan, parsedQuery } = answer?.queryPlanner as { winningPlan: Stage; parsedQuery: unknown };
  const { totalDocsExamined } = answer?.executionStats as { totalDocsExamined: number };
  return {
    collection,
    filter: JSON.stringify(parsedQuery),
    stages: stagesOf(winningPlan),
    examined: totalDocsExamined,
  };
}

const stagesOf = ({ stage, inputStage }: Stage): string[] => [stage, ...(inputStage ? stagesOf(inputStage) : [])];
