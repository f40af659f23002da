import type { TestApp } from './support/app.js';
import { type ChangeRequest, givenProposing, type Proposing } from './support/change-requests.js';
import { ISO, outline } from './support/editing.js';

const TEXT = 'One line.\n\nAnother line.\n\nA third line.\n';
const OURS = TEXT.replace('Another', 'Our');
const THEIRS = TEXT.replace('Another', 'Their');

let app: TestApp;
let space: Proposing;
givenProposing((given) => {
  ({ app, space } = given);
});

/** What lists of changes say, in short. */
const changesOf = async (one: ChangeRequest): Promise<unknown[]> => {
  const { changes } = await one.get<{ changes: { type: string; page?: { title: string } }[] }>('/changes');
  return changes.map(({ type, page }) => [type, page?.title]);
};

const markdown = (text: string): object => ({ document: { markdown: text } });

describe('a merge', () => {
  it('brings what was edited into the space, where the next search finds it', async () => {
    const page = await space.write('Guide', TEXT);
    const before = await space.read<{ id: string }>('');
    const one = await space.open('Swifter');
    await one.update(page, markdown(TEXT.replace('Another', 'A swift')));
    const added = await one.add('Quokka');
    const { revision: tip } = await one.now();
    expect(await space.markdownOf(page)).toBe(TEXT);

    const revision = await one.merge();
    expect(await space.markdownOf(page)).toBe(TEXT.replace('Another', 'A swift'));
    expect((await space.pages()).map(({ id }) => id)).toEqual([page, added]);
    const found = await space.get<{ items: { id: string }[] }>(`${space.root}/search`, { query: 'swift' });
    expect(found.items.map(({ id }) => id)).toEqual([page]);

    const merged = await one.now();
    expect(merged).toMatchObject({ status: 'merged', revision: tip, revisionMerged: revision, outdated: false });
    expect(await space.read('')).toMatchObject({ id: revision, type: 'merge', parents: [before.id, tip] });
    expect(await space.read('')).toMatchObject({ mergedFrom: merged });
    const at = `${space.root}/revisions/${revision}`;
    expect(await space.get(at)).toMatchObject({ type: 'merge', mergedFrom: merged });
    const { changes } = await one.get<{ changes: unknown[] }>('/changes');
    expect(await space.get(`${at}/changes`)).toEqual({ changes, mergedFrom: merged });
    expect((await changesOf(one)).sort()).toEqual([
      ['page_created', 'Quokka'],
      ['page_edited', 'Guide'],
    ]);
  });

  it('of nothing is a merge all the same', async () => {
    const one = await space.open();
    const before = await space.read<{ id: string; pages: unknown }>('');
    const revision = await one.merge();
    expect(revision).not.toBe(before.id);
    expect(await space.read('')).toMatchObject({ id: revision, type: 'merge', parents: [before.id, before.id] });
    expect((await one.now()).status).toBe('merged');
  });

  it('puts both sides of one text together, and says when', async () => {
    const page = await space.write('Guide', TEXT);
    const one = await space.open();
    await one.update(page, markdown(TEXT.replace('One', 'Our')));
    await space.update(page, markdown(TEXT.replace('third', 'fourth')));
    const before = await space.read<{ updatedAt: string }>(`/page/${page}`);
    expect((await one.now()).outdated).toBe(true);
    await one.merge();
    const after = await space.read<{ updatedAt: string; markdown: string }>(`/page/${page}`);
    expect(after.markdown).toBe(TEXT.replace('One', 'Our').replace('third', 'fourth'));
    expect(after.updatedAt).toEqual(ISO);
    expect(after.updatedAt > before.updatedAt).toBe(true);
  });

  it('goes into a locked space', async () => {
    const one = await space.open();
    await app.as(space.user).patch(space.root).send({ editMode: 'locked' }).expect(200);
    const page = await one.add('Page');
    await one.merge();
    expect((await space.pages()).map(({ id }) => id)).toEqual([page]);
  });

  it('counts what is open', async () => {
    const [one] = [await space.open(), await space.open()];
    await one.merge();
    const { changeRequests, changeRequestsDraft } = await space.get<Record<string, number>>(space.root);
    expect([changeRequests, changeRequestsDraft]).toEqual([2, 1]);
  });

  it('loses nothing that is written to the space meanwhile', async () => {
    const proposals = await Promise.all([1, 2, 3, 4].map(() => space.open()));
    const pages = await Promise.all(proposals.map((one, index) => one.add(`Proposed ${String(index)}`)));
    const written = [0, 1, 2, 3].map((index) => space.add(`Written ${String(index)}`));
    await Promise.all(proposals.map((one) => one.merge()));
    const all = [...pages, ...(await Promise.all(written))];
    expect((await space.pages()).map(({ id }) => id).sort()).toEqual(all.sort());
    expect((await space.links()).count).toBe(0);
  });

  it('changes nothing when the space moved on and its rules say no', async () => {
    const one = await space.open();
    const page = await one.add('Page');
    await app
      .as(space.user)
      .put(`${space.root}/merge-rules`)
      .send({ rules: [{ kind: 'up-to-date' }], bypass: [] })
      .expect(200);
    await space.write('Other', TEXT);
    expect(await one.post('/merge', undefined, 412)).toMatchObject({ error: { code: 412 } });
    expect((await space.pages()).map(({ id }) => id)).not.toContain(page);
    await one.pull();
    await one.merge();
    expect((await space.pages()).map(({ id }) => id)).toContain(page);
  });
});

describe('conflicts', () => {
  /** A page that both sides gave other words at one place. */
  const inText = async (): Promise<{ page: string; one: ChangeRequest }> => {
    const page = await space.write('Guide', TEXT);
    const one = await space.open();
    await one.update(page, markdown(OURS));
    await space.update(page, markdown(THEIRS));
    return { page, one };
  };

  it('in a text name the three texts, and change nothing', async () => {
    const { page, one } = await inText();
    const [before, mine] = [await space.read(''), await one.now()];
    const conflict = { page, path: 'guide', kind: 'text', base: TEXT, ours: OURS, theirs: THEIRS };
    expect(await one.conflicts('merge')).toEqual([conflict]);
    expect(await one.conflicts('update')).toEqual([conflict]);
    expect(await space.read('')).toEqual(before);
    expect(await one.now()).toEqual(mine);
    expect(await one.get('/mergeability')).toMatchObject({ mergeable: false, conflicts: [conflict] });
  });

  it.each([
    ['change-request', OURS],
    ['primary', THEIRS],
  ])('in a text are settled by %s', async (use, text) => {
    const { page, one } = await inText();
    const { id: primary } = await space.read<{ id: string }>('');
    const tip = (await one.now()).revision;
    const revision = await one.pull([{ page, use }]);
    expect(await one.markdownOf(page)).toBe(text);
    expect(await one.now()).toMatchObject({ revisionMergedAncestor: primary, outdated: false, revision });
    const made = await space.get(`${space.root}/revisions/${revision}`);
    expect(made).toMatchObject({ type: 'update', parents: [tip, primary] });
    expect(await space.markdownOf(page)).toBe(THEIRS);
    await one.merge();
    expect(await space.markdownOf(page)).toBe(text);
  });

  it('in a text are settled by another text', async () => {
    const { page, one } = await inText();
    await one.update(page, { title: 'Manual' });
    await one.pull([{ page, ...markdown('Both lines.\n') }]);
    expect(await one.get(`/content/page/${page}`)).toMatchObject({ title: 'Manual', markdown: 'Both lines.\n' });
    await one.merge();
    expect(await space.markdownOf(page)).toBe('Both lines.\n');
  });

  it('in properties, places and what was deleted are named, and settled one by one', async () => {
    const [titled, placed, gone, kept, parent] = [
      await space.add('Titled'),
      await space.add('Placed'),
      await space.write('Gone', TEXT),
      await space.write('Kept', TEXT),
      await space.add('Parent'),
    ];
    const one = await space.open();
    await one.edit(
      { operation: 'update_page', page: titled, emoji: '📘' },
      { operation: 'update_page', page: placed, into: parent },
      { operation: 'delete_page', page: gone },
      { operation: 'update_page', page: kept, ...markdown(OURS) },
    );
    await space.edit(
      { operation: 'update_page', page: titled, emoji: '📕' },
      { operation: 'update_page', page: placed, at: 0 },
      { operation: 'update_page', page: gone, ...markdown(THEIRS) },
      { operation: 'delete_page', page: kept },
    );
    const conflicts = await one.conflicts('merge');
    expect(new Map(conflicts.map((conflict) => [conflict.page, conflict]))).toEqual(
      new Map(
        [
          { page: titled, path: 'titled', kind: 'property', property: 'emoji', base: null, ours: '📘', theirs: '📕' },
          {
            page: placed,
            path: 'placed',
            kind: 'position',
            base: { into: null, at: 1 },
            ours: { into: parent, at: 0 },
            theirs: { into: null, at: 0 },
          },
          { page: gone, path: 'gone', kind: 'deleted', base: TEXT, theirs: THEIRS },
          { page: kept, path: 'kept', kind: 'deleted', base: TEXT, ours: OURS },
        ].map((conflict) => [conflict.page, conflict]),
      ),
    );
    const some = [{ page: titled, use: 'primary' }];
    expect((await one.conflicts('update', some)).map(({ kind }) => kind).sort()).toEqual([
      'deleted',
      'deleted',
      'position',
    ]);
    await one.pull([
      ...some,
      { page: placed, use: 'change-request' },
      { page: gone, use: 'primary' },
      { page: kept, use: 'change-request' },
    ]);
    const pages = await one.get<{ pages: never[] }>('/content/pages');
    // which of the two comes first is decided by their ids
    expect(outline(pages.pages)).toEqual(expect.arrayContaining([['titled'], ['gone'], ['kept']]));
    expect(outline(pages.pages).at(-1)).toEqual(['parent', [['parent/placed']]]);
    expect(await one.get(`/content/page/${titled}`)).toMatchObject({ emoji: '📕' });
    expect(await one.markdownOf(gone)).toBe(THEIRS);
    expect(await one.markdownOf(kept)).toBe(OURS);
  });

  it('in files and reusable contents are named, and settled by a side', async () => {
    const file = { id: 'file1', name: 'a.png', contentType: 'image/png', size: 3, blob: 'b' };
    const content = { id: 'content1', title: 'Note', document: '' };
    const put = (title: string, name: string) => async (editor: Parameters<Parameters<Proposing['inSpace']>[0]>[0]) => {
      await editor.putFile({ ...file, name });
      const page = await editor.insertPage({ kind: 'group', title: 'Never' });
      await editor.deletePage(page.id);
      editor.putReusableContent({ ...content, title });
    };
    await space.inSpace(put('Note', 'a.png'));
    const one = await space.open();
    await one.inContent(put('Our note', 'ours.png'));
    await space.inSpace(put('Their note', 'theirs.png'));
    const conflicts = await one.conflicts('merge');
    expect(conflicts).toEqual([
      {
        file: 'file1',
        path: 'theirs.png',
        kind: 'property',
        property: 'name',
        base: 'a.png',
        ours: 'ours.png',
        theirs: 'theirs.png',
      },
      {
        reusableContent: 'content1',
        path: 'Their note',
        kind: 'property',
        property: 'title',
        base: 'Note',
        ours: 'Our note',
        theirs: 'Their note',
      },
    ]);
    await one.pull([
      { file: 'file1', use: 'change-request' },
      { reusableContent: 'content1', use: 'primary' },
    ]);
    expect(await one.get('/content/files/file1')).toMatchObject({ name: 'ours.png' });
    expect(await one.get('/content/reusable-contents/content1')).toMatchObject({ title: 'Their note' });
  });

  it('that are none are not settled', async () => {
    const { page, one } = await inText();
    const other = await space.add('Other');
    const mine = await one.now();
    const refused = async (resolutions: unknown): Promise<unknown> => one.post('/update', { resolutions }, 400);
    expect(
      await refused([
        { page, use: 'primary' },
        { page: other, use: 'primary' },
      ]),
    ).toMatchObject({
      error: { message: `\`resolutions\` names the page ${other}, which is not in conflict` },
    });
    expect(
      await refused([
        { page, use: 'primary' },
        { page, use: 'primary' },
      ]),
    ).toMatchObject({
      error: { message: `resolutions.1 names the page ${page} a second time` },
    });
    expect(await refused([{ page, use: 'primary', by: 'me' }])).toMatchObject({
      error: { message: 'resolutions.0 must have no "by" beside page' },
    });
    expect(await refused(null)).toMatchObject({ error: { code: 400 } });
    expect(await one.now()).toEqual({ ...mine, outdated: true });
    const current = await space.open();
    expect(await current.post('/update', { resolutions: [{ page, use: 'primary' }] }, 400)).toMatchObject({
      error: { code: 400 },
    });
  });
});

describe('an update', () => {
  it('of what is new changes the change request alone', async () => {
    const page = await space.write('Guide', TEXT);
    const one = await space.open();
    await one.update(page, markdown(TEXT.replace('One', 'Our')));
    await space.update(page, markdown(TEXT.replace('third', 'fourth')));
    const before = await space.read('');
    await one.pull();
    expect(await space.read('')).toEqual(before);
    expect(await one.markdownOf(page)).toBe(TEXT.replace('One', 'Our').replace('third', 'fourth'));
    expect(await changesOf(one)).toEqual([['page_edited', 'Guide']]);
  });

  it('without anything new answers the revision that is there', async () => {
    const one = await space.open();
    await one.add('Page');
    const before = await one.now();
    expect(await one.pull()).toBe(before.revision);
    expect(await one.now()).toEqual(before);
  });
});

describe('links', () => {
  it('lead where they did when one side renames what the other links to', async () => {
    const [target, source] = [await space.add('Target'), await space.write('Source', 'Nothing yet.\n')];
    const one = await space.open();
    await one.update(source, markdown('See [it](target).\n'));
    await space.update(target, { slug: 'renamed' });
    await one.merge();
    expect(await space.markdownOf(source)).toBe('See [it](renamed).\n');
    expect(await space.statuses()).toEqual({ ok: 1 });
  });

  it('lead where they did when the change request renames what the space links to', async () => {
    const [target, source] = [await space.add('Target'), await space.write('Source', 'Nothing yet.\n')];
    const one = await space.open();
    await one.update(target, { slug: 'renamed' });
    await space.update(source, markdown('See [it](target).\n'));
    await one.pull();
    expect(await one.markdownOf(source)).toBe('See [it](renamed).\n');
    await one.merge();
    expect(await space.markdownOf(source)).toBe('See [it](renamed).\n');
    expect(await space.statuses()).toEqual({ ok: 1 });
  });

  it('by words alone stay with the page that came right in the change request', async () => {
    // broken in the space: the page is made in the change request, and its reader moved in the space
    const source = await space.write('Source', 'See [it](target).\n');
    const parent = await space.add('Parent');
    const one = await space.open();
    const target = await one.add('Target');
    await space.update(source, { into: parent });
    await one.merge();
    expect(await space.markdownOf(source)).toBe('See [it](../target).\n');
    const { items } = await space.links();
    expect(items.map(({ status, targetReference: to }) => [status, to?.page?.id])).toEqual([['ok', target]]);
  });

  it('of a text that both sides wrote in lead where each meant', async () => {
    const text = ['Begin.', 'Middle.', 'End.'];
    const [a, b] = [await space.add('A'), await space.add('B')];
    const page = await space.write('Page', text.join('\n\n'));
    const one = await space.open();
    await one.update(page, markdown(['Begin [a](a).', 'Middle.', 'End.'].join('\n\n')));
    await one.update(a, { slug: 'a-ours' });
    await space.update(page, markdown(['Begin.', 'Middle.', 'End [b](b).'].join('\n\n')));
    await space.update(b, { slug: 'b-theirs' });
    await one.merge();
    expect(await space.markdownOf(page)).toBe(['Begin [a](a-ours).', 'Middle.', 'End [b](b-theirs).'].join('\n\n'));
    expect(await space.statuses()).toEqual({ ok: 2 });
  });

  it('of a change request are kept by its own edits', async () => {
    const source = await space.write('Source', 'See [it](target).\n');
    const one = await space.open();
    const target = await one.add('Target');
    await one.update(target, { slug: 'renamed' });
    expect(await one.markdownOf(source)).toBe('See [it](renamed).\n');
    await one.merge();
    expect(await space.statuses()).toEqual({ ok: 1 });
  });
});
