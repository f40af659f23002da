import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../scripts/service.mjs';

const run = promisify(execFile);
const SCRIPTS = resolve('scripts');

/** A build that says that it was made, and marks its end as that of the project does. */
const BUILD = `
  import { appendFileSync } from 'node:fs';
  import { inputsOf, markBuilt } from ${JSON.stringify(join(SCRIPTS, 'build-mark.mjs'))};
  const inputs = inputsOf();
  appendFileSync('builds', 'built ');
  if (process.env.BREAK_OFF) process.exit(3);
  markBuilt(inputs);
`;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  root = folder.path;
  await mkdir(join(root, 'src', 'pages'), { recursive: true });
  await write('package.json', JSON.stringify({ scripts: { build: 'node build.mjs' } }));
  await write('build.mjs', BUILD);
  await write('src/main.ts', 'one');
  await write('src/pages/page.ts', 'two');
});
afterEach(() => folder.remove());

const write = (file: string, text: string): Promise<void> => writeFile(join(root, file), text);

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
    () => rm(join(root, 'dist'), { recursive: true }),
  ];
  for (const change of changes) {
    await change();
    expect([await builds(), await builds()]).toEqual([true, false]);
  }
  // what a build writes, and what is no part of it
  await write('src/metadata.ts', 'three');
  await write('README.md', 'four');
  await utimes(join(root, 'src', 'main.ts'), new Date(), new Date());
  expect(await builds()).toBe(false);
});

it('builds again after a build that was broken off, and not where there is nothing to build from', async () => {
  await expect(builds({ BREAK_OFF: '1' })).rejects.toMatchObject({ code: 3 });
  expect([await builds(), await builds()]).toEqual([true, false]);
  await rm(join(root, 'src'), { recursive: true });
  expect(await builds()).toBe(false);
});
