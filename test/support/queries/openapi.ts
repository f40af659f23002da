import type { Queries } from '../tenants.js';

/** Descriptions of APIs, and translation settings. */
export const OF_OPENAPI: Queries = {
  'descriptions of APIs are made, listed and found': async ({ organization: { _id } }, { specs }) => {
    for (const slug of ['one', 'two']) await specs.create(_id, slug, { url: 'https://hooks.invalid/' });
    const { next } = await specs.list(_id, { limit: 1 });
    await specs.list(_id, { limit: 1, page: next?.page });
    await specs.put(_id, 'two', { text: '{}' });
    await specs.latest(_id, ['one', 'two']);
    await specs.findMany(_id, ['one']);
  },
  'descriptions of APIs are looked at': async ({ organization: { _id } }, { described, specs, specQueue }) => {
    await described(_id, 'looked-at');
    await specs.create(_id, 'other', { url: 'https://hooks.invalid/' });
    const leased = await specQueue.take();
    if (!leased) throw new Error('There is nothing to look at');
    await specQueue.renew(leased);
    await specQueue.release(leased);
  },
  'versions are listed, found and removed': async ({ organization: { _id } }, { described, specs, specVersions }) => {
    await described(_id, 'three');
    const spec = await described(_id, 'three');
    const { next } = await specVersions.list(spec, { limit: 1 });
    await specVersions.list(spec, { limit: 1, page: next?.page });
    const version = await specVersions.get(spec, 'latest');
    await specVersions.existing([version._id, 'nothing']);
    await specs.latest(_id, ['three']);
    await specs.version(_id, version._id);
    await specs.remove(spec);
  },
  'bytes of descriptions are kept': async (_, { specs, specVersions }) => {
    await specs.referenced(['nothing']);
    await specVersions.referenced(['nothing']);
  },
  'translation settings are made, listed and changed': async ({ organization: { _id } }, { translations }) => {
    for (const title of ['One', 'Two']) await translations.create(_id, { title });
    const { items, next } = await translations.list(_id, { limit: 1 });
    await translations.list(_id, { limit: 1, page: next?.page });
    const one = await translations.get(_id, items[0]?._id ?? '');
    await translations.update(one, { title: 'Three' });
    await translations.remove(one);
  },
};
