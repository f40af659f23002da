import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, loadConfig } from './config.js';
import { secretKeyOf } from './secret-key.js';

const GIVEN = 'a key that is made of 32 characters';
let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secret-key-'));
  file = join(folder, 'data', 'secret-key');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const keyOf = (environment: Record<string, string> = {}): string =>
  secretKeyOf(loadConfig({ DATA_DIR: join(folder, 'data'), ...environment }));

describe('secretKeyOf', () => {
  it('makes a key once, for its owner alone to read, and keeps it', async () => {
    const key = keyOf();
    expect(key).toMatch(/^[A-Za-z0-9_-]{64}$/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toBe(`${key}\n`);
    expect(keyOf()).toBe(key);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('makes another one for another installation', () => {
    expect(keyOf()).not.toBe(keyOf({ DATA_DIR: join(folder, 'other') }));
  });

  it('takes the one that is given, and leaves the folder alone', () => {
    expect(keyOf({ SECRET_KEY: GIVEN })).toBe(GIVEN);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('takes the one that somebody put there', async () => {
    keyOf();
    await writeFile(file, `  ${GIVEN}\n\n`);
    expect(keyOf()).toBe(GIVEN);
  });

  it.each(['', '\n', 'too short', ' '.repeat(100)])('refuses a damaged one: %j', async (text) => {
    keyOf();
    await writeFile(file, text);
    expect(() => keyOf()).toThrow(ConfigError);
    expect(() => keyOf()).toThrow(`${file} is damaged: put the key back from a backup, or set SECRET_KEY`);
    expect(await readFile(file, 'utf8')).toBe(text);
    expect(keyOf({ SECRET_KEY: GIVEN })).toBe(GIVEN);
  });
});
