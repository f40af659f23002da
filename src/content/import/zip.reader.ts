import type { Found } from './found.js';
import { readFolder } from './folder.reader.js';
import { cannotImport, type ImportRun } from './import-run.js';
import { ZipError, ZipSource } from './zip-source.js';

const MAX_ENTRIES = 10_000;
/** How much an archive may hold in all, as a multiple of what one file may. */
const MAX_TOTAL = 10;

/**
 * Imports an archive of Markdown: by its SUMMARY.md, else its folders are the tree. Texts stay byte for byte; what their
 * addresses mean, pages and files of the archive, is kept beside them.
 *
 * @throws BadRequestException when it cannot be read as a whole.
 */
export async function readZip(run: ImportRun, start: string): Promise<Found> {
  const { body } = await run.fetchStart(start, 'application/zip, */*');
  try {
    const limits = { entries: MAX_ENTRIES, file: run.maxBytes, total: MAX_TOTAL * run.maxBytes };
    return await readFolder(run, await ZipSource.open(body, limits));
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    throw cannotImport(error.message);
  }
}
