import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';
import { Optional, Text } from '../../common/validation.js';
import { MAX_REQUESTED, MAX_SUBJECT } from '../change-request.schema.js';

const USERS = `users must be a list of at most ${String(MAX_REQUESTED)} ids of people`;

/** Body of `POST /v1/spaces/:spaceId/change-requests/:changeRequestId/requested-reviewers`. */
export class RequestReviewersDto {
  /** Ids of the people to ask; each must have the role `review` or a higher one in the space. */
  @ApiProperty({ type: [String], maxItems: MAX_REQUESTED })
  @IsArray({ message: USERS })
  @ArrayMaxSize(MAX_REQUESTED, { message: USERS })
  @IsString({ each: true, message: USERS })
  // no id is longer, and the refusal repeats them
  @MaxLength(64, { each: true, message: USERS })
  users!: string[];

  /** A new subject of the change request. */
  @Optional()
  @Text(0, MAX_SUBJECT)
  subject?: string;
}
