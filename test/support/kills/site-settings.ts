import { ALL, at, siteOf } from './sites-at.js';
import { type Acts, type Body, text, type Thing, type World } from './world.js';

/** Where the customizations of a site-space are read. */
const customization = (w: World, { id, note: { site = '' } }: Thing): string =>
  `${w.home}/sites/${site}/site-spaces/${id}/customization`;

/** How sites look, who may see them, and what leads to them. */
export const SITE_SETTINGS: Acts = {
  updateSiteCustomizationById: (w) => {
    const site = w.one('site');
    const title = w.mark();
    return (
      site && {
        at: at(w, site),
        body: { title },
        resource: site.id,
        tells: () => [{ at: `${site.path}/customization`, fields: { title } }],
      }
    );
  },
  overrideSiteSpaceCustomizationById: (w) => {
    const siteSpace = w.one('siteSpace');
    const title = w.mark();
    return (
      siteSpace && {
        at: at(w, siteSpace, 'siteSpaceId'),
        body: { title },
        resource: siteSpace.id,
        tells: () => [
          { at: customization(w, siteSpace), fields: { title } },
          { at: siteSpace.path, fields: { hasAdvancedCustomizationFeature: true }, weak: true },
        ],
        leaves: () => {
          siteSpace.note.own = title;
        },
      }
    );
  },
  deleteSiteSpaceCustomizationById: (w) => {
    const siteSpace = w.one('siteSpace', ({ note }) => Boolean(note.own));
    return (
      siteSpace && {
        at: at(w, siteSpace, 'siteSpaceId'),
        action: 'site-space.customize',
        resource: siteSpace.id,
        tells: () => [{ at: siteSpace.path, fields: { hasAdvancedCustomizationFeature: false } }],
        leaves: () => {
          siteSpace.note.own = '';
          w.forget(customization(w, siteSpace));
        },
      }
    );
  },
  createSiteShareLink: (w) => {
    const site = w.one('site');
    if (!site) return undefined;
    const name = w.mark();
    const list = `${site.path}/share-links${ALL}`;
    return w.make('shareLink', {
      at: at(w, site),
      body: { name },
      path: (id) => `${list}#${id}`,
      fields: { name },
      of: [site.id],
      note: { site: site.id },
      trace: { at: list, text: name },
    });
  },
  updateSiteShareLinkById: (w) => {
    const link = w.one('shareLink');
    return link && w.change(link, at(w, link, 'shareLinkId'), { name: w.mark() });
  },
  deleteSiteShareLinkById: (w) => {
    const link = w.one('shareLink');
    return link && w.remove(link, at(w, link, 'shareLinkId'));
  },
  createSiteRedirect: (w) => {
    const section = w.one('section');
    if (!section) return undefined;
    const source = `/${w.mark()}`;
    const { site = '' } = section.note;
    const list = `${siteOf(w, section)}/redirects${ALL}`;
    const fields = { source, 'destination.siteSectionId': section.id };
    return w.make('redirect', {
      at: at(w, section),
      body: { source, destination: { kind: 'site-section', siteSectionId: section.id } },
      path: (id) => `${list}#${id}`,
      fields,
      of: [site, section.id],
      note: { site },
      trace: { at: list, text: source },
    });
  },
  updateSiteRedirectById: (w) => {
    const redirect = w.one('redirect');
    return redirect && w.change(redirect, at(w, redirect, 'siteRedirectId'), { source: `/${w.mark()}` });
  },
  deleteSiteRedirectById: (w) => {
    const redirect = w.one('redirect');
    return redirect && w.remove(redirect, at(w, redirect, 'siteRedirectId'));
  },
  updateSitePublishingAuthById: (w) => {
    const site = w.one('site');
    if (!site) return undefined;
    const fallbackURL = `https://example.org/${w.mark()}`;
    const tells = () => [{ at: `${site.path}/publishing/auth`, fields: { fallbackURL } }];
    return { at: at(w, site), body: { fallbackURL }, resource: site.id, tells };
  },
  regenerateSitePublishingAuthById: (w) => {
    const site = w.one('site');
    if (!site) return undefined;
    const path = `${site.path}/publishing/auth`;
    return {
      at: at(w, site),
      resource: site.id,
      tells: (_: string, answer?: Body) =>
        answer ? [{ at: path, fields: { privateKey: text(answer, 'privateKey') } }] : [],
      leaves: (_, answer) => {
        if (!answer) w.unset(path, 'privateKey');
      },
    };
  },
  updateSiteAdaptiveSchema: (w) => {
    const site = w.one('site');
    const description = w.mark();
    const unsigned = { type: 'object', description, properties: {}, additionalProperties: false };
    return (
      site && {
        at: at(w, site),
        body: { jsonSchema: { type: 'object', properties: { unsigned }, additionalProperties: false } },
        resource: site.id,
        tells: () => [
          { at: `${site.path}/adaptive-schema`, fields: { 'jsonSchema.properties.unsigned.description': description } },
        ],
      }
    );
  },
};
