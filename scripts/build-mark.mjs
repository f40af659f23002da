// What a build was made of, to tell whether it is that of what is there now. All paths are within the folder of the project.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Written when a build comes to its end. */
const MARK = 'dist/.bundled';
/** What decides about a build, but for the sources. */
const INPUTS = [
  'package.json',
  'package-lock.json',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.build.json',
  '.swcrc',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  'scripts/names.mjs',
];
/** The packages that are installed, some of which a build contains. */
const INSTALLED = 'node_modules/.package-lock.json';
/** Written by the build itself. */
const MADE = 'src/metadata.ts';

const slashes = (path) => path.replaceAll(sep, '/');

/** Whether a build reads `file`: code, but for tests, and the book of the demo. */
const isSource = (file) => /\.(ts|md)$/.test(file) && !file.endsWith('.spec.ts') && file !== MADE;

/** The packages that the service needs, with their versions: what only builds and tests need may be gone later. */
function installed() {
  if (!existsSync(INSTALLED)) return [];
  return Object.entries(JSON.parse(readFileSync(INSTALLED, 'utf8')).packages)
    .filter(([, { dev, devOptional }]) => !dev && !devOptional)
    .map(([path, { version, integrity }]) => [path, version, integrity]);
}

/** A digest of all that a build would be made of: of names and bytes, as times say little about files that were copied. */
function inputs() {
  const hash = createHash('sha256').update(JSON.stringify(installed()));
  const sources = readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => slashes(join(parentPath, name)))
    .filter(isSource)
    .sort();
  for (const file of [...sources, ...INPUTS.filter((name) => existsSync(name))]) {
    const bytes = readFileSync(file);
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** Has `build` make a build, and says at its end what it was made of: of what was there when it began. */
export async function marking(build) {
  const begunWith = inputs();
  await build();
  mkdirSync('dist', { recursive: true });
  writeFileSync(MARK, begunWith);
}

/** Whether there is no build, or one of something else than what is there. */
export function isStale() {
  if (!existsSync(MARK)) return true;
  // an installation without its sources has nothing to build from
  if (!existsSync('src')) return false;
  return readFileSync(MARK, 'utf8') !== inputs();
}
