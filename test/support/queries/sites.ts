import { siteSpacesOf } from '../../../src/sites/structure/structure.js';
import type { Queries } from '../tenants.js';

/** Sites, their settings, and what visitors get of them. */
export const OF_SITES: Queries = {
  'sites are made, listed and found': async (
    { organization: { _id }, owner, member, space },
    { siteSettings, sites, organizations },
  ) => {
    const guest = { ...member, role: null };
    const site = await siteSettings.create(owner, { spaces: [space._id], title: 'Docs' });
    await siteSettings.create(owner, { title: 'Docs' });
    const filters = [{}, { space: space._id }, { title: 'o' }, { published: true, space: space._id }];
    for (const filter of filters)
      for (const viewer of [owner, guest]) {
        const { next } = await sites.list(_id, viewer, { ...filter, limit: 1 });
        await sites.list(_id, viewer, { ...filter, limit: 1, page: next?.page });
      }
    await sites.byIds([site._id]);
    await sites.bySpaces([space._id]);
    await sites.carries(space._id);
    await sites.idsCarrying(space._id);
    await sites.findByProxies(['example.com/docs']);
    await siteSettings.update(site, { basename: 'manual', proxy: 'example.com/docs' });
    await siteSettings.publish(site, true);
    await organizations.update(await organizations.get(_id), { defaultContent: { type: 'site', site: site._id } });
    return sites.remove(site);
  },
  'share links are made, listed and followed': async ({ owner }, { siteSettings, shareLinks, sites }) => {
    const site = await siteSettings.create(owner, {});
    const [one] = [await shareLinks.create(site, 'One'), await shareLinks.create(site, 'Two')];
    const { next } = await shareLinks.list(site, { limit: 1 });
    await shareLinks.list(site, { limit: 1, page: next?.page });
    await shareLinks.accepted(site._id, shareLinks.keyOf(one));
    await shareLinks.isActive(site._id, one._id);
    await shareLinks.update(site, one._id, { active: false });
    await shareLinks.remove(site, one._id);
    return sites.remove(site);
  },
  'settings of sites are made, read and removed': async (
    { owner, space },
    { siteSettings, settled, customization, redirects, visitorAuth, schemas, sites },
  ) => {
    const made = await siteSettings.create(owner, { spaces: [space._id] });
    const site = await settled(made, owner);
    const { siteSpace } = siteSpacesOf(site.structure)[0] ?? {};
    await customization.all(site);
    await customization.of(site);
    await customization.ofSiteSpace(site, siteSpace?.id ?? '');
    const { next, items } = await redirects.list(site, { limit: 1 });
    await redirects.list(site, { limit: 1, page: next?.page });
    await redirects.update(site, items[0]?._id ?? '', { source: '/older' });
    for (const source of ['/older', '/page-0', '/former/nothing/at/all']) await redirects.find(site, source);
    await redirects.remove(site, items[0]?._id ?? '');
    await visitorAuth.regenerate(site);
    await visitorAuth.backendsOf([site._id]);
    await schemas.find(site);
    return sites.remove(site);
  },
  'published sites are found and read': async (
    { organization, owner, member, space },
    { siteSettings, shareLinks, organizations, urls, resolver, siteTokens, publications, sites },
  ) => {
    const made = await siteSettings.create(owner, { spaces: [space._id], visibility: 'share-link' });
    const site = await siteSettings.publish(made, true);
    const link = await shareLinks.create(site, 'One');
    const key = shareLinks.keyOf(link);
    const { hostname } = await organizations.settings(organization._id);
    const url = `${urls.published(hostname, site.basename)}/${key}/page/below`;
    const { apiToken } = (await resolver.resolve({ url })) as { apiToken: string };
    const visitor = await siteTokens.visitor(apiToken);
    if (!visitor) throw new Error('The token is no good');
    for (const audience of [
      { visitor: { ...visitor, token: 't' }, member: null },
      { visitor: null, member: { ...member, role: null }, shareKey: key },
    ]) {
      await publications.of([space._id], audience);
      await publications.admits(space, audience);
    }
    await siteSettings.update(site, { visibility: 'visitor-auth' });
    await publications.of([space._id], { visitor: null, member });
    return sites.remove(site);
  },
};
