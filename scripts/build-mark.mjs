// What a build was made of, to tell whether it is that of what is there now.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Written when a build comes to its end, within the folder of the project. */
const MARK = 'dist/.bundled';
/** What decides about a build, but for the sources. */
const INPUTS = [
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
/** Written by the build itself. */
const MADE = join('src', 'metadata.ts');

/** A digest of all that a build in `root` would be made of: of names and bytes, as times say little about files that were copied. */
export function inputsOf(root = '.') {
  const hash = createHash('sha256');
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => file !== join(root, MADE))
    .sort();
  for (const file of [...files, ...INPUTS.map((name) => join(root, name)).filter((name) => existsSync(name))]) {
    const bytes = readFileSync(file);
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** Says that the build in `root` has come to its end, and that it is one of `inputs`. */
export function markBuilt(inputs, root = '.') {
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, MARK), inputs);
}

/** Whether there is no build in `root`, or one of something else than what is there. */
export function isStale(root = '.') {
  const mark = join(root, MARK);
  if (!existsSync(mark)) return true;
  // an installation without its sources has nothing to build from
  if (!existsSync(join(root, 'src'))) return false;
  return readFileSync(mark, 'utf8') !== inputsOf(root);
}
