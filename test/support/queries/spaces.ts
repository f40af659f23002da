import type { Queries } from '../tenants.js';

/** Spaces, collections, and the entries in them. */
export const OF_SPACES: Queries = {
  'a space is read': ({ space }, { spaces }) => spaces.get(space._id),
  'spaces are listed': async ({ organization, member }, { spaces }) => {
    const { next } = await spaces.list(organization._id, member, { limit: 3 });
    return spaces.list(organization._id, member, { limit: 3, page: next?.page });
  },
  'spaces are counted': ({ organization, member }, { spaces }) => spaces.list(organization._id, member, { limit: 0 }),
  'visible spaces are listed': ({ organization, member }, { spaces }) => spaces.allVisible(organization._id, member),
  'a space is changed': ({ space }, { spaces }) => spaces.update(space, { title: 'Other' }),
  'a collection is made': ({ organization, user }, { collections }) =>
    collections.create(organization._id, user._id, {}),
  'what collections bring down is read': ({ organization, member }, { collections }) =>
    collections.inheritance(organization._id, member),
  'collections are listed': async ({ organization, member }, { collections }) => {
    const inheritance = await collections.inheritance(organization._id, member);
    const { next } = await collections.list(member, inheritance, { limit: 1 });
    return collections.list({ ...member, organization: organization._id }, inheritance, { limit: 1, page: next?.page });
  },
  'spaces in a collection are listed': async ({ member, collection }, { collections, spaces }) => {
    const inheritance = await collections.inheritanceFrom(collection, member);
    const { next } = await spaces.listIn(collection, { member, inheritance }, { limit: 1 });
    return spaces.listIn(collection, { member, inheritance }, { limit: 1, page: next?.page });
  },
  'a collection is moved': async ({ collection, owner }, { collections }) => {
    const inner = await collections.create(collection.organization, 'ann', { parent: collection._id });
    await collections.move(inner, owner, { parent: null });
    await collections.move(inner, owner, { position: { before: { kind: 'collection', id: collection._id } } });
    await collections.remove(inner);
  },
  'a space is moved': async ({ space, owner, collection }, { life }) => {
    await life.move(space, owner, { parent: collection._id });
    await life.move(space, owner, { parent: null });
  },
  'a space goes to the trash and comes back': async ({ space }, { life }) => {
    await life.remove(space);
    await life.restore(space);
  },
  'a space is duplicated': ({ space, owner }, { life }) =>
    life.duplicate(space, owner.user, { member: owner, inherited: { role: 'admin' } }),
  'a space is transferred': async ({ space, owner }, { organizations, members, life }) => {
    const { _id: to } = await organizations.create(owner.user, { title: 'Target' });
    const there = await members.find(to, owner.user);
    const gone = await life.transfer(space, owner, { to, answer: (given) => Promise.resolve(given) });
    await life.transfer(gone, there, { to: space.organization, answer: (given) => Promise.resolve(given) });
  },
  'spaces are purged': async ({ organization, user }, { spaces, life, purge }) => {
    const gone = await spaces.create(organization._id, user._id, {});
    await life.remove(gone);
    await purge.run(undefined, new Date(Date.now() + 8 * 24 * 60 * 60_000));
  },
  'entries are given, changed and removed': async ({ place, user, team }, { grants }) => {
    await grants.put(place, { users: [user._id], teams: [team._id], role: 'review' });
    await grants.update(place, 'users', user._id, 'edit');
    await grants.remove(place, 'users', user._id);
  },
  'everyone with a role is listed': async ({ place }, { grants }) => {
    const { next } = await grants.everyone(place, { limit: 1 });
    await grants.everyone(place, { limit: 1, page: next?.page });
    await grants.everyone(place, { role: 'edit' });
  },
  'spaces that are there are told': ({ space }, { spaces }) => spaces.existing([space._id]),
  'spaces behind on indexing are found': (_, { spaces }) => spaces.behindOnIndexing(50),
};
