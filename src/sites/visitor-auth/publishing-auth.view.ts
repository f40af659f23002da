import type { PublishingAuth } from './visitor-auth.service.js';

/** How visitors of a site sign in, as the API returns it. */
export class PublishingAuthView {
  object!: 'publishing-auth';
  /** Who signs their tokens: `custom`, an application of yours; or an integration. */
  backend!: 'custom' | 'integration';
  /** The key that tokens are signed with, by HS256: its text in UTF-8. */
  privateKey!: string;
  /** Where visitors without a valid token are sent. */
  fallbackURL?: string;
}

/** Shapes how visitors sign in. */
export function toPublishingAuth({ backend, privateKey, fallbackURL }: PublishingAuth): PublishingAuthView {
  return { object: 'publishing-auth', backend, privateKey, ...(fallbackURL !== null && { fallbackURL }) };
}
