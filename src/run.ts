import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { JsonLogger } from './common/logger.js';
import { ConfigError, loadConfig } from './config/index.js';
import { openDatabase } from './open-database.js';
import type * as Serving from './serve.js';

/**
 * By how much of what is in use the heap grows before it is cleared, in percent. Left to itself, V8 lets it grow to some four times
 * of that on a machine with much memory: 490 MiB where 250 are enough, and none faster.
 */
const HEAP_GROWTH = 50;

async function main(): Promise<void> {
  const config = loadConfig({ ...process.env, PORT: await portOf(process.env.PORT) });
  const logger = new JsonLogger(config.LOG_LEVEL);
  const opening = openDatabase(config, (message) => {
    logger.log(message, 'Engine');
  });
  // the application is read while the engine starts, and not at all where the settings are wrong
  const { serve } = createRequire(import.meta.url)('./serve.js') as typeof Serving;
  const database = await opening;
  try {
    await serve(config, database, logger);
    // not before: while everything is read, the heap only grows
    setFlagsFromString(`--heap-growing-percent=${String(HEAP_GROWTH)}`);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** `PORT=0` means any free port; it must be known before the addresses in answers are made. */
async function portOf(wanted: string | undefined): Promise<string | undefined> {
  if (wanted?.trim() !== '0') return wanted;
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        resolve(typeof address === 'object' && address ? String(address.port) : wanted);
      });
    });
  });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

main().catch((error: unknown) => {
  // what the operator can put right is told in a sentence; whatever else stops the start comes with its stack
  const stack = error instanceof Error && !(error instanceof ConfigError) ? error.stack : undefined;
  process.stderr.write(`Colophon cannot start: ${stack ?? messageOf(error)}\n`);
  process.exit(1);
});
