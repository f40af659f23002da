import { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { BookImporter } from '../../content/index.js';
import { UsersService } from '../../users/index.js';
import { FolderSource } from '../folder-source.js';
import { type Runner, say } from '../runner.js';

/** `import`: adds the pages of a folder of Markdown to a space, in one revision. */
export function addImportCommand(program: Command, run: Runner): void {
  program
    .command('import')
    .description('add a folder of Markdown, ordered by its SUMMARY.md, to a space')
    .argument('<folder>', 'folder that holds SUMMARY.md and the Markdown files')
    .requiredOption('--space <id>', 'space to add the pages to')
    .option('--author <email>', 'person to name as the author of the revision')
    .action(async (folder: string, { space, author }: { space: string; author?: string }) => {
      const source = await FolderSource.open(folder);
      await run(async (app) => {
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
          .get(BookImporter, { strict: false })
          .import(space, { author: user?._id ?? null, source, progress })
          .finally(() => {
            bar.stop();
          });
        say(`Imported ${String(result.pages)} pages into ${space}, revision ${result.revision}`);
        for (const name of result.missing) say(`  ${name} is named in SUMMARY.md, but is not there: its page is empty`);
      });
    });
}
