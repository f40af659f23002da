export { type SiteScript, SiteScripts } from './questions.js';
export { CurrentSite, RequireSite, type SiteAccess, siteAccessOf } from './site.guard.js';
export { audienceAdmits, SitePermissions, sitePermissions } from './site.policy.js';
export { type SitePart, SiteParts } from './site-parts.js';
export type { Site, SiteVisibility } from './site.schema.js';
export { SiteSettings } from './site-settings.service.js';
export { SitesModule } from './sites.module.js';
export { SitesService } from './sites.service.js';
