import { createWriteStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { ArchiveEntry } from '../../content/index.js';
import type { Shell } from '../shell.js';

/** `export`: writes the content of a space as a folder of Markdown, or as a zip of it. */
export function addExportCommand(program: Command, { run, say }: Shell): void {
  program
    .command('export')
    .description('write the content of a space as a folder of Markdown with SUMMARY.md, or as a .zip of it')
    .argument('<target>', 'an empty or new folder, or a new file whose name ends with .zip')
    .requiredOption('--space <id>', 'space to export')
    .action(async (target: string, { space: id }: { space: string }) => {
      const path = resolve(target);
      if (!path.endsWith('.zip')) await makeFolder(path);
      await run(async (app) => {
        const { ArchiveExporter, zipOf } = await import('../../content/index.js');
        const { SpacesService } = await import('../../spaces/index.js');
        const space = await app.get(SpacesService, { strict: false }).get(id);
        const { entries, at } = await app.get(ArchiveExporter, { strict: false }).export(space);
        if (path.endsWith('.zip')) await pipeline(await zipOf(entries, at), createWriteStream(path, { flags: 'wx' }));
        else await writeFolder(path, entries);
        say(`Exported ${space.title} as ${String(entries.length)} files to ${path}`);
      });
    });
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  if ((await readdir(path)).length > 0) throw new Error(`${path} is not empty: name a new folder, or an empty one`);
}

async function writeFolder(folder: string, entries: readonly ArchiveEntry[]): Promise<void> {
  for (const { name, open } of entries) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await pipeline(await open(), createWriteStream(path, { flags: 'wx' }));
  }
}
