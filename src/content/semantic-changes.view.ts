import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ChangedAttributes, FileEntry, PageKind, SemanticChange, SemanticChanges } from '../revisions/index.js';
import { ChangeRequestView } from './change-request.view.js';
import type { PageContext } from './page.view.js';

/** A page that changed: as it is afterwards, or was before it was deleted. */
export class ChangedPageSummaryView {
  id!: string;
  type!: PageKind;
  title!: string;
  /** Of documents and groups. */
  path?: string;
}

/** The pages that a moved page lay and lies under; left out: the top. */
export class ChangedParentView {
  before?: ChangedPageSummaryView;
  after?: ChangedPageSummaryView;
}

/** A file that changed. */
export class ChangedFileView {
  id!: string;
  name!: string;
  contentType!: string;
  /** Address of the bytes; it needs no token and works until the end of the next full hour. */
  downloadURL!: string;
}

/** A reusable content that changed. */
export class ChangedReusableContentView {
  id!: string;
  title!: string;
  /** Id of the text. */
  document!: string;
}

/** One thing that happened. `page`, `file` or `reusableContent` is what it happened to. */
export class SemanticChangeView {
  @ApiProperty({
    enum: [
      'page_created',
      'page_edited',
      'page_deleted',
      'page_moved',
      'file_created',
      'file_edited',
      'file_deleted',
      'reusable_content_created',
      'reusable_content_edited',
      'reusable_content_deleted',
    ],
  })
  type!: SemanticChange['type'];
  page?: ChangedPageSummaryView;
  /** Of `page_moved`. */
  parent?: ChangedParentView;
  file?: ChangedFileView;
  reusableContent?: ChangedReusableContentView;
  /** Of what was edited: the properties that changed, each with its value `before` and `after`, absent where it has none. */
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'object', properties: { before: {}, after: {} } },
    example: { title: { before: 'Old', after: 'New' } },
  })
  attributes?: ChangedAttributes;
}

/** What happened between a revision and the one that it was made from. */
export class SemanticChangesView {
  /** Pages, then files, then reusable contents. */
  changes!: SemanticChangeView[];
  /** How many more there are than were asked for. */
  more?: number;
  /** Of a `merge`: the change request. */
  mergedFrom?: ChangeRequestView;
}

/** Shapes what happened; `link` makes the signed address of a file. */
export function toSemanticChanges(
  { changes, more }: SemanticChanges,
  { documentId }: PageContext,
  link: (file: FileEntry) => string,
): SemanticChangesView {
  const shape = new Shape(documentId, link);
  return { changes: changes.map((change) => shape.change(change)), ...(more !== undefined && { more }) };
}

class Shape {
  constructor(
    private readonly documentId: (key: string) => string,
    private readonly link: (file: FileEntry) => string,
  ) {}

  change(change: SemanticChange): SemanticChangeView {
    switch (change.type) {
      case 'page_created':
      case 'page_deleted':
      case 'page_moved':
        return change;
      case 'page_edited':
        return { ...change, attributes: this.attributes(change.attributes) };
      case 'file_created':
      case 'file_deleted':
        return { type: change.type, file: this.file(change.file) };
      case 'file_edited': {
        const { type, file, before, attributes } = change;
        const moved = before.blob !== file.blob && {
          downloadURL: { before: this.link(before), after: this.link(file) },
        };
        return { type, file: this.file(file), attributes: { ...attributes, ...moved } };
      }
      case 'reusable_content_created':
      case 'reusable_content_deleted':
      case 'reusable_content_edited': {
        const { id, title, document } = change.reusableContent;
        return {
          type: change.type,
          reusableContent: { id, title, document: this.documentId(document) },
          ...('attributes' in change && { attributes: this.attributes(change.attributes) }),
        };
      }
    }
  }

  private file(file: FileEntry): ChangedFileView {
    const { id, name, contentType } = file;
    return { id, name, contentType, downloadURL: this.link(file) };
  }

  /** `attributes` with the ids of texts in the place of their keys. */
  private attributes({ document, ...rest }: ChangedAttributes): ChangedAttributes {
    if (document === undefined) return rest;
    const { before, after } = document;
    return {
      ...rest,
      document: {
        ...(typeof before === 'string' && { before: this.documentId(before) }),
        ...(typeof after === 'string' && { after: this.documentId(after) }),
      },
    };
  }
}
