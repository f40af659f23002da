import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString } from 'class-validator';
import { Text } from '../../common/validation.js';

/** People that one request names, at the most. */
export const MAX_NAMED = 1000;

/** A list of at most {@link MAX_NAMED} texts. */
export const Named = (): PropertyDecorator => (target, property) => {
  const name = String(property);
  const message = `${name} must be an array of at most ${String(MAX_NAMED)} strings`;
  ApiProperty({ type: [String], maxItems: MAX_NAMED })(target, property);
  IsArray({ message })(target, property);
  ArrayMaxSize(MAX_NAMED, { message })(target, property);
  IsString({ each: true, message })(target, property);
};

/** The fields of a team that bodies set. */
export class TeamFields {
  @Text(1, 64)
  @ApiProperty({ example: 'Writers' })
  title!: string;

  /** Ids of members of the organization; they join as `member`. */
  @Named()
  members!: string[];
}
