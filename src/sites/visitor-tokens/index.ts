/**
 * The two tokens of visitors of a published site.
 *
 * The visitor's own token comes from whoever runs the site: their application signs a JSON Web Token with the key of the
 * site, and {@link verifyVisitorToken} says what it claims, or why it is not accepted (decision 6.4). What of the claims
 * counts is for `adaptive` to say.
 *
 * The token of a published address is ours: {@link issueSiteToken} makes it when an address is resolved, and
 * {@link readSiteToken} reads it on every request that follows (decision 6.5). It says which site is read, in which state
 * ({@link publishedState}) and with which claims. It admits nobody by itself: whoever checks a request asks the site
 * whether it is published, and the share link whether it is active.
 */
export { issueSiteToken, publishedState, readSiteToken, type SiteToken, type SiteTokenContent } from './site-token.js';
export { verifyVisitorToken, type VisitorTokenReason, type VisitorTokenResult } from './verify-visitor-token.js';
