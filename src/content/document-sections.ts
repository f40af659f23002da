import { Injectable } from '@nestjs/common';
import { DocumentsService } from '../revisions/index.js';
import { PageTexts } from './page-texts.js';
import { type Section, SectionSource } from './search/index.js';
import { beforeConditions, mayBeCut, toldSections } from './told-sections.js';

/** Gives search the sections that were read out of the stored texts. */
@Injectable()
export class DocumentSections extends SectionSource {
  constructor(
    private readonly documents: DocumentsService,
    private readonly texts: PageTexts,
  ) {
    super();
  }

  /** The sections of each text, by its key; texts that are not there are left out. */
  override async sections(keys: string[]): Promise<Map<string, Section[]>> {
    const found = await this.documents.sections(keys);
    return new Map([...found].map(([key, sections]) => [key, [...sections]]));
  }

  /** What every visitor is shown of the texts that have conditions or expressions. */
  override async cut(documents: ReadonlyMap<string, Section[]>): Promise<Map<string, Section[]>> {
    const found = new Map<string, Section[]>();
    for (const [key, sections] of documents) {
      if (!mayBeCut(sections)) continue;
      const told = beforeConditions(sections) ?? toldSections(await this.texts.written(key));
      if (told) found.set(key, told);
    }
    return found;
  }
}
