import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsBoolean, IsIn } from 'class-validator';
import { DeliveryAddress } from '../delivery-address.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../webhook-events.js';

const NAMES = `events must be an array of one or more of: ${WEBHOOK_EVENTS.join(', ')}; each once`;

/** The fields of a webhook that bodies set. */
export class WebhookFields {
  /** Where deliveries are sent to, by POST. */
  @DeliveryAddress()
  @ApiProperty({ example: 'https://example.org/hooks/docs' })
  url!: string;

  /** What it is told of. */
  @ApiProperty({ type: 'string', enum: WEBHOOK_EVENTS, isArray: true, minItems: 1, uniqueItems: true })
  @IsArray({ message: NAMES })
  @ArrayMinSize(1, { message: NAMES })
  @ArrayMaxSize(WEBHOOK_EVENTS.length, { message: NAMES })
  @ArrayUnique({ message: NAMES })
  @IsIn(WEBHOOK_EVENTS, { each: true, message: NAMES })
  events!: WebhookEvent[];

  /** Whether it is told of anything at all; `true` once more after the service switched it off. */
  @IsBoolean()
  active!: boolean;
}
