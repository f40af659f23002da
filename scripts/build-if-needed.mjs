// Builds when there is no build, or when it is not one of the sources that are there.
import { spawnSync } from 'node:child_process';
import { isStale } from './build-mark.mjs';

if (isStale()) {
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exit(status ?? 1);
}
