import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

const lines = async (file: string): Promise<string[]> =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** What the image copies out of the repository. */
const copied = async (): Promise<string[]> =>
  (await lines('docker/Dockerfile'))
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));

/** Whether the rule `pattern` of `.dockerignore` is about `path`, or about a folder that it lies in. */
function concerns(pattern: string, path: string): boolean {
  if (pattern === '**') return true;
  if (pattern.startsWith('**/*')) return path.endsWith(pattern.slice('**/*'.length));
  if (/[*?[\]]/.test(pattern)) throw new Error(`This test does not read ${pattern}`);
  return path === pattern || path.startsWith(`${pattern}/`);
}

/** Whether `.dockerignore` lets `path` through: the last rule about it says. */
async function isSent(path: string): Promise<boolean> {
  const rule = (await lines('.dockerignore')).findLast((line) => concerns(line.replace(/^!/, ''), path));
  return rule === undefined || rule.startsWith('!');
}

const relativeImports = async (file: string): Promise<string[]> =>
  [...(await readFile(file, 'utf8')).matchAll(/\bfrom '(\.[^']+)'/g)].map(([, name]) =>
    normalize(join(dirname(file), name ?? '')),
  );

describe('the image', () => {
  it('is built of files that are there and that are sent to who builds it', async () => {
    const files = await copied();
    expect(files).toEqual(expect.arrayContaining(['package.json', 'package-lock.json', 'src']));
    const unusable: string[] = [];
    for (const file of files) if (!existsSync(file) || !(await isSent(file))) unusable.push(file);
    expect(unusable).toEqual([]);
    expect(await isSent('src/app.module.ts')).toBe(true);
    for (const file of [
      '.env',
      '.git/config',
      'node_modules/express/package.json',
      'src/app.queries.spec.ts',
      'src/metadata.ts',
    ]) {
      expect([file, await isSent(file)]).toEqual([file, false]);
    }
  });

  it('has all scripts that its build runs', async () => {
    const scripts = (await copied()).filter((file) => file.endsWith('.mjs'));
    const { scripts: commands } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: { build: string } };
    expect(scripts).toContain(commands.build.replace(/^node /, ''));
    const missing: string[] = [];
    for (const script of scripts)
      missing.push(...(await relativeImports(script)).filter((file) => !scripts.includes(file)));
    expect(missing).toEqual([]);
  });
});
