import type { CommentsFilter } from '../../../src/comments/index.js';
import type { Queries } from '../tenants.js';

/** Change requests, reviews, merge rules and comments. */
export const OF_DISCUSSIONS: Queries = {
  'change requests are listed': async ({ space, user }, { changeRequests }) => {
    const made = await Promise.all([1, 2, 3].map(() => changeRequests.create(space._id, user._id)));
    for (const contributor of [undefined, user._id]) {
      const query = { status: 'draft', contributor, limit: 1 } as const;
      const { next } = await changeRequests.list(space._id, query);
      await changeRequests.list(space._id, { ...query, page: next?.page });
    }
    return changeRequests.findMany(made.map(({ _id }) => _id));
  },
  'a change request is found and changed': async ({ space, user }, { changeRequests }) => {
    const { number, _id } = await changeRequests.create(space._id, user._id);
    const made = (await changeRequests.find(space._id, String(number))) ?? (await changeRequests.get(_id));
    await changeRequests.find(space._id, _id);
    await changeRequests.update(made, { status: 'open' });
    await changeRequests.adjustComments(made, 1);
    const moved = await changeRequests.advance(made, { revision: 'next' }, user._id);
    return changeRequests.markMerged(moved ?? made, 'result');
  },
  'reviews are made, listed and counted': async ({ space, user }, { proposed, reviews, mergeRules }) => {
    const made = await proposed(space, user._id);
    for (const reviewer of ['ann', 'bob', 'ann']) await reviews.create(made, { reviewer, status: 'approved' });
    const { next } = await reviews.list(made, { limit: 2 });
    await reviews.list(made, { limit: 2, page: next?.page });
    return mergeRules.evaluate(made, space, user._id);
  },
  'merge rules are read': ({ space }, { mergeRules }) => mergeRules.get(space._id),
  'comments are listed': async ({ space, user }, { said, comments }) => {
    const place = { space: space._id, changeRequest: null };
    await said(space, user._id);
    await said(space, user._id);
    const filters: CommentsFilter[] = [
      {},
      { status: 'open' },
      { targetPage: 'p' },
      { authors: [user._id] },
      { authors: [user._id, 'nobody'] },
    ];
    for (const filter of filters) {
      const { next } = await comments.list(place, { ...filter, limit: 1 });
      await comments.list(place, { ...filter, limit: 1, page: next?.page });
    }
  },
  'comments and replies are written, changed and removed': async ({ space, user }, { said, comments, replies }) => {
    const place = { space: space._id, changeRequest: null };
    const comment = await said(space, user._id);
    const reactions = { add: new Map([['🎉', '🎉']]), remove: new Set(['👍']) };
    await comments.update(place, comment._id, { resolved: true, reactions }, user._id);
    const [reply] = (await replies.list(comment, { limit: 1 })).items;
    await replies.update(comment, reply?._id ?? '', { reactions }, user._id);
    await replies.remove(comment, reply?._id ?? '');
    await comments.remove(place, comment._id);
  },
  'comments are read together': ({ space }, { comments }) =>
    comments.getMany({ space: space._id, changeRequest: null }, ['nothing']),
};
