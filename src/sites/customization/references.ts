import type { ContentRef } from '../../revisions/index.js';
import type { ContentLink } from './content-link.js';
import type { CustomizationPart, CustomizationPatch } from './settings.js';

/** A reference in settings, and where it stands. */
export interface PlacedRef {
  at: string;
  ref: ContentRef;
}

/** Every reference in `part`. */
export function referencesIn(part: CustomizationPart | CustomizationPatch): PlacedRef[] {
  const { header, footer, announcement } = part;
  return [
    ...(header?.links ?? []).flatMap(({ to, links }, index) => [
      ...(to ? [{ at: `header.links.${String(index)}.to`, ref: to }] : []),
      ...inLinks(links, `header.links.${String(index)}`),
    ]),
    ...(footer?.groups ?? []).flatMap(({ links }, index) => inLinks(links, `footer.groups.${String(index)}`)),
    ...(announcement?.link ? [{ at: 'announcement.link.to', ref: announcement.link.to }] : []),
  ];
}

function inLinks(links: readonly ContentLink[], at: string): PlacedRef[] {
  return links.map(({ to }, index) => ({ at: `${at}.links.${String(index)}.to`, ref: to }));
}
