import { PickType } from '@nestjs/swagger';
import { CreateInviteDto } from './create-invite.dto.js';

/** Body of `PATCH /v1/orgs/:organizationId/link-invites/:inviteId`: `role`, or `level` of a link to a space. */
export class UpdateInviteDto extends PickType(CreateInviteDto, ['role', 'level']) {}
