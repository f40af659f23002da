import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../auth/index.js';
import { Fails } from '../../common/fails.js';
import { AppAddressQuery } from '../dto/app-address.dto.js';
import { AppContentView } from './app-address.view.js';
import { AppContentService } from './app-content.service.js';

@ApiTags('content')
@Controller('v1/urls/content')
export class AppContentController {
  constructor(private readonly content: AppContentService) {}

  /** Find the collection, or the space with the change request and the page, that an address in the application names. */
  @Get()
  @Fails(404)
  async getContentByUrl(@CurrentActor() { user }: Actor, @Query() { url }: AppAddressQuery): Promise<AppContentView> {
    return this.content.find(url, user);
  }
}
