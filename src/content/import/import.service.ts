import { BadRequestException, Injectable } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { Outbound } from '../../outbound/index.js';
import { DocumentsService, type TreeEditor } from '../../revisions/index.js';
import type { Space } from '../../spaces/index.js';
import { ContentWriter } from '../content.writer.js';
import { Converter } from '../conversion/converter.js';
import { FilesService } from '../files/index.js';
import type { Found } from './found.js';
import { ImportRun } from './import-run.js';
import { checkImportLock, type Imported } from './imported.js';
import { insertFound } from './insert-found.js';
import { readHtmlPage, readMarkdownPage } from './page.readers.js';
import { Slots } from '../../common/slots.js';
import { readWebsite } from './website.reader.js';
import { readWiki } from './wiki.reader.js';
import { readZip } from './zip.reader.js';

/** What content can be imported from (decision 5.35). */
export const IMPORT_SOURCES = [
  'website',
  'docx',
  'markdown',
  'html',
  'zip',
  'confluence',
  'github-wiki',
  'notion',
  'google-docs',
] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];

type Reader = (run: ImportRun, url: string) => Promise<Found>;
const READERS: ReadonlyMap<ImportSource, Reader> = new Map<ImportSource, Reader>([
  ['website', readWebsite],
  ['html', readHtmlPage],
  ['markdown', readMarkdownPage],
  ['github-wiki', readWiki],
  ['zip', readZip],
]);

/** Imports that run at a time in a process; each holds some of what it fetches in memory. */
const AT_ONCE = 4;

/** What is imported, and by whom. */
export interface ImportRequest {
  url: string;
  source: ImportSource;
  author: string;
  /** Whether the author may merge, and so import into a locked space. */
  mayMerge: boolean;
}

/** Imports from addresses (decision 5.36). */
@Injectable()
export class ImportService {
  private readonly slots = new Slots(AT_ONCE);

  constructor(
    private readonly writer: ContentWriter,
    private readonly documents: DocumentsService,
    private readonly files: FilesService,
    private readonly outbound: Outbound,
    private readonly converter: Converter,
    private readonly config: Config,
  ) {}

  /**
   * Adds what is found at an address behind the pages of `space`, as one revision.
   *
   * @throws ForbiddenException when the space is locked and the author may not merge; BadRequestException for a source
   * that is not supported and for an address that cannot be fetched or read. Nothing is changed then.
   */
  async import(space: Space, { url, source, author, mayMerge }: ImportRequest): Promise<Imported> {
    checkImportLock(space, mayMerge);
    const read = READERS.get(source);
    if (!read) {
      const supported = [...READERS.keys()].join(', ');
      throw new BadRequestException(`source ${source} is not supported; use one of: ${supported}`);
    }
    return this.slots.run(async () => {
      const run = new ImportRun(this.tools(), space.organization, `${source} into space ${space._id}`);
      run.log('begins');
      const found = await read(run, url);
      const { _id: blank } = await this.documents.put(space.organization, '');
      const insert = async (editor: TreeEditor, present: Space): Promise<void> => {
        checkImportLock(present, mayMerge);
        await insertFound(editor, found, blank);
      };
      const { revision } = await this.writer.write(space._id, author, insert, 'content.import');
      run.log(`${String(found.imported)} of ${String(found.total)} resources imported`);
      return { revision: revision._id, imported: found.imported, total: found.total };
    });
  }

  private tools(): ConstructorParameters<typeof ImportRun>[0] {
    const { outbound, converter, documents, files, config } = this;
    return { outbound, converter, documents, files, config };
  }
}
