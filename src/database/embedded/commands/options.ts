import { unsupported, type Document } from '../errors.js';

const EVERYWHERE =
  '$db lsid txnNumber startTransaction autocommit readConcern writeConcern $readPreference $clusterTime apiVersion apiStrict apiDeprecationErrors comment maxTimeMS $audit';

const KNOWN: Record<string, string> = {
  find: 'filter sort projection hint skip limit batchSize singleBatch allowDiskUse noCursorTimeout',
  getmore: 'collection batchSize',
  killcursors: 'cursors',
  aggregate: 'pipeline cursor hint let allowDiskUse bypassDocumentValidation',
  count: 'query limit skip hint fields',
  distinct: 'key query hint',
  explain: 'verbosity',
  insert: 'documents ordered bypassDocumentValidation',
  update: 'updates ordered bypassDocumentValidation',
  delete: 'deletes ordered',
  findandmodify: 'query sort remove update new upsert fields arrayFilters hint bypassDocumentValidation',
  create: 'autoIndexId',
  drop: '',
  dropdatabase: '',
  listcollections: 'filter nameOnly cursor authorizedCollections',
  listdatabases: 'filter nameOnly authorizedDatabases',
  dbstats: 'scale freeStorage',
  collstats: 'scale',
  createindexes: 'indexes commitQuorum',
  dropindexes: 'index',
  listindexes: 'cursor',
  committransaction: 'recoveryToken',
  aborttransaction: 'recoveryToken',
  'failCommand data': 'failCommands errorCode closeConnection errorLabels writeConcernError',
  'update statement': 'q u multi upsert arrayFilters hint sort',
  'delete statement': 'q limit hint',
};

const allowed = new Map(
  Object.entries(KNOWN).map(([name, options]) => [name, new Set(`${EVERYWHERE} ${options}`.split(' '))]),
);

/** Refuses options of a command or statement that there are not, unless they are off: none is silently ignored. @throws EngineError 238 */
export function checkOptions(kind: string, options: Document): void {
  const known = allowed.get(kind);
  if (!known) return;
  let first = !kind.includes(' ');
  for (const option in options) {
    if (!first && !known.has(option) && options[option] !== false && options[option] !== undefined) {
      throw unsupported(`the option '${option}' of ${kind}`);
    }
    first = false;
  }
}
