export { AllOrNothing } from './all-or-nothing.js';
export {
  type BackupHead,
  BackupError,
  backupOf,
  checkBackup,
  type CheckedBackup,
  restore,
  writeBackup,
} from './backup/index.js';
export { Database, type Fields } from './database.js';
export { DatabaseModule, PATIENCE_WITH_SERVERS } from './database.module.js';
export { type EngineSettings, hasDatabase, openEngine, runEngine, runningEngine } from './engine.js';
export { gatheredWrite } from './gathered.js';
export { inBatches } from './in-batches.js';
export { type Invariant, Invariants, type Problem } from './invariants.js';
export { migrate, pendingMigrations } from './migrate.js';
export { type Resealed, type SealedKind, SealedRecords } from './sealed-records.js';
export {
  apart,
  backupOfOrganization,
  content,
  keeps,
  OrganizationRecords,
  owned,
  people,
  Restorations,
  restoreOrganization,
  type Rule,
  type Stored,
} from './one-organization/index.js';
