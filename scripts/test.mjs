// Runs Jest. `--thorough` runs all the rounds of races, kills and generated cases, not a share of them.
import { spawn } from 'node:child_process';
import { clearTimeout, setTimeout } from 'node:timers';

const args = process.argv.slice(2).filter((arg) => arg !== '--thorough');
const thorough = process.argv.includes('--thorough');
/** A file that takes longer hangs, in minutes: the runner has no limit of its own. */
const LONGEST = thorough ? 120 : 10;

const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...args], {
  stdio: ['inherit', 'inherit', 'pipe'],
  env: { ...process.env, ...(thorough && { COLOPHON_THOROUGH: '1' }) },
});
const watch = setTimeout(() => {
  console.error(`No file of tests has come to its end for ${LONGEST} minutes`);
  jest.kill('SIGKILL');
}, LONGEST * 60_000);
// Jest writes here when a file is done
jest.stderr.on('data', (chunk) => {
  watch.refresh();
  process.stderr.write(chunk);
});
jest.on('exit', (code) => {
  clearTimeout(watch);
  process.exitCode = code ?? 1;
});
