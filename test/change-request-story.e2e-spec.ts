import { startApp, type TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';
import { type PublicClient, publicClient, refusalOf } from './support/public-client.js';

const GUIDE = 'Take the quokka by the hand.\n\nWalk slowly.\n\nSay goodbye.\n';

/** One change to content, as the public client has no operation for it yet: sent through it all the same. */
const edit = async (client: PublicClient, path: string, ...changes: object[]): Promise<string[]> => {
  const { data } = await client.request<{ changes: { page: { id: string } }[] }>({
    path: `/spaces/${path}/content`,
    method: 'POST',
    query: { compat: false },
    body: { changes },
    type: 'application/json' as never,
    format: 'json',
    secure: true,
  });
  return data.changes.map(({ page }) => page.id);
};

describe('the life of a change request, told through the published client', () => {
  let app: TestApp;
  let [writer, reviewer]: (TestUser | undefined)[] = [];
  let clients: { admin: PublicClient; writer: PublicClient; reviewer: PublicClient };
  let space: string;
  let guide: string;

  beforeAll(async () => {
    app = await startApp();
    const acme = await app.create.organization({ title: 'Acme' });
    writer = await app.create.user({ in: acme, role: 'edit', displayName: 'Wilma Writer' });
    reviewer = await app.create.user({ in: acme, role: 'review', displayName: 'Rosa Reviewer' });
    clients = {
      admin: publicClient(app.url, acme.admin.token),
      writer: publicClient(app.url, writer.token),
      reviewer: publicClient(app.url, reviewer.token),
    };
    space = (await clients.admin.orgs.createSpace(acme._id, { title: 'Handbook' })).data.id;
    const page = { operation: 'insert_page', title: 'Guide', document: { markdown: GUIDE } };
    guide = (await edit(clients.admin, space, page))[0] ?? '';
  });
  afterAll(() => app.close());

  it('is created, edited, discussed, reviewed, pulled, settled, merged and read', async () => {
    const { admin, writer: wilma, reviewer: rosa } = clients;
    // created
    const created = await wilma.spaces.createChangeRequest(space, { subject: 'Walk faster' });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(created.data.urls.location);
    expect(created.data).toMatchObject({
      object: 'change-request',
      number: 1,
      status: 'draft',
      subject: 'Walk faster',
      createdBy: { id: writer?._id, displayName: 'Wilma Writer' },
      outdated: false,
      comments: 0,
    });
    const { id } = created.data;
    expect(created.data.revision).toBe(created.data.revisionInitial);

    // edited: primary content does not know of it
    const changes = [
      { operation: 'update_page', page: guide, document: { markdown: GUIDE.replace('slowly', 'fast') } },
      { operation: 'insert_page', title: 'Afterword', document: { markdown: `See [the guide](/pages/${guide}).\n` } },
    ];
    const [, afterword = ''] = await edit(wilma, `${space}/change-requests/1`, ...changes);
    const read = await wilma.spaces.getPageInChangeRequestById(space, id, guide, { format: 'markdown' });
    expect(read.data).toMatchObject({ markdown: GUIDE.replace('slowly', 'fast') });
    expect((await wilma.spaces.getPageById(space, guide)).data).toMatchObject({ markdown: GUIDE });
    const { data: changed } = await wilma.spaces.getChangeRequestChanges(space, id);
    expect(changed.changes.map((change) => change.type).sort()).toEqual(['page_created', 'page_edited']);

    // discussed
    const { data: comment } = await rosa.spaces.postCommentInChangeRequest(space, id, {
      page: guide,
      body: { markdown: 'Is *fast* not too fast?' },
    });
    expect(comment).toMatchObject({
      status: 'open',
      target: { changeRequest: id, page: { id: guide, outdated: false } },
    });
    await wilma.spaces.postCommentReplyInChangeRequest(space, id, comment.id, {
      body: { markdown: 'Quokkas like it.' },
    });
    expect((await wilma.spaces.getChangeRequestById(space, '1')).data).toMatchObject({ id, comments: 1 });

    // a reviewer is asked: what was a draft is open now
    const asked = await wilma.spaces.requestReviewersForChangeRequest(space, id, { users: [reviewer?._id ?? ''] });
    expect(asked.data.users).toMatchObject([{ kind: 'user', user: { id: reviewer?._id } }]);
    expect((await rosa.spaces.listChangeRequestsForSpace(space)).data.items).toMatchObject([{ id, status: 'open' }]);

    // reviewed
    const review = await rosa.spaces.submitChangeRequestReview(space, id, {
      status: 'approved' as never,
      comment: { markdown: 'Run, quokka!' },
    });
    expect(review.data).toMatchObject({ status: 'approved', reviewer: { id: reviewer?._id } });
    expect((await wilma.spaces.getRequestedReviewersByChangeRequestId(space, id)).data.items).toEqual([]);
    await wilma.spaces.updateCommentInChangeRequest(space, id, comment.id, { resolved: true });

    // primary content goes on: elsewhere first, which is pulled
    const other = { operation: 'update_page', page: guide, document: { markdown: `${GUIDE}\nAnd come back.\n` } };
    await edit(admin, space, other);
    expect((await wilma.spaces.getChangeRequestById(space, id)).data.outdated).toBe(true);
    const pulled = await wilma.spaces.updateChangeRequest(space, id);
    expect(pulled.data).toMatchObject({ result: 'update' });
    expect((await wilma.spaces.getChangeRequestById(space, id)).data).toMatchObject({
      outdated: false,
      revision: pulled.data.revision,
    });
    const both = `${GUIDE.replace('slowly', 'fast')}\nAnd come back.\n`;
    expect((await wilma.spaces.getPageInChangeRequestById(space, id, guide)).data).toMatchObject({ markdown: both });

    // then the same line: a conflict, which changes nothing
    const same = { operation: 'update_page', page: guide, document: { markdown: both.replace('fast', 'backwards') } };
    await edit(admin, space, same);
    const refused = await refusalOf(rosa.spaces.mergeChangeRequest(space, id));
    expect(refused.code).toBe(409);
    const before = (await wilma.spaces.getChangeRequestById(space, id)).data;
    expect(before).toMatchObject({ status: 'open', outdated: true, revision: pulled.data.revision });

    // settled by hand
    const settled = await wilma.request<{ revision: string; result: string }>({
      path: `/spaces/${space}/change-requests/${id}/update`,
      method: 'POST',
      body: { resolutions: [{ page: guide, document: { markdown: both.replace('fast', 'fast or backwards') } }] },
      type: 'application/json' as never,
      format: 'json',
      secure: true,
    });
    expect(settled.data.result).toBe('update');

    // merged, by somebody who may
    expect((await refusalOf(wilma.spaces.mergeChangeRequest(space, id))).code).toBe(403);
    const merged = await rosa.spaces.mergeChangeRequest(space, id);
    expect(merged.data).toMatchObject({ result: 'merge' });
    const { data: done } = await wilma.spaces.getChangeRequestById(space, id);
    expect(done).toMatchObject({ status: 'merged', revisionMerged: merged.data.revision, outdated: false });

    // and read
    const { data: primary } = await wilma.spaces.getSpaceById(space);
    expect(primary).toMatchObject({
      revision: merged.data.revision,
      changeRequests: 1,
      changeRequestsOpen: 0,
      changeRequestsDraft: 0,
    });
    const text = both.replace('fast', 'fast or backwards');
    expect((await wilma.spaces.getPageById(space, guide)).data).toMatchObject({ markdown: text });
    expect((await wilma.spaces.getPageById(space, afterword)).data).toMatchObject({ title: 'Afterword' });
    const { data: found } = await wilma.spaces.searchSpaceContent(space, { query: 'backwards' });
    expect(found.items).toMatchObject([{ id: guide }]);
    const { data: revision } = await wilma.spaces.getRevisionById(space, merged.data.revision);
    expect(revision).toMatchObject({ type: 'merge', mergedFrom: { id, number: 1, status: 'merged' } });
    expect((await refusalOf(rosa.spaces.mergeChangeRequest(space, id))).code).toBe(409);
  });
});
