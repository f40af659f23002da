// Starts the built service on a folder and a free port of its own, for the scripts and tests that drive it from outside.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const TOKEN = 'a-token-for-scripts-that-is-long-enough';

/** An empty folder that `remove()` takes away again. */
export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'colophon-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** The environment of a service on `dataDir`; BOOTSTRAP_ makes its administrator and organization at the first start. */
export function environmentOf(dataDir, extra = {}) {
  return {
    ...process.env,
    MONGODB_URI: '',
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
    RATE_LIMIT: '0',
    BOOTSTRAP_ADMIN_EMAIL: 'admin@example.org',
    BOOTSTRAP_ADMIN_TOKEN: TOKEN,
    BOOTSTRAP_ORGANIZATION: 'Books',
    ...extra,
  };
}

/** Starts the service and resolves when it is ready: its address, the time that took, and how to end it. */
export async function startService(dataDir, extra) {
  const started = performance.now();
  const child = spawn(process.execPath, ['dist/main.js'], {
    env: environmentOf(dataDir, extra),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const url = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const [, address] = /ready\s+(http:\/\/[^\s]+)\/v1/.exec(output) ?? [];
      if (address) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`The service ended with ${String(code)}: ${output}`)));
  });
  const end = (signal) => {
    if (child.exitCode === null) child.kill(signal);
    return exited;
  };
  return {
    url,
    pid: child.pid,
    ready: performance.now() - started,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** Calls the service at `url`; answers the parsed body. Throws for any status that is not a success. */
export function callerOf(url, token = TOKEN) {
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${String(response.status)} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

/** Runs a command of the command line on `dataDir`; rejects when it fails. */
export function runCli(dataDir, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['dist/cli/main.js', ...args], {
      env: environmentOf(dataDir),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    // not `exit`: what it wrote last may still be on its way then
    child.once('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`colophon ${args.join(' ')} ended with ${String(code)}: ${output}`));
    });
  });
}
