import { BadRequestException, ForbiddenException, Injectable } from '@nestjs/common';
import { isId } from '../common/ids.js';
import { atLeast } from '../common/roles.js';
import type { Member } from '../organizations/index.js';
import { type Space, SpacesService } from '../spaces/index.js';

/** The spaces that somebody may put on a site (decision 5.3). */
@Injectable()
export class AttachableSpaces {
  constructor(private readonly spaces: SpacesService) {}

  /** The space `id`, for the property `spaceId`. @throws as {@link many}. */
  async one(organization: string, member: Member | null, id: string): Promise<Space> {
    const [space] = await this.many(organization, member, [id], 'spaceId');
    if (!space) throw new Error('The space was checked and is not there');
    return space;
  }

  /**
   * The spaces `ids` of `organization`, in that order. Two reads.
   *
   * @throws BadRequestException naming `property` for one that is not there, in the trash or not for `member` to see,
   * ForbiddenException for one in which `member` lacks `create`.
   */
  async many(
    organization: string,
    member: Member | null,
    ids: readonly string[],
    property = 'spaces',
  ): Promise<Space[]> {
    const listed = await this.spaces.listMany(organization, [...new Set(ids)].filter(isId), member);
    const seen = new Map(listed.filter(({ role }) => role !== null).map((one) => [one.space._id, one]));
    const wanted = ids.map((id) => {
      const one = seen.get(id);
      if (!one) throw absent(property);
      return one;
    });
    if (wanted.some(({ role }) => !atLeast(role, 'create')))
      throw new ForbiddenException(`${property}: putting a space on a site takes the permission to create in it`);
    return wanted.map(({ space }) => space);
  }

  /**
   * Has the spaces `ids` of `organization` stay where they are until the surrounding transaction is over.
   * @throws BadRequestException naming `property` when one has gone meanwhile.
   */
  async hold(organization: string, ids: readonly string[], property = 'spaceId'): Promise<void> {
    if ((await this.spaces.hold(organization, ids)) < new Set(ids).size) throw absent(property);
  }

  /** Title of the space `id`, in the trash or not; empty when it is gone. */
  async titleOf(id: string): Promise<string> {
    return (await this.spaces.find(id))?.title ?? '';
  }
}

const absent = (property: string): BadRequestException =>
  new BadRequestException(`${property} must name spaces of this organization that you can see, not in the trash`);
