import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError } from './config.js';

/**
 * The key of this installation: `SECRET_KEY`, else (with the embedded database) the one kept in `DATA_DIR/secret-key`,
 * which the first start makes for its owner alone to read.
 *
 * @throws ConfigError when the kept key is damaged.
 */
export function secretKeyOf(config: Config): string {
  if (config.SECRET_KEY !== undefined) return config.SECRET_KEY;
  mkdirSync(config.DATA_DIR, { recursive: true });
  const file = join(config.DATA_DIR, 'secret-key');
  try {
    writeFileSync(file, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = readFileSync(file, 'utf8').trim();
  if (key.length < 32) throw new ConfigError(`${file} is damaged: put the key back from a backup, or set SECRET_KEY`);
  return key;
}
