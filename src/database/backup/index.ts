export { backupOf, type Origin } from './backup.js';
export { type BackupHead, checkBackup, type CheckedBackup, writeBackup } from './backup-file.js';
export { BackupError } from './frames.js';
export { restore } from './restore.js';
