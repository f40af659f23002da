import { OneOf, WebAddress } from '../../common/validation.js';
import { IMPORT_SOURCES, type ImportSource } from '../import/import.service.js';

/** Body of `POST /v1/spaces/:spaceId/content/import`. */
export class ImportContentDto {
  /** Where the content is. */
  @WebAddress()
  url!: string;

  /** What is there; website, html, markdown, github-wiki and zip are supported. */
  @OneOf(IMPORT_SOURCES)
  source!: ImportSource;
}
