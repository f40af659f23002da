import { PublicationsService } from './publications.service.js';
import { PublishedController } from './published.controller.js';
import { PublishedSitesService } from './published-sites.service.js';
import { ResolverService } from './resolver.service.js';
import { SiteTokensService } from './site-tokens.service.js';
import { UrlsController } from './urls.controller.js';

/** Routes for whoever shows published sites. */
export const publishedControllers = [PublishedController, UrlsController];

/** What answers them, and what every request and every space asks about published sites. */
export const publishedProviders = [PublicationsService, PublishedSitesService, ResolverService, SiteTokensService];
