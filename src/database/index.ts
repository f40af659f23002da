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
export { Database } from './database.js';
export { DatabaseModule } from './database.module.js';
export { openEngine, runningEngine } from './engine.js';
export { inBatches } from './in-batches.js';
export { type Invariant, Invariants, type Problem } from './invariants.js';
export { migrate, pendingMigrations } from './migrate.js';
export { type Resealed, type SealedKind, SealedRecords } from './sealed-records.js';
