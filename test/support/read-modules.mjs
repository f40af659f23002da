// Loaded before a process with `--import`: writes the packages out of which it has read code to READ_MODULES when it ends.
import fs from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const packages = new Set();

const noted = (read) =>
  function (path, ...rest) {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/).*\.[cm]?js$/.exec(String(path)) ?? [];
    if (name) packages.add(name);
    return read.call(this, path, ...rest);
  };

fs.readFileSync = noted(fs.readFileSync);
fs.promises.readFile = noted(fs.promises.readFile);

// threads are others: they have nothing to do with the bundle
if (isMainThread) {
  process.on('exit', () => fs.writeFileSync(process.env.READ_MODULES, JSON.stringify([...packages].sort())));
}
