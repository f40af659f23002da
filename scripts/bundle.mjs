// Puts what a start reads, some 2,500 small files, into a few: the second half of a build, in place in dist.
// Threads but for that of the database go on reading the files beside it, which stay.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import { withoutNaming } from './names.mjs';

const DIST = resolve('dist');
/** What is read by name: the first files of the bundle, which keep their names. */
const ENTRIES = ['run', 'serve', 'metadata', 'database-main', 'cli/main', 'database/embedded/worker'];
/**
 * Packages of many small files that go into the bundle. Nothing outside of it may read them in the same process, as there would be
 * two of each class then; so class-validator and class-transformer, which Nest finds by itself, and mongoose, which our code replaces
 * parts of, stay outside (`test/bundle.e2e-spec.ts`).
 */
const PACKAGES = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/mapped-types',
  '@nestjs/mongoose',
  '@nestjs/passport',
  '@nestjs/platform-express',
  '@nestjs/swagger',
  'es-toolkit',
  'iterare',
  'rxjs',
  'tslib',
  'uid',
];

const packageOf = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** Leaves all other packages to Node, but for those that a package of the bundle has in a version of its own. */
const others = {
  name: 'others',
  setup(bundle) {
    bundle.onResolve({ filter: /^[^./]/ }, async ({ kind, path, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || pluginData === others || PACKAGES.includes(packageOf(path))) return undefined;
      const found = (from) => bundle.resolve(path, { kind, resolveDir: from, pluginData: others });
      const [its, ours] = [await found(resolveDir), await found(DIST)];
      return its.path === ours.path ? { path, external: true } : its;
    });
  },
};

/** What describes the classes is about those of the bundle: it imports each of their files by itself, which would make a chunk of each. */
const metadata = {
  name: 'metadata',
  setup({ onLoad }) {
    onLoad({ filter: /dist.metadata\.js$/ }, async ({ path }) => {
      const names = new Map();
      const code = (await readFile(path, 'utf8')).replace(/\bimport\(("[^"]+")\)/g, (_, file) => {
        if (!names.has(file)) names.set(file, `file${names.size}`);
        return names.get(file);
      });
      const imports = [...names].map(([file, name]) => `import * as ${name} from ${file};\n`);
      return { contents: imports.join('') + code, loader: 'js' };
    });
  },
};

/** Stands for the way from a file that is written to the folder of all, until it is known which file that is. */
const PLACE = '@dist';

/** What a file of ours finds beside itself, such as the code of a thread, it still finds there. */
const places = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      if (!path.startsWith(DIST + sep)) return undefined;
      const place = JSON.stringify(`${PLACE}/${relative(DIST, path).replaceAll(sep, '/')}`);
      const code = await readFile(path, 'utf8');
      return { contents: code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`), loader: 'js' };
    });
  },
};

/** Bundles what is in dist. Functions that are made for each request are not given the name that they have. */
export async function bundle() {
  const { outputFiles } = await build({
    entryPoints: ENTRIES.map((name) => ({ in: `dist/${name}.js`, out: name })),
    bundle: true,
    // what is read later stays apart
    splitting: true,
    chunkNames: 'bundle-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    // injection tells classes by themselves, messages and logs by their names
    keepNames: true,
    outdir: 'dist',
    // for who sets `--enable-source-maps`
    sourcemap: true,
    sourcesContent: false,
    allowOverwrite: true,
    write: false,
    plugins: [others, metadata, places],
    logLevel: 'warning',
  });
  for (const { path, contents, text } of outputFiles) {
    const folder = relative(dirname(path), DIST).replaceAll(sep, '/') || '.';
    const placed = text.replaceAll(`new URL("${PLACE}`, `new URL("${folder}`);
    await writeFile(path, path.endsWith('.js') ? withoutNaming(placed) : contents);
  }
}
