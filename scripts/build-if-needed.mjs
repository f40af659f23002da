// Builds when there is no build, or when a source file is newer than it.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

// written last
const built = 'dist/.bundled';
const inputs = [
  'package.json',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.build.json',
  '.swcrc',
  'scripts/bundle.mjs',
  'scripts/names.mjs',
  // the build contains packages
  'node_modules/.package-lock.json',
];

function newest(folder) {
  return Math.max(
    // what is taken out of it leaves no file that could be newer
    statSync(folder).mtimeMs,
    ...readdirSync(folder, { withFileTypes: true }).map((entry) => {
      if (entry.isDirectory()) return newest(join(folder, entry.name));
      // written by the build itself
      return entry.name === 'metadata.ts' ? 0 : statSync(join(folder, entry.name)).mtimeMs;
    }),
  );
}

function isStale() {
  if (!existsSync(built)) return true;
  // an installation without its sources has nothing to build from
  if (!existsSync('src')) return false;
  const time = statSync(built).mtimeMs;
  return newest('src') > time || inputs.some((file) => existsSync(file) && statSync(file).mtimeMs > time + 60_000);
}

if (isStale()) {
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exit(status ?? 1);
}
