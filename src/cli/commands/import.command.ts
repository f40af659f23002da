import { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import type { BookSource } from '../../content/index.js';
import { FolderSource } from '../folder-source.js';
import type { Shell } from '../shell.js';

/** `import`: adds the pages of a folder or zip of Markdown to a space, in one revision. */
export function addImportCommand(program: Command, { run, say }: Shell): void {
  program
    .command('import')
    .description('add a folder of Markdown, or a .zip of one, to a space')
    .argument(
      '<folder>',
      'folder or .zip with SUMMARY.md and the Markdown files; without one, the folders are the tree',
    )
    .requiredOption('--space <id>', 'space to add the pages to')
    .option('--author <email>', 'person to name as the author of the revision')
    .action(async (folder: string, { space, author }: { space: string; author?: string }) => {
      const source = await open(folder);
      await run(async (app) => {
        const { ArchiveImporter } = await import('../../content/index.js');
        const { UsersService } = await import('../../users/index.js');
        const user = author === undefined ? null : await app.get(UsersService, { strict: false }).findByEmail(author);
        if (author !== undefined && !user) throw new Error(`There is nobody with the address ${author}`);
        const bar = new SingleBar({ format: '{bar} {value}/{total} pages', hideCursor: true, noTTYOutput: false });
        let started = false;
        const progress = (done: number, total: number): void => {
          if (!started) bar.start(total, done);
          started = true;
          bar.update(done);
        };
        const result = await app
          .get(ArchiveImporter, { strict: false })
          .importFolder(space, { author: user?._id ?? null, source, progress })
          .finally(() => {
            bar.stop();
          });
        say(`Imported ${String(result.pages)} pages into ${space}, revision ${result.revision}`);
        for (const name of result.missing) say(`  ${name} is named, but is not there`);
      });
    });
}

async function open(path: string): Promise<BookSource> {
  if (!path.endsWith('.zip')) return FolderSource.open(path);
  const { ZipSource } = await import('../../content/index.js');
  const { MAX_BLOB } = await import('../../blobs/index.js');
  // what an archive may hold: whoever runs the command has it on the disk already
  return ZipSource.openFile(path, { entries: 200_000, file: MAX_BLOB, total: 16 * 1024 ** 3 });
}
