import { Body, Controller, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentSite, RequireSite, type SiteAccess } from '../site.guard.js';
import { UpdatePublishingAuthDto } from './dto/update-publishing-auth.dto.js';
import { PublishingAuthView, toPublishingAuth } from './publishing-auth.view.js';
import { VisitorAuthService } from './visitor-auth.service.js';
import { AllOrNothing } from '../../database/index.js';

@ApiTags('sites')
@AllOrNothing()
@Controller('v1/orgs/:organizationId/sites/:siteId/publishing/auth')
export class PublishingAuthController {
  constructor(private readonly visitorAuth: VisitorAuthService) {}

  /** Read how visitors of a site sign in, with the key that signs their tokens. */
  @Get()
  @RequireSite('manage')
  async getSitePublishingAuthById(@CurrentSite() { site }: SiteAccess): Promise<PublishingAuthView> {
    return toPublishingAuth(await this.visitorAuth.get(site));
  }

  /** Update how visitors of a site sign in. */
  @Patch()
  @RequireSite('manage')
  async updateSitePublishingAuthById(
    @CurrentSite() { site }: SiteAccess,
    @Body() body: UpdatePublishingAuthDto,
  ): Promise<PublishingAuthView> {
    return toPublishingAuth(await this.visitorAuth.update(site, { ...body }));
  }

  /** Make a new key; tokens that were signed with the former one are refused from now on. */
  @Post('regenerate')
  @HttpCode(200)
  @RequireSite('manage')
  async regenerateSitePublishingAuthById(@CurrentSite() { site }: SiteAccess): Promise<PublishingAuthView> {
    return toPublishingAuth(await this.visitorAuth.regenerate(site));
  }
}
