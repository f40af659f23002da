import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../scripts/service.mjs';

const run = promisify(execFile);
const SCRIPTS = resolve('scripts');

/** A build that says that it was made, and marks its end as that of the project does. */
const BUILD = `
  import { appendFileSync, writeFileSync } from 'node:fs';
  import { marking } from ${JSON.stringify(join(SCRIPTS, 'build-mark.mjs'))};
  await marking(async () => {
    appendFileSync('builds', 'built ');
    if (process.env.SAVE) writeFileSync('src/main.ts', process.env.SAVE);
    if (process.env.BREAK_OFF) process.exit(3);
  });
`;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  root = folder.path;
  await mkdir(join(root, 'src', 'pages'), { recursive: true });
  await mkdir(join(root, 'node_modules', '@nestjs', 'cli'), { recursive: true });
  await write('package.json', JSON.stringify({ scripts: { build: 'node build.mjs' } }));
  await write('build.mjs', BUILD);
  await write('src/main.ts', 'one');
  await write('src/pages/page.ts', 'two');
});
afterEach(() => folder.remove());

const write = (file: string, text: string): Promise<void> => writeFile(join(root, file), text);

const install = (packages: object): Promise<void> =>
  write('node_modules/.package-lock.json', JSON.stringify({ packages }));

/** Builds if that is needed; whether it was. */
async function builds(environment: Record<string, string> = {}): Promise<boolean> {
  await write('builds', '');
  const env = { ...process.env, ...environment };
  await run(process.execPath, [join(SCRIPTS, 'build-if-needed.mjs')], { cwd: root, env });
  return (await readFile(join(root, 'builds'), 'utf8')) === 'built ';
}

it('builds once, and again when a source or a setting is another one, is new or gone, however old it is', async () => {
  expect([await builds(), await builds()]).toEqual([true, false]);
  const page = join(root, 'src', 'pages', 'page.ts');
  const { atime, mtime } = await stat(page);
  const changes = [
    async () => {
      await writeFile(page, 'owt');
      await utimes(page, atime, mtime);
    },
    () => write('src/pages/other.ts', ''),
    () => rename(page, join(root, 'src', 'page.ts')),
    () => rm(join(root, 'src', 'page.ts')),
    () => write('.swcrc', '{}'),
    () =>
      install({
        '': {},
        'node_modules/needed': { version: '1.0.0' },
        'node_modules/tool': { version: '1.0.0', dev: true },
      }),
    () =>
      install({
        '': {},
        'node_modules/needed': { version: '1.0.1' },
        'node_modules/tool': { version: '1.0.0', dev: true },
      }),
    () => rm(join(root, 'dist'), { recursive: true }),
  ];
  for (const change of changes) {
    await change();
    expect([await builds(), await builds()]).toEqual([true, false]);
  }
  // what a build writes, and what is no part of it
  await write('src/metadata.ts', 'three');
  await write('src/pages/page.spec.ts', 'five');
  await write('README.md', 'four');
  await install({ '': {}, 'node_modules/needed': { version: '1.0.1' } });
  await utimes(join(root, 'src', 'main.ts'), new Date(), new Date());
  expect(await builds()).toBe(false);
});

it('builds again where a source was saved while the build ran', async () => {
  expect([await builds({ SAVE: 'later' }), await builds(), await builds()]).toEqual([true, true, false]);
});

it('tells what to do where nothing is installed that builds', async () => {
  await rm(join(root, 'node_modules'), { recursive: true });
  await expect(builds()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('`npm ci --include=dev`') });
});

it('builds again after a build that was broken off, and not where there is nothing to build from', async () => {
  await expect(builds({ BREAK_OFF: '1' })).rejects.toMatchObject({ code: 3 });
  expect([await builds(), await builds()]).toEqual([true, false]);
  await rm(join(root, 'src'), { recursive: true });
  expect(await builds()).toBe(false);
});
