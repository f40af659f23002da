import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BookSource } from '../content/index.js';

/** A folder of Markdown on this machine. Nothing outside of it is ever read, whatever a link says. */
export class FolderSource implements BookSource {
  private constructor(private readonly root: string) {}

  /** @throws Error when `folder` is not a folder. */
  static async open(folder: string | URL): Promise<FolderSource> {
    const path = resolve(typeof folder === 'string' ? folder : fileURLToPath(folder));
    const found = await stat(path).catch(() => undefined);
    if (!found?.isDirectory()) throw new Error(`${path} is not a folder`);
    return new FolderSource(await realpath(path));
  }

  /** The bytes of `name`, or `undefined` when the folder has no such file. */
  async read(name: string): Promise<Buffer | undefined> {
    const path = await realpath(join(this.root, name)).catch(() => undefined);
    if (path === undefined || !this.holds(path)) return undefined;
    return (await stat(path)).isFile() ? readFile(path) : undefined;
  }

  /** Every file below the folder, with `/` between the segments, sorted. */
  async list(): Promise<string[]> {
    const entries = await readdir(this.root, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.root, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .sort();
  }

  private holds(path: string): boolean {
    const inside = relative(this.root, path);
    return inside !== '' && !inside.startsWith('..') && !isAbsolute(inside);
  }
}
