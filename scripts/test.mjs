// Runs Jest over ES modules. `--thorough` runs all the rounds of races, kills and generated cases, not a share of them.
import { spawnSync } from 'node:child_process';

const args = process.argv.slice(2);
const thorough = args.includes('--thorough');
const { status } = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    ...args.filter((arg) => arg !== '--thorough'),
  ],
  { stdio: 'inherit', env: { ...process.env, ...(thorough && { COLOPHON_THOROUGH: '1' }) } },
);
process.exit(status ?? 1);
