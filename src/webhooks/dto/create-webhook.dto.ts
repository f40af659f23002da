import { ApiPropertyOptional, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { WebhookFields } from './webhook-fields.dto.js';

/** Body of `POST /v1/orgs/:organizationId/webhooks`; it is active unless `active` says otherwise. */
export class CreateWebhookDto extends IntersectionType(
  PickType(WebhookFields, ['url', 'events']),
  PartialType(PickType(WebhookFields, ['active']), { skipNullProperties: false }),
) {
  @ApiPropertyOptional({ default: true })
  override active?: boolean;
}
