import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audit, AuditEventPage, toAuditEvent } from '../audit/index.js';
import { mapPage } from '../common/page.dto.js';
import { ListAuditEventsDto } from './dto/list-audit-events.dto.js';
import { CurrentOrganization, type OrganizationAccess, RequireOrganization } from './organization.guard.js';

@ApiTags('organizations')
@Controller('v1/orgs/:organizationId/audit-events')
export class AuditEventsController {
  constructor(private readonly audit: Audit) {}

  /** List who did what in an organization, the latest first. */
  @Get()
  @RequireOrganization('admin')
  async listAuditEvents(
    @CurrentOrganization() { organization }: OrganizationAccess,
    @Query() { actor, from, to, ...query }: ListAuditEventsDto,
  ): Promise<AuditEventPage> {
    const page = await this.audit.list(organization._id, {
      ...query,
      ...(actor !== undefined && { actor: actor === 'system' ? null : actor }),
      ...(from !== undefined && { from: new Date(from) }),
      ...(to !== undefined && { to: new Date(to) }),
    });
    return mapPage(page, toAuditEvent);
  }
}
