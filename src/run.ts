import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { JsonLogger } from './common/logger.js';
import { ConfigError, loadConfig } from './config/index.js';
import { holdPort } from './held-port.js';
import { openDatabase } from './open-database.js';
import type * as Serving from './serve.js';

/**
 * By how much of what is in use the heap grows before it is cleared, in percent. Left to itself, V8 lets it grow to some four times
 * of that on a machine with much memory: 490 MiB where 250 are enough, and none faster.
 */
const HEAP_GROWTH = 50;

async function main(): Promise<void> {
  // PORT=0 means any free port; it must be known before the addresses in answers are made, which is long before it is listened on
  const held = process.env.PORT?.trim() === '0' ? await holdPort() : undefined;
  const config = loadConfig({ ...process.env, ...(held && { PORT: String(held.port) }) });
  const logger = new JsonLogger(config.LOG_LEVEL);
  const opening = openDatabase(config, (message) => {
    logger.log(message, 'Engine');
  });
  // the application is read while the engine starts, and not at all where the settings are wrong
  const { serve } = createRequire(import.meta.url)('./serve.js') as typeof Serving;
  const database = await opening;
  try {
    await serve(config, database, logger, held?.release);
    // not before: while everything is read, the heap only grows
    setFlagsFromString(`--heap-growing-percent=${String(HEAP_GROWTH)}`);
  } catch (error) {
    await database.close();
    throw error;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

main().catch((error: unknown) => {
  // what the operator can put right is told in a sentence; whatever else stops the start comes with its stack
  const stack = error instanceof Error && !(error instanceof ConfigError) ? error.stack : undefined;
  process.stderr.write(`Colophon cannot start: ${stack ?? messageOf(error)}\n`);
  process.exit(1);
});
