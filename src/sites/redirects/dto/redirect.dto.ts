import { applyDecorators } from '@nestjs/common';
import { ApiProperty, PartialType } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { isId } from '../../../common/ids.js';
import type { RedirectDestination } from '../redirect.schema.js';
import { DESTINATION } from '../redirect.view.js';
import { isSource, MAX_SOURCE, SOURCE } from '../source.js';

/** The ids that a destination of each kind names. */
const IDS: Record<RedirectDestination['kind'], string[]> = {
  'site-section': ['siteSectionId'],
  'site-space': ['siteSpaceId'],
  'site-page': ['siteSpaceId', 'pageId'],
};

/** What is wrong with `value` as a destination; `undefined`: nothing. */
function mistakeIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'destination must be an object';
  const members = new Map<string, unknown>(Object.entries(value));
  const kind = members.get('kind');
  const ids = Object.entries(IDS).find(([name]) => name === kind)?.[1];
  if (!ids) return `destination.kind must be one of: ${Object.keys(IDS).join(', ')}`;
  const wrong = ids.find((name) => !isId(members.get(name)));
  return wrong === undefined
    ? undefined
    : `destination.${wrong} must be an id: 1 to 64 characters of A-Z, a-z, 0-9, - and _`;
}

function Destination(): PropertyDecorator {
  return applyDecorators(
    ApiProperty(DESTINATION),
    ValidateBy({
      name: 'destination',
      validator: {
        validate: (value: unknown) => mistakeIn(value) === undefined,
        defaultMessage: (args) => mistakeIn(args?.value) ?? '',
      },
    }),
  );
}

/** Body of `POST /v1/orgs/:organizationId/sites/:siteId/redirects`. */
export class CreateRedirectDto {
  /** The path below the address of the site, such as `/old/page`: safe in addresses, without a slash at its end. */
  @ApiProperty({ type: 'string', maxLength: MAX_SOURCE, pattern: SOURCE.source })
  @ValidateBy({
    name: 'source',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isSource(value),
      defaultMessage: () =>
        `source must be a path of at most ${String(MAX_SOURCE)} characters, such as /old/page: letters, digits, "-", ".", "_", "~" and percent-encoded UTF-8, without a slash at its end`,
    },
  })
  source!: string;

  /** Where it leads. */
  @Destination()
  destination!: RedirectDestination;
}

/** Body of `PATCH /v1/orgs/:organizationId/sites/:siteId/redirects/:siteRedirectId`; an absent field is left as it is. */
export class UpdateRedirectDto extends PartialType(CreateRedirectDto, { skipNullProperties: false }) {}

/** `destination` with the fields of its kind alone. */
export function destinationOf(destination: RedirectDestination): RedirectDestination {
  if (destination.kind === 'site-section') {
    return { kind: destination.kind, siteSectionId: destination.siteSectionId };
  }
  const { kind, siteSpaceId } = destination;
  return kind === 'site-space' ? { kind, siteSpaceId } : { kind, siteSpaceId, pageId: destination.pageId };
}
