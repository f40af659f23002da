import { ContentWriter } from '../../src/content/content.writer.js';
import { DocumentsService } from '../../src/revisions/index.js';
import { ask, type PublicClient } from '../support/public-client.js';
import type { Day } from './day.js';

/** Where a writer works. */
interface Desk {
  client: PublicClient;
  reviewer: PublicClient;
  space: string;
  guide: string;
  file: string;
}

/** Somebody writes: in a space, then in a change request, which is discussed, reviewed and merged. */
export async function writersDay(day: Day): Promise<void> {
  const organization = await day.app.create.organization({ title: 'Press' });
  const person = await day.app.create.user({ in: organization, role: 'review', displayName: 'Rosa' });
  const [client, reviewer] = [day.client(organization.admin), day.client(person)];
  const { data: space } = await client.orgs.createSpace(organization._id, { title: 'Handbook' });
  const desk = { client, reviewer, space: space.id, ...(await content(client, space.id)) };
  await reusable(day, organization._id, space.id);
  await reading(desk, day.page);
  await talking(desk);
  const changeRequest = await changing(desk, person._id);
  await discussing(desk, changeRequest);
  await branch(desk, changeRequest);
  await merging(desk, changeRequest, person._id);
  await finding(desk, organization._id);
}

interface Edited {
  changes: { page: { id: string } }[];
  insertedFiles?: { id: string }[];
}

async function edit(client: PublicClient, at: string, ...changes: object[]): Promise<Edited> {
  return ask<Edited>(client, 'POST', `/spaces/${at}/content`, { query: { compat: false }, body: { changes } });
}

/** Two pages in a group, with a link between them, and a file. */
async function content(client: PublicClient, space: string): Promise<Pick<Desk, 'guide' | 'file'>> {
  const base64 = Buffer.from('Bytes').toString('base64');
  const { changes, insertedFiles } = await edit(
    client,
    space,
    { operation: 'insert_files', files: [{ name: 'a.txt', base64, contentType: 'text/plain', ref: 'a' }] },
    { operation: 'insert_page', type: 'group', title: 'Start', ref: 'start' },
    {
      operation: 'insert_page',
      title: 'Guide',
      icon: 'book',
      document: { markdown: 'Take the quokka.\n\n# Care\n\nLeaves.\n' },
    },
    {
      operation: 'insert_page',
      title: 'Index',
      emoji: '📇',
      document: { markdown: 'See [the guide](/guide) and [a](./a).\n' },
    },
    { operation: 'insert_page', type: 'link', title: 'Out', target: { kind: 'url', url: 'https://example.org/' } },
  );
  return { guide: changes[1]?.page.id ?? '', file: insertedFiles?.[0]?.id ?? '' };
}

/** A text that pages share: no operation makes one. */
async function reusable({ app }: Day, organization: string, space: string): Promise<void> {
  const { _id: document } = await app.nest.get(DocumentsService, { strict: false }).put(organization, 'Twice\n');
  await app.nest.get(ContentWriter, { strict: false }).write(space, null, (editor) => {
    editor.putReusableContent({ id: 'twice', title: 'Twice', document });
    return Promise.resolve();
  });
}

/** The content as it stands, and any revision of it. */
async function reading({ client, space, guide, file }: Desk, page: string): Promise<void> {
  const { spaces } = client;
  const { data: tree } = await spaces.listPages(space);
  expect(tree.pages.map(({ title }) => title)).toEqual(['Start', 'Guide', 'Index', 'Out']);
  const { data: revision } = await spaces.getCurrentRevision(space);
  expect((await spaces.getRevisionById(space, revision.id)).data).toEqual(revision);
  expect((await spaces.listPagesInRevisionById(space, revision.id)).data).toEqual({ pages: revision.pages });
  const { data: changes } = await spaces.getRevisionSemanticChanges(space, revision.id);
  expect(changes.changes).toMatchObject([{ type: 'reusable_content_created' }]);

  const { data: read } = await spaces.getPageById(space, guide, { format: 'markdown' });
  expect((await spaces.getPageByPath(space, 'guide')).data).toEqual(read);
  expect((await spaces.getPageInRevisionById(space, revision.id, guide)).data).toEqual(read);
  expect((await spaces.getPageInRevisionByPath(space, revision.id, 'guide')).data).toEqual(read);
  const { data: whole } = await spaces.getPageById(space, guide, { format: 'document' });
  const { data: document } = await spaces.getPageDocumentInRevisionById(space, revision.id, guide);
  expect(whole).toMatchObject({ document });
  const documentId = 'documentId' in read ? (read.documentId ?? '') : '';
  expect((await spaces.getDocumentById(space, documentId)).data).toEqual(document);

  const { data: shared } = await spaces.getReusableContentById(space, 'twice');
  expect((await spaces.getReusableContentInRevisionById(space, revision.id, 'twice')).data).toEqual(shared);
  const { data: files } = await spaces.listFiles(space);
  expect(files.items).toMatchObject([{ id: file, name: 'a.txt', size: 5 }]);
  expect((await spaces.getFileById(space, file)).data).toEqual(files.items[0]);
  expect((await spaces.listFilesInRevisionById(space, revision.id)).data).toEqual(files);
  expect((await spaces.getFileInRevisionById(space, revision.id, file)).data).toEqual(files.items[0]);

  const { data: links } = await spaces.listSpaceLinks(space);
  expect(links.items.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
  const index = revision.pages[2]?.id ?? '';
  expect((await spaces.listPageLinksInSpace(space, index)).data.count).toBe(2);
  expect((await spaces.listSpacePageBacklinks(space, guide)).data.items).toMatchObject([
    { kind: 'page', page: { id: index } },
  ]);
  expect((await spaces.listSpaceFileBacklinks(space, file)).data.items).toMatchObject([
    { kind: 'page', file: { id: file } },
  ]);
  const { data: imported } = await spaces.importContent(space, { url: page, source: 'markdown' as never });
  expect(imported).toMatchObject({ importedResources: 1, totalResources: 1 });
  expect(await ask<object>(client, 'GET', `/spaces/${space}/pdf`)).toEqual({ url: expect.any(String) as string });
  const url = 'https://example.org/talk';
  expect((await spaces.getEmbedByUrlInSpace(space, { url })).data).toMatchObject({ type: 'link' });
  const inApp = `http://docs.test/s/${space}/guide`;
  expect((await client.urls.getContentByUrl({ url: inApp })).data).toMatchObject({
    space: { id: space },
    page: { id: guide },
  });
}

/** What people say on the space. */
async function talking({ client: { spaces }, reviewer, space, guide }: Desk): Promise<void> {
  const body = { markdown: 'Is *this* right?' };
  const { data: comment } = await reviewer.spaces.postCommentInSpace(space, { page: guide, body });
  const { data: reply } = await spaces.postCommentReplyInSpace(space, comment.id, { body: { markdown: 'Yes.' } });
  const at = [space, comment.id, reply.id] as const;
  await reviewer.spaces.updateCommentReplyInSpace(...at, { addedReactions: ['1f44d'] });
  const { data: now } = await spaces.getCommentReplyInSpace(...at, { format: 'document' });
  expect(now).toMatchObject({ reactions: [{ emoji: '1f44d', count: 1 }], body: { document: { object: 'document' } } });
  expect((await spaces.listCommentRepliesInSpace(space, comment.id)).data.count).toBe(1);
  await spaces.updateCommentInSpace(space, comment.id, { resolved: true });
  expect((await spaces.getCommentInSpace(space, comment.id)).data).toMatchObject({ status: 'resolved', replies: 1 });
  expect((await spaces.listCommentsInSpace(space, { status: 'open' })).data).toEqual({ count: 0, items: [] });
  await spaces.deleteCommentReplyInSpace(...at);
  await spaces.deleteCommentInSpace(space, comment.id);
}

/** A change request with an edit, for which a review is asked. */
async function changing({ client, space, guide }: Desk, reviewer: string): Promise<string> {
  const { spaces } = client;
  const { data: made } = await spaces.createChangeRequest(space, { subject: 'Faster' });
  await spaces.updateChangeRequestById(space, made.id, { subject: 'Walk faster' });
  const update = { operation: 'update_page', page: guide, document: { markdown: 'Take the fast quokka.\n' } };
  await edit(client, `${space}/change-requests/${made.id}`, update);
  await spaces.requestReviewersForChangeRequest(space, made.id, { users: [reviewer] });
  const { data: asked } = await spaces.getRequestedReviewersByChangeRequestId(space, made.id);
  expect(asked.items).toMatchObject([{ kind: 'user', user: { id: reviewer } }]);
  const { data: list } = await spaces.listChangeRequestsForSpace(space, { status: 'open' as never });
  expect(list.items).toMatchObject([{ id: made.id, subject: 'Walk faster' }]);
  return made.id;
}

async function discussing({ client: { spaces }, reviewer, space, guide }: Desk, id: string): Promise<void> {
  const asked = { page: guide, body: { markdown: 'Too fast?' } };
  const { data: comment } = await reviewer.spaces.postCommentInChangeRequest(space, id, asked);
  const on = [space, id, comment.id] as const;
  const { data: reply } = await spaces.postCommentReplyInChangeRequest(...on, { body: { markdown: 'No.' } });
  const at = [...on, reply.id] as const;
  await spaces.updateCommentReplyInChangeRequest(...at, { body: { markdown: 'Not at all.' } });
  expect((await spaces.getCommentReplyInChangeRequest(...at)).data.body).toEqual({ markdown: 'Not at all.' });
  expect((await spaces.listCommentRepliesInChangeRequest(...on)).data.count).toBe(1);
  await reviewer.spaces.updateCommentInChangeRequest(...on, { resolved: true, addedReactions: ['🎉'] });
  const { data: done } = await spaces.getCommentInChangeRequest(...on);
  expect(done).toMatchObject({ status: 'resolved', target: { changeRequest: id } });
  expect((await spaces.listCommentsInChangeRequest(space, id)).data.items).toEqual([done]);
  await spaces.deleteCommentReplyInChangeRequest(...at);
  await reviewer.spaces.deleteCommentInChangeRequest(...on);
}

/** The content of the change request. */
async function branch({ client, space, guide, file }: Desk, id: string): Promise<void> {
  const { spaces } = client;
  const { data: revision } = await spaces.getRevisionOfChangeRequestById(space, id);
  expect((await spaces.listPagesInChangeRequest(space, id)).data).toEqual({ pages: revision.pages });
  const { data: page } = await spaces.getPageInChangeRequestById(space, id, guide, { format: 'markdown' });
  expect(page).toMatchObject({ markdown: 'Take the fast quokka.\n' });
  expect((await spaces.getPageInChangeRequestByPath(space, id, 'guide')).data).toEqual(page);
  expect((await spaces.getReusableContentInChangeRequestById(space, id, 'twice')).data.title).toBe('Twice');
  expect((await spaces.listFilesInChangeRequestById(space, id)).data.items).toMatchObject([{ id: file }]);
  expect((await spaces.getFileInChangeRequestById(space, id, file)).data.name).toBe('a.txt');
  const { data: changes } = await spaces.getChangeRequestChanges(space, id);
  expect(changes.changes).toMatchObject([{ type: 'page_edited', page: { id: guide } }]);
  expect((await spaces.listChangeRequestLinks(space, id)).data.stats.broken).toMatchObject({ changeRequest: 0 });
  const pdf = await ask<object>(client, 'GET', `/spaces/${space}/change-requests/${id}/pdf`);
  expect(pdf).toEqual({ url: expect.any(String) as string });
}

async function merging({ client, reviewer, space }: Desk, id: string, person: string): Promise<void> {
  const { spaces } = client;
  await spaces.removeRequestedReviewerFromChangeRequest(space, id, person);
  const verdict = { status: 'approved' as never, comment: { markdown: 'Run!' } };
  const { data: review } = await reviewer.spaces.submitChangeRequestReview(space, id, verdict);
  expect((await reviewer.spaces.getReviewsByChangeRequestId(space, id)).data.items).toEqual([review]);
  await edit(client, space, { operation: 'insert_page', title: 'Meanwhile', document: {} });
  expect((await spaces.updateChangeRequest(space, id)).data.result).toBe('update');
  const { data: contributors } = await spaces.getContributorsByChangeRequestId(space, id);
  expect(contributors.items).toMatchObject([{ user: { displayName: 'Ann Author' } }]);
  const { data: merged } = await reviewer.spaces.mergeChangeRequest(space, id);
  const { data: now } = await spaces.getChangeRequestById(space, id);
  expect(now).toMatchObject({ status: 'merged', revisionMerged: merged.revision });
}

async function finding({ client, space, guide }: Desk, organization: string): Promise<void> {
  const { data: found } = await client.spaces.searchSpaceContent(space, { query: 'fast quokka' });
  expect(found.items).toMatchObject([{ id: guide }]);
  const { data: everywhere } = await client.orgs.searchOrganizationContent(organization, { query: 'quokka' });
  expect(everywhere.items).toMatchObject([{ id: space, pages: [{ id: guide }] }]);
}
