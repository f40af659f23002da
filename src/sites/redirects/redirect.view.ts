import { ApiProperty } from '@nestjs/swagger';
import { PageOf } from '../../common/page.dto.js';
import type { RedirectDestination } from './redirect.schema.js';

const id = { type: 'string' } as const;
const to = (kind: string, ...ids: string[]) => ({
  type: 'object' as const,
  properties: { kind: { type: 'string', enum: [kind] }, ...Object.fromEntries(ids.map((name) => [name, id])) },
  required: ['kind', ...ids],
});

/** The shapes of a destination, for the description. */
export const DESTINATION = {
  oneOf: [
    to('site-section', 'siteSectionId'),
    to('site-space', 'siteSpaceId'),
    to('site-page', 'siteSpaceId', 'pageId'),
  ],
};

/** What a redirect is, written or not. */
export interface ShownRedirect {
  id: string;
  source: string;
  destination: RedirectDestination;
}

/** A redirect, as the API returns it. */
export class SiteRedirectView {
  object!: 'site-redirect';
  /** `automatic` where nobody wrote it: something on the site was moved. */
  id!: string;
  /** The path below the address of the site. */
  source!: string;
  @ApiProperty(DESTINATION)
  destination!: RedirectDestination;
}

export class SiteRedirectPage extends PageOf(SiteRedirectView) {}

/** Shapes a redirect. */
export function toRedirect({ id, source, destination }: ShownRedirect): SiteRedirectView {
  return { object: 'site-redirect', id, source, destination };
}
