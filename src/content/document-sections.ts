import { Injectable } from '@nestjs/common';
import { DocumentsService } from '../revisions/index.js';
import { type Section, SectionSource } from './search/index.js';

/** Gives search the sections that were read out of the stored texts. */
@Injectable()
export class DocumentSections extends SectionSource {
  constructor(private readonly documents: DocumentsService) {
    super();
  }

  /** The sections of each text, by its key; texts that are not there are left out. */
  override async sections(keys: string[]): Promise<Map<string, Section[]>> {
    const found = await this.documents.sections(keys);
    return new Map([...found].map(([key, sections]) => [key, [...sections]]));
  }
}
