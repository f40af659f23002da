import { isShown } from '../../conditions/index.js';
import type { Claims } from '../adaptive/index.js';
import type { SiteCustomization } from './settings.js';

/**
 * `settings` as a visitor with `claims` is shown them: without the links of the header that conditions hide. `null`:
 * adaptive content is off, and everything is shown.
 */
export function forVisitor(settings: SiteCustomization, claims: Claims | null): SiteCustomization {
  if (claims === null) return settings;
  const links = settings.header.links.filter(({ condition }) => isShown(condition ?? null, claims));
  return { ...settings, header: { ...settings.header, links } };
}
