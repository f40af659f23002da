// Loaded before a process with `--import`: writes out of which packages, and which of our own files, it has read code, to READ_MODULES
// when it ends.
import fs from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const packages = new Set();
const files = new Set();

const noted = (read) =>
  function (from, ...rest) {
    const path = from instanceof URL ? fileURLToPath(from) : String(from);
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/).*\.[cm]?js$/.exec(path) ?? [];
    if (name) packages.add(name);
    if (path.startsWith(DIST) && path.endsWith('.js')) files.add(relative(DIST, path).replaceAll(sep, '/'));
    return read.call(this, from, ...rest);
  };

fs.readFileSync = noted(fs.readFileSync);
fs.promises.readFile = noted(fs.promises.readFile);

// threads are others, which would write over this
if (isMainThread) {
  process.on('exit', () => {
    const read = { packages: [...packages].sort(), files: [...files].sort() };
    fs.writeFileSync(process.env.READ_MODULES, JSON.stringify(read));
  });
}
