import type { Queries } from '../tenants.js';

/** Revisions, pages, branches and search. */
export const OF_CONTENT: Queries = {
  'a revision is read': ({ space }, { content }) => content.reading.revision(space.revision),
  'a page is read': async ({ space }, { content }) => {
    const { pages } = await content.reading.pages(space.revision);
    return content.reading.page(space.revision, pages[0]?.node.id ?? '', { format: 'markdown' });
  },
  'revisions are listed': ({ space }, { content }) => content.revisions.history(space._id, { limit: 1 }),
  'revisions are read together': ({ space }, { content }) => content.revisions.findMany([space.revision, 'nothing']),
  'texts are looked for': ({ space }, { content }) => content.documents.missing([space._id]),
  'a page is added': ({ space }, { content }) =>
    content.writer.write(space._id, null, async (editor) => editor.insertPage(await content.draft('One more'))),
  'a page is taken out': ({ space }, { content }) =>
    content.writer.write(space._id, null, async (editor) => {
      const [page] = (await content.pages(space._id)).pages;
      return editor.deletePage(page?.node.id ?? '');
    }),
  'many pages are added and indexed': async ({ space }, { content }) => {
    await content.writer.write(space._id, null, async (editor) => {
      for (let index = 0; index < 60; index++) await editor.insertPage(await content.draft(`Many ${index}`));
    });
    await content.indexer.catchUp(space._id);
  },
  'a branch is edited, updated and merged': async ({ space, user }, { spaces, content }) => {
    const present = await spaces.get(space._id);
    const branch = { changeRequest: 'c', space: present, revision: present.revision, base: present.revision };
    const insert = { operation: 'insert_page', title: 'On a branch', document: { markdown: 'Text\n' } } as const;
    const batch = await content.batches.prepare(space.organization, [insert]);
    const { revision } = await content.branches.edit(branch, user._id, batch);
    await content.writer.write(space._id, null, async (editor) => {
      const [page] = (await content.pages(space._id)).pages;
      return editor.updatePage(page?.node.id ?? '', { slug: 'elsewhere' });
    });
    const edited = { ...branch, revision: revision._id, space: await spaces.get(space._id) };
    const pulled = await content.branches.pull(edited, user._id);
    const tip = pulled.kind === 'updated' ? pulled.revision._id : '';
    await content.branchLinks.read(await spaces.get(space._id), await content.revisions.get(tip));
    await content.branches.merge({ ...edited, revision: tip }, user._id, () => Promise.resolve(true));
  },
  'the index is made anew': ({ space }, { content }) => content.indexer.rebuild(space._id),
  'a space is searched': ({ space }, { content }) => content.search.searchSpace(space._id, 'text page'),
  'spaces are searched': async ({ organization, member }, { spaces, content }) => {
    const visible = await spaces.allVisible(organization._id, member);
    return content.search.searchSpaces(
      visible.map(({ _id }) => _id),
      'text page',
      {},
    );
  },
  'spaces that show descriptions of APIs are found': ({ space }, { linkRecords }) =>
    linkRecords.showingSpecs([space._id, 'nothing']),
  'the pages that search knows are read': ({ space }, { content }) => content.index.documents(space._id),
};
