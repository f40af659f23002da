import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ForVisitors } from '../auth/index.js';
import { CurrentSpace, RequireSpace, type SpaceAccess } from '../spaces/index.js';
import { ContentAnswers } from './content.answers.js';
import { JSONDocumentView } from './document.view.js';
import { claimsOf, readerKind } from './reader.js';

@ApiTags('content')
@Controller('v1/spaces/:spaceId/documents')
export class DocumentsController {
  constructor(private readonly answers: ContentAnswers) {}

  /** Read a text of the space as a tree of nodes, by the id that its pages and reusable contents name. */
  @Get(':documentId')
  @ForVisitors()
  @RequireSpace('view')
  async getDocumentById(
    @CurrentSpace() access: SpaceAccess,
    @Param('documentId') documentId: string,
  ): Promise<JSONDocumentView> {
    return this.answers.document(access.space, documentId, readerKind(access), claimsOf(access));
  }
}
