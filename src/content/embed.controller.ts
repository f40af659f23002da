import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ForVisitors } from '../auth/index.js';
import { RequireSpace } from '../spaces/index.js';
import { EmbedQuery } from './dto/embed-query.dto.js';
import { EmbedView, toEmbed } from './embed.view.js';

@ApiTags('content')
@Controller('v1/spaces/:spaceId/embed')
export class EmbedController {
  /** Read what a page of the space shows of a foreign address. The address itself is not fetched. */
  @Get()
  @ForVisitors()
  @RequireSpace('view')
  getEmbedByUrlInSpace(@Query() { url }: EmbedQuery): EmbedView {
    return toEmbed(url);
  }
}
