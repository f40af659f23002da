import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentSite, RequireSite, type SiteAccess } from '../site.guard.js';
import { AdaptiveSchemasService } from './adaptive-schemas.service.js';
import { SiteAdaptiveSchemaView, toAdaptiveSchema } from './adaptive-schema.view.js';
import { PutAdaptiveSchemaDto, schemaOf } from './dto/put-adaptive-schema.dto.js';
import { AllOrNothing } from '../../database/index.js';

@ApiTags('sites')
@AllOrNothing()
@Controller('v1/orgs/:organizationId/sites/:siteId/adaptive-schema')
export class AdaptiveSchemasController {
  constructor(private readonly schemas: AdaptiveSchemasService) {}

  /** Read what a site knows of its visitors; 404 until that was set. */
  @Get()
  @RequireSite('view')
  async getSiteAdaptiveSchema(@CurrentSite() { site }: SiteAccess): Promise<SiteAdaptiveSchemaView> {
    return toAdaptiveSchema(await this.schemas.get(site));
  }

  /** Set what a site knows of its visitors. */
  @Put()
  @RequireSite('manage')
  async updateSiteAdaptiveSchema(
    @CurrentSite() { site }: SiteAccess,
    @Body() body: PutAdaptiveSchemaDto,
  ): Promise<SiteAdaptiveSchemaView> {
    return toAdaptiveSchema(await this.schemas.put(site, schemaOf(body)));
  }
}
