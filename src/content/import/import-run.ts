import { BadRequestException, Logger } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import type { Config } from '../../config/index.js';
import { type Fetched, type Outbound, OutboundError } from '../../outbound/index.js';
import type { ContentError, DocumentRecord, DocumentsService, FileEntry } from '../../revisions/index.js';
import { ConversionError } from '../conversion/conversion-error.js';
import type { Converter } from '../conversion/converter.js';
import type { Jobs } from '../conversion/jobs.js';
import type { FilesService, NewFile } from '../files/index.js';
import type { FolderRun } from './folder-run.js';
import { FolderStore } from './folder-store.js';
import { Slots } from '../../common/slots.js';
import type { SummaryEntry } from './summary.js';

/** What an import works with. */
export interface ImportTools {
  outbound: Outbound;
  converter: Converter;
  documents: DocumentsService;
  files: FilesService;
  config: Config;
}

/** Requests at a time, so that the other side is not pressed. */
const AT_ONCE = 4;
/** Time for one resource, ms. */
const MAX_WAIT = 20_000;
/** Resources between two messages of progress. */
const STEP = 25;

/** One import while it runs: its limits, and the ways to the world and into the store. */
export class ImportRun implements FolderRun {
  /** What tells this import from every other. */
  readonly secret = newId();
  readonly maxPages: number;
  readonly maxBytes: number;
  /** What cannot be read is left out, as long as there is something that can be. */
  readonly strict = false;
  private readonly slots = new Slots(AT_ONCE);
  private readonly store: FolderStore;
  private readonly clock: AbortSignal;
  private readonly logger = new Logger('Import');
  private fetched = 0;

  /** @param name What the log calls it. */
  constructor(
    private readonly tools: ImportTools,
    organization: string,
    private readonly name: string,
  ) {
    const { IMPORT_MAX_PAGES, IMPORT_MAX_FILES, IMPORT_MAX_BYTES, IMPORT_TIMEOUT } = tools.config;
    this.store = new FolderStore(tools, organization, IMPORT_MAX_FILES);
    this.maxPages = IMPORT_MAX_PAGES;
    this.maxBytes = IMPORT_MAX_BYTES;
    this.clock = AbortSignal.timeout(IMPORT_TIMEOUT * 1000);
  }

  /** Whether the time for fetching is over: what is there by now is what is imported. */
  get isOver(): boolean {
    return this.clock.aborted;
  }

  /** Ends when the time for fetching is over. */
  get signal(): AbortSignal {
    return this.clock;
  }

  /** Tells of something that happens to the import. */
  log(message: string): void {
    this.logger.log(`${this.name}: ${message}`);
  }

  /** What `address` answers. @throws OutboundError */
  async fetch(address: string, accept = '*/*'): Promise<Fetched> {
    return this.slots.run(async () => {
      const answer = await this.tools.outbound.fetch(address, {
        accept,
        maxBytes: this.maxBytes,
        timeout: MAX_WAIT,
        signal: this.clock,
      });
      this.fetched += 1;
      if (this.fetched % STEP === 0) this.log(`${String(this.fetched)} resources fetched`);
      return answer;
    });
  }

  /** What `address` answers with success, if it does. */
  async tryFetch(address: string, accept?: string): Promise<Fetched | undefined> {
    try {
      const answer = await this.fetch(address, accept);
      if (isSuccess(answer)) return answer;
      this.skip(address, `status ${String(answer.status)}`);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      this.skip(address, error.message);
    }
    return undefined;
  }

  /** What the address to import answers, with success. @throws BadRequestException saying why it cannot be imported. */
  async fetchStart(address: string, accept: string): Promise<Fetched> {
    const answer = await this.fetchNeeded(address, accept);
    if (isSuccess(answer)) return answer;
    throw cannotImport(`it answers with status ${String(answer.status)}`);
  }

  /** What `address`, without which there is no import, answers. @throws BadRequestException when it does not. */
  async fetchNeeded(address: string, accept: string): Promise<Fetched> {
    try {
      return await this.fetch(address, accept);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw cannotImport(this.isOver ? 'it does not answer within the time that an import has' : error.message);
    }
  }

  /** Does a piece of work beside the service. @throws ConversionError */
  convert<K extends keyof Jobs>(kind: K, input: Jobs[K]['input']): Promise<Jobs[K]['output']> {
    return this.tools.converter.run(kind, input);
  }

  /** As {@link convert}, of something that the import can do without. */
  async tryConvert<K extends keyof Jobs>(
    kind: K,
    input: Jobs[K]['input'],
    address: string,
  ): Promise<Jobs[K]['output'] | undefined> {
    try {
      return await this.convert(kind, input);
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      this.skip(address, error.message);
      return undefined;
    }
  }

  /** As {@link convert}, of what there is no import without. @throws BadRequestException */
  async convertStart<K extends keyof Jobs>(kind: K, input: Jobs[K]['input']): Promise<Jobs[K]['output']> {
    try {
      return await this.convert(kind, input);
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      throw cannotImport(`what is there ${error.message}`);
    }
  }

  /** What a table of contents says. @throws BadRequestException for one that takes too long to read. */
  outline(summary: string): Promise<SummaryEntry[]> {
    return this.convertStart('summary', summary);
  }

  /** Stores texts, as `FolderStore` does. */
  storeTexts(texts: readonly string[]): Promise<(DocumentRecord | ContentError)[]> {
    return this.store.texts(texts);
  }

  /** Stores files, as `FolderStore` does. */
  storeFiles(
    names: Iterable<string>,
    load: (name: string) => Promise<NewFile | undefined>,
  ): Promise<{ files: Map<string, FileEntry>; total: number }> {
    return this.store.files(names, load);
  }

  /** As {@link cannotImport}. */
  refuse(why: string): BadRequestException {
    return cannotImport(why);
  }

  private skip(address: string, why: string): void {
    this.logger.debug(`${this.name}: ${address.slice(0, 200)} is left out: ${why}`);
  }
}

/** The answer to whoever gave an address that cannot be imported. */
export function cannotImport(why: string): BadRequestException {
  return new BadRequestException(`url cannot be imported: ${why}`);
}

function isSuccess({ status }: Fetched): boolean {
  return status >= 200 && status < 300;
}
