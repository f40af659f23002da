// Builds when there is no build, or when it is not one of the sources that are there.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isStale } from './build-mark.mjs';

/** What builds, which an installation for production leaves out. */
const BUILDER = 'node_modules/@nestjs/cli';

if (isStale()) {
  if (!existsSync(BUILDER)) {
    console.error(
      'dist is not a build of what is in src, and what builds is not installed. Install it with `npm ci --include=dev`.',
    );
    process.exit(1);
  }
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exit(status ?? 1);
}
