import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../auth/index.js';
import { CurrentSite, RequireSite, type SiteAccess } from '../site.guard.js';
import { CustomizationService } from './customization.service.js';
import { CustomizationView, SiteSpaceCustomizationView } from './customization.view.js';
import { CustomizationDto, partOf, PatchCustomizationDto, patchOf } from './dto/customization.dto.js';
import { AllOrNothing } from '../../database/index.js';

@ApiTags('sites')
@AllOrNothing()
@Controller('v1/orgs/:organizationId/sites/:siteId')
export class CustomizationController {
  constructor(private readonly customization: CustomizationService) {}

  /** Read how a site looks. */
  @Get('customization')
  @RequireSite('view')
  getSiteCustomizationById(@CurrentSite() { site }: SiteAccess): Promise<CustomizationView> {
    return this.customization.of(site);
  }

  /** Set how a site looks; what is left out takes its default. */
  @Put('customization')
  @RequireSite('manage')
  updateSiteCustomizationById(
    @CurrentSite() { site }: SiteAccess,
    @CurrentActor() { user }: Actor,
    @Body() body: CustomizationDto,
  ): Promise<CustomizationView> {
    return this.customization.put(site, user, partOf(body));
  }

  /** Read how a site-space looks: as its site, but for what is set for it alone. */
  @Get('site-spaces/:siteSpaceId/customization')
  @RequireSite('view')
  async getSiteSpaceCustomizationById(
    @CurrentSite() { site }: SiteAccess,
    @Param('siteSpaceId') siteSpaceId: string,
  ): Promise<SiteSpaceCustomizationView> {
    const { settings, hasOverrides } = await this.customization.ofSiteSpace(site, siteSpaceId);
    return { ...settings, hasOverrides };
  }

  /** Set for a site-space what differs from its site; `null` takes a setting back. */
  @Patch('site-spaces/:siteSpaceId/customization')
  @RequireSite('manage')
  async overrideSiteSpaceCustomizationById(
    @CurrentSite() { site }: SiteAccess,
    @CurrentActor() { user }: Actor,
    @Param('siteSpaceId') siteSpaceId: string,
    @Body() body: PatchCustomizationDto,
  ): Promise<SiteSpaceCustomizationView> {
    const { settings, hasOverrides } = await this.customization.patch(site, siteSpaceId, user, patchOf(body));
    return { ...settings, hasOverrides };
  }

  /** Take back all that is set for a site-space alone. */
  @Delete('site-spaces/:siteSpaceId/customization')
  @HttpCode(205)
  @RequireSite('manage')
  async deleteSiteSpaceCustomizationById(
    @CurrentSite() { site }: SiteAccess,
    @Param('siteSpaceId') siteSpaceId: string,
  ): Promise<void> {
    await this.customization.remove(site, siteSpaceId);
  }
}
