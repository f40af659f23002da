import { rm } from 'node:fs/promises';

/** Stops the engine that the set-up started and removes its files. */
export default async function teardown() {
  const started = globalThis.__colophonEngine;
  if (!started) return;
  await started.engine.stop();
  await rm(started.path, { recursive: true, force: true });
}
