import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { parsedUrl } from '../../../common/parsed-url.js';
import { Nullable, OneOf, Optional, WebAddress } from '../../../common/validation.js';
import { AUTH_BACKENDS, type AuthBackend } from '../visitor-auth.schema.js';

/** Where sites say which page a visitor wanted (domain 6.1). */
const TAKEN = 'location';

function hasNoLocation(value: unknown): boolean {
  return typeof value !== 'string' || !parsedUrl(value)?.searchParams.has(TAKEN);
}

/** Body of `PATCH /v1/orgs/:organizationId/sites/:siteId/publishing/auth`; an absent field is left as it is. */
export class UpdatePublishingAuthDto {
  @Optional()
  @OneOf(AUTH_BACKENDS)
  backend?: AuthBackend;

  /** Where visitors without a valid token are sent, with the page that they wanted as `location`; `null` removes it. */
  @Nullable()
  @WebAddress()
  @ValidateBy({
    name: 'fallbackURL',
    validator: {
      validate: hasNoLocation,
      defaultMessage: () => `fallbackURL must have no parameter ${TAKEN}: the page that visitors wanted is given there`,
    },
  })
  @ApiProperty({ type: String, format: 'uri', nullable: true, required: false, maxLength: 2048 })
  fallbackURL?: string | null;
}
