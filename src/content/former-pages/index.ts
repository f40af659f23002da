export { FormerPages, type LocatedPage } from './former-pages.service.js';
export { FormerPlaceRecord, FormerPlaceSchema } from './former-place.schema.js';
export type { FormerPlace } from './former-places.js';
