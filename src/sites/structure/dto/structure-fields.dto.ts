import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { Nullable, Text } from '../../../common/validation.js';
import { PATH } from '../paths.js';

/** A segment of addresses: `a-z0-9` in runs joined by single `-`, `.` or `_`. */
export const Path = (): PropertyDecorator => (target, property) => {
  Text(1, 100)(target, property);
  Matches(PATH, {
    message: '$property must be one segment: lower-case letters and digits, in runs joined by single "-", "." or "_"',
  })(target, property);
};

/** The expression that decides whether a visitor is shown something; `null` removes it. */
export const Condition = (): PropertyDecorator => (target, property) => {
  Nullable()(target, property);
  Text(1, 1024)(target, property);
  ApiProperty({ type: String, nullable: true, required: false, minLength: 1, maxLength: 1024 })(target, property);
};

/** The name of an icon; `null` removes it. */
export const Icon = (): PropertyDecorator => (target, property) => {
  Nullable()(target, property);
  Text(0, 50)(target, property);
  ApiProperty({ type: String, nullable: true, required: false, maxLength: 50 })(target, property);
};

/** What operations that put a space on a site are told. */
export class SpaceReferenceFields {
  /** Id of a space of the organization; you need the permission to create in it. */
  @IsString()
  spaceId!: string;
}
