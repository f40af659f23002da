import { newId } from '../../../src/common/ids.js';
import { LEAST } from '../integrations.js';
import type { Queries } from '../tenants.js';

/** Integrations, where they are installed, and what of them sites show. */
export const OF_INTEGRATIONS: Queries = {
  'integrations are published, found and listed': async ({ organization: { _id } }, { integrations }) => {
    const name = newId();
    await integrations.publish(name, _id, { ...LEAST, secrets: { key: 'secret' } });
    const one = await integrations.publish(name, _id, { ...LEAST, visibility: 'public' });
    await integrations.publish(newId(), _id, LEAST);
    for (const query of [{}, { owner: _id }, { search: 'te' }, { category: 'other' as const, blockDomain: 'a.test' }]) {
      const { next } = await integrations.list([_id], { ...query, limit: 1 });
      await integrations.list([_id], { ...query, limit: 1, page: next?.page });
    }
    await integrations.find(name);
    await integrations.byNames([name]);
    await integrations.usedAmong(one.blobs);
    return integrations.remove(one);
  },
  'integrations are installed, listed and put on spaces and sites': async (
    { organization: { _id }, owner, space },
    { integrations, installations, placements, siteSettings, sites },
  ) => {
    const integration = await integrations.publish(newId(), _id, { ...LEAST, visibility: 'public' });
    const { _id: name } = integration;
    const made = await integrations.install(name, _id);
    const site = await siteSettings.create(owner, { spaces: [space._id] });
    await installations.find(name, made._id);
    for (const query of [{}, { externalId: 'T1' }]) {
      await installations.list(name, { ...query, limit: 1 });
      await installations.listIn([_id], name, query);
    }
    await installations.listOf(_id, { limit: 1 });
    await installations.update(made, integration, { externalIds: ['T1'], configuration: {} });
    for (const [kind, place] of [['space', space._id] as const, ['site', site._id] as const]) {
      const placement = await placements.add(made, integration, kind, place);
      await placements.list(made, kind, { limit: 1 });
      await placements.update(made, integration, placement, { externalIds: ['T1'] });
      await placements.carries(kind, place);
      await placements.remove(made, kind, place);
      await placements.add(made, integration, kind, place);
    }
    await placements.removeFrom('space', space._id);
    await siteSettings.publish(site, true);
    await installations.update(made, integration, { siteSelection: 'all' });
    await sites.remove(site);
    await installations.remove(made);
    return integrations.remove(integration);
  },
  'scripts of integrations are listed and served': async (
    { organization: { _id }, owner, space },
    { integrations, placements, scripts, siteSettings, sites },
  ) => {
    const asked = { ...LEAST, visibility: 'public' as const, scopes: ['site:script:inject' as const] };
    const integration = await integrations.publish(newId(), _id, asked);
    const made = await integrations.install(integration._id, _id);
    const site = await siteSettings.publish(await siteSettings.create(owner, { spaces: [space._id] }), true);
    await placements.add(made, integration, 'site', site._id);
    await scripts.of(site);
    await scripts.served(integration._id, undefined);
    await scripts.served(integration._id, site._id);
    await sites.remove(site);
    return integrations.publish(integration._id, _id, LEAST);
  },
};
