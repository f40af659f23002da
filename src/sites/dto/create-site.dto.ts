import { ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { OptionalBody } from '../../common/input.pipe.js';
import { OneOf, Optional } from '../../common/validation.js';
import { SITE_TYPES, SITE_VISIBILITIES, type SiteType, type SiteVisibility } from '../site.schema.js';
import { MAX_SITE_SPACES } from '../structure/structure.js';
import { SiteFields } from './site-fields.dto.js';

/** What a site can begin with instead of spaces: a new one, with example pages or without pages (decision 5.1). */
export const NEW_SPACES = ['sample', 'empty'] as const;
export type NewSpace = (typeof NEW_SPACES)[number];

const areSpaces = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length <= MAX_SITE_SPACES && value.every((one) => typeof one === 'string')
    : NEW_SPACES.some((one) => one === value);

/** Body of `POST /v1/orgs/:organizationId/sites`; it may be left out. */
@OptionalBody()
export class CreateSiteDto extends PartialType(PickType(SiteFields, ['title']), {
  skipNullProperties: false,
}) {
  @Optional()
  @OneOf(SITE_TYPES)
  @ApiPropertyOptional({ default: 'basic' })
  type?: SiteType;

  /** Whom the site admits while it is published. */
  @Optional()
  @OneOf(SITE_VISIBILITIES)
  @ApiPropertyOptional({ default: 'public' })
  visibility?: SiteVisibility;

  /** Ids of the spaces to put on the site, in that order; or `sample` or `empty` for a new space. */
  @Optional()
  @ValidateBy({
    name: 'siteSpaces',
    validator: {
      validate: areSpaces,
      defaultMessage: () =>
        `spaces must be an array of at most ${String(MAX_SITE_SPACES)} ids, or one of: ${NEW_SPACES.join(', ')}`,
    },
  })
  @ApiPropertyOptional({
    oneOf: [
      { type: 'array', items: { type: 'string' }, maxItems: MAX_SITE_SPACES },
      { type: 'string', enum: [...NEW_SPACES] },
    ],
  })
  spaces?: string[] | NewSpace;
}
