export { backupOf, bytesOf, explainedSnapshot, type Origin } from './backup.js';
export {
  type BackupHead,
  checkBackup,
  type CheckedBackup,
  headFrame,
  ORGANIZATION_FORMAT,
  readBackup,
  writeBackup,
} from './backup-file.js';
export { BackupError, documentOf, type Frame } from './frames.js';
export { AS_STORED, restore } from './restore.js';
