import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  NotFoundException,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiParam, ApiQuery } from '@nestjs/swagger';
import type { Request } from 'express';
import { type Caller, callerOf, isVisitor } from '../auth/index.js';
import { Needs } from '../common/fails.js';
import { Found } from '../common/found.js';
import { isId } from '../common/ids.js';
import { requirePermission } from '../common/permissions.js';
import { type Member, MembersService, type Organization, OrganizationsService } from '../organizations/index.js';
import { type Audience, SpacesService } from '../spaces/index.js';
import { ShareLinksService } from './share-links/share-links.service.js';
import { audienceAdmits, seesEverySite, type SitePermissions, sitePermissions } from './site.policy.js';
import type { Site } from './site.schema.js';
import { SitesService } from './sites.service.js';

/** The site of a request's path, with what the caller is to it. */
export interface SiteAccess {
  /** Its settings may be a second old: for showing only. */
  organization: Organization;
  /** The caller's membership in the organization of the site; `null`: a stranger, or a visitor. */
  member: Member | null;
  site: Site;
  permissions: SitePermissions;
  /** As whom the caller looks at what is published. */
  audience: Audience;
  /** Whether the site is published and admits the caller. */
  admitted: boolean;
  /** The key that the request came with, where it is that of an active share link of the site; else `null`. */
  shareKey: string | null;
}

const NEEDED = 'colophon:site-permission';
const ACCESS = new Found<SiteAccess>('RequireSite');

type NamingRequest = Request<{ organizationId?: string; siteId?: string }>;

/** Loads the site that the path names and asks the policy. Three reads, and two more for guests or for a share key. */
@Injectable()
export class SiteGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sites: SitesService,
    private readonly shareLinks: ShareLinksService,
    private readonly members: MembersService,
    private readonly organizations: OrganizationsService,
    private readonly spaces: SpacesService,
  ) {}

  /** @throws NotFoundException for whoever may not see the site, ForbiddenException for who lacks the permission. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<NamingRequest>();
    const needed = this.reflector.get<keyof SitePermissions>(NEEDED, context.getHandler());
    const { organizationId = '', siteId = '' } = request.params;
    const caller = callerOf(request);
    const visitor = isVisitor(caller) ? caller : null;
    const member = await this.membership(organizationId, caller);
    if (!member && needed !== 'published') throw new NotFoundException('Organization not found');
    const site = await this.sites.find(organizationId, siteId);
    if (!site) throw new NotFoundException('Site not found');
    const shareKey = needed === 'published' ? await this.acceptedKey(site, caller, request.query.shareKey) : null;
    // whoever sends a token of a site was let in when it was made, and is known to be let in still
    const admitted = visitor ? visitor.site === site._id : audienceAdmits(site, { shareKey: shareKey !== null });
    const permissions = sitePermissions(member, { onSpace: await this.isOnSpace(site, member), admitted });
    requirePermission(
      { ...permissions, view: permissions[needed === 'published' ? 'published' : 'view'] },
      needed,
      'Site',
    );
    const organization = await this.organizations.settings(site.organization);
    const audience = { visitor, member, ...(shareKey !== null && { shareKey }) };
    ACCESS.keep(request, { organization, member, site, permissions, audience, admitted, shareKey });
    return true;
  }

  /** Whether `member` has an effective role in a space of the site; asked for those only who do not see it anyway. */
  private async isOnSpace({ organization, spaces }: Site, member: Member | null): Promise<boolean> {
    if (!member || seesEverySite(member) || spaces.length === 0) return false;
    return (await this.spaces.visibleAmong(organization, spaces, member)).length > 0;
  }

  private async membership(organization: string, caller: Caller): Promise<Member | null> {
    return isVisitor(caller) || !isId(organization) ? null : this.members.find(organization, caller.user);
  }

  /**
   * `key`, if it is that of an active share link of `site`, and that is how the site is read; for a visitor, the key of the
   * link that they came by.
   */
  private async acceptedKey({ _id, visibility }: Site, caller: Caller, key: unknown): Promise<string | null> {
    if (visibility !== 'share-link') return null;
    if (isVisitor(caller))
      return caller.shareLink === undefined ? null : this.shareLinks.activeKey(_id, caller.shareLink);
    if (typeof key !== 'string') return null;
    return (await this.shareLinks.accepted(_id, key)) ? key : null;
  }
}

/**
 * Demands `permission` on the site that the path names; who may not see it gets 404. With `published`, strangers whom the
 * published site admits pass too, if need be by the `shareKey` of the query.
 */
export const RequireSite = (permission: keyof SitePermissions) =>
  applyDecorators(
    SetMetadata(NEEDED, permission),
    // who lacks another permission does not see the site
    Needs(permission === 'manage' ? 'manage' : 'view'),
    UseGuards(SiteGuard),
    ApiParam({ name: 'organizationId', type: String, description: 'Id of the organization.' }),
    ApiParam({ name: 'siteId', type: String, description: 'Id of the site.' }),
    ...(permission === 'published'
      ? [ApiQuery({ name: 'shareKey', type: String, required: false, description: 'Secret of a share link.' })]
      : []),
  );

/** What {@link RequireSite} found for `request`: for the guards of what stands on a site. */
export const siteAccessOf = (request: Request): SiteAccess => ACCESS.of(request);

/** Hands the {@link SiteAccess} of {@link RequireSite} to a controller's method. */
export const CurrentSite = ACCESS.parameter;
