import { Controller, Get, NotFoundException, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationsService } from './organizations.service.js';
import { SubdomainView, toSubdomain } from './subdomain.view.js';

@ApiTags('organizations')
@Controller('v1/subdomains')
export class SubdomainsController {
  constructor(private readonly organizations: OrganizationsService) {}

  /** Read which organization holds a subdomain. */
  @Get(':subdomain')
  async getSubdomain(@Param('subdomain') subdomain: string): Promise<SubdomainView> {
    const organization = await this.organizations.holderOf(subdomain);
    if (organization === null) throw new NotFoundException('Subdomain not found');
    return toSubdomain(subdomain, organization);
  }
}
