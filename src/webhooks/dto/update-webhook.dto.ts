import { PartialType } from '@nestjs/swagger';
import { WebhookFields } from './webhook-fields.dto.js';

/** Body of `PATCH /v1/orgs/:organizationId/webhooks/:webhookId`; an absent field is left as it is. */
export class UpdateWebhookDto extends PartialType(WebhookFields, { skipNullProperties: false }) {}
