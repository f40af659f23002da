import { BadRequestException, ForbiddenException, Injectable } from '@nestjs/common';
import { isId } from '../common/ids.js';
import { type Member, OrganizationsService, organizationPermissions } from '../organizations/index.js';

/** Finds the organizations that bodies name, for those who administer them. */
@Injectable()
export class AdministeredOrganizations {
  constructor(private readonly organizations: OrganizationsService) {}

  /**
   * Id of the organization that `named` is, by id or hostname (decision 5.54).
   * @throws BadRequestException when somebody with `members` belongs to none of that name, ForbiddenException when they do not
   * administer it.
   */
  async byName(named: string, members: ReadonlyMap<string, Member>): Promise<string> {
    const id = isId(named) && members.has(named) ? named : await this.organizations.holderOf(named.toLowerCase());
    return this.byId(id ?? '', members);
  }

  /** The same by id alone. */
  byId(id: string, members: ReadonlyMap<string, Member>): string {
    const member = members.get(id);
    if (!member) throw new BadRequestException('organization must name an organization that you belong to');
    if (!organizationPermissions(member).admin) {
      throw new ForbiddenException('organization: this takes an administrator of the organization');
    }
    return id;
  }
}
