import type { Type } from '@nestjs/common';
import { DescribedProperty } from './described-property.js';
import { describedAs, isAlwaysThere } from './parts.js';
import { SETTINGS, type SiteCustomization } from './settings.js';

/** The class of all settings, described. */
function describedSettings(): Type<SiteCustomization> {
  class Settings {}
  for (const [name, member] of Object.entries(SETTINGS.members)) {
    // the title is always there: that of the site, where no other is set
    const required = name === 'title' || isAlwaysThere(member);
    DescribedProperty(describedAs(member, 'answer'), required)(Settings.prototype, name);
  }
  return Settings as Type<SiteCustomization>;
}

/** How a site looks, and what it offers (decision 3.A). */
export class CustomizationView extends describedSettings() {}

/** The same for one of its site-spaces. */
export class SiteSpaceCustomizationView extends describedSettings() {
  /** Whether any of it is set for the site-space alone. */
  hasOverrides!: boolean;
}
