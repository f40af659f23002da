import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsBoolean, ValidateBy } from 'class-validator';
import { Optional } from '../../common/validation.js';
import { isListOfUsers, MAX_BYPASS, MAX_RULES, type MergeRule, mistakeInRules } from '../merge-rules.js';
import { RULE } from '../merge-rules.view.js';

const Rules = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'array', maxItems: MAX_RULES, items: RULE }),
    ValidateBy({
      name: 'rules',
      validator: {
        validate: (value: unknown) => mistakeInRules(value) === undefined,
        defaultMessage: (args) => mistakeInRules(args?.value) ?? '',
      },
    }),
  );

const People = (max: number): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: [String], maxItems: max }),
    ValidateBy({
      name: 'people',
      validator: {
        validate: (value: unknown) => isListOfUsers(value, max),
        defaultMessage: () => `$property must be a list of at most ${String(max)} ids of people, each once`,
      },
    }),
  );

/** Body of `PUT /v1/spaces/:spaceId/merge-rules`. */
export class SpaceMergeRulesDto {
  /** Whether the rules of the organization hold too. */
  @ApiPropertyOptional({ default: true })
  @Optional()
  @IsBoolean({ message: 'inherit must be true or false' })
  inherit?: boolean;

  /** All of them must pass; at most 20. */
  @Rules()
  rules!: MergeRule[];

  /** Ids of the people who may merge although a rule fails. */
  @People(MAX_BYPASS)
  bypass!: string[];
}

/** Body of `PUT /v1/orgs/:organizationId/merge-rules`. */
export class OrganizationMergeRulesDto extends OmitType(SpaceMergeRulesDto, ['inherit']) {}
