import { ArchiveImporter } from '../src/content/index.js';
import { Indexer } from '../src/content/indexer.js';
import type { TestApp } from './support/app.js';
import { generateBook } from './support/book.js';
import { documentsOf, givenLinking, type Linking, type Links, short } from './support/links.js';

let app: TestApp;
let space: Linking;

givenLinking((given) => {
  ({ app, space } = given);
});

/** Imports a folder of these files. */
async function imported(files: ReadonlyMap<string, string>): Promise<void> {
  const bytesOf = (name: string): Buffer | undefined =>
    files.has(name) ? Buffer.from(files.get(name) ?? '') : undefined;
  const source = {
    read: (name: string) => Promise.resolve(bytesOf(name)),
    list: () => Promise.resolve([...files.keys()]),
  };
  await app.nest.get(ArchiveImporter, { strict: false }).importFolder(space.space, { source, author: null });
}

describe('what a link leads to', () => {
  it('is kept when pages are renamed and moved, and the text says so', async () => {
    const part = await space.write('Part', 'Text\n');
    const target = await space.write('Target', 'Text\n\n# One\n', { into: part });
    const text = '[t](part/target#one) [t](./part/target.md?x=1) [t](/part/target "title") <https://example.org>\n';
    const page = await space.write('Page', text);
    expect(await space.markdownOf(page)).toBe(text);
    await space.update(target, { title: 'Renamed' });
    expect(await space.markdownOf(page)).toBe(
      '[t](part/renamed#one) [t](part/renamed.md?x=1) [t](/part/renamed "title") <https://example.org>\n',
    );
    await space.update(part, { title: 'Section' });
    await space.update(page, { into: part });
    expect(await space.markdownOf(page)).toBe(
      '[t](renamed#one) [t](renamed.md?x=1) [t](/section/renamed "title") <https://example.org>\n',
    );
    expect(await space.statuses()).toEqual({ ok: 3 });
    await space.update(page, { into: null });
    await space.update(target, { title: 'Target' });
    await space.update(part, { title: 'Part' });
    expect(await space.markdownOf(page)).toBe(text);
  });

  it('is named by id in a tree of nodes, which can be stored as it is', async () => {
    await space.putFile('f');
    const target = await space.write('Target', 'Text\n\n# One\n');
    const page = await space.write('Page', '[t](target) [one](target#one) [lost](nowhere) ![f](/files/f)\n');
    const read = async (id: string): Promise<{ document: { nodes: object[] } }> =>
      space.get(`${space.path}/page/${id}`, { format: 'document' });
    const { document } = await read(page);
    const refs = (text: object): unknown[] =>
      [...JSON.stringify(text).matchAll(/"ref":(\{[^}]*\})/g)].map(([, ref]) => JSON.parse(ref ?? '') as unknown);
    const meant = [
      { kind: 'page', page: target },
      { kind: 'anchor', anchor: 'one', page: target },
      { kind: 'url', url: 'nowhere' },
      { kind: 'file', file: 'f' },
    ];
    expect(refs(document)).toEqual(meant);
    await space.update(target, { title: 'Renamed' });
    expect(refs((await read(page)).document)).toEqual(meant);
    const copy = await space.write('Copy', '');
    await space.update(copy, { document: { document } });
    expect(refs((await read(copy)).document)).toEqual(meant);
    expect((await space.get<Links>(`${space.path}/page/${copy}/links`)).stats).toEqual({
      total: 4,
      broken: { total: 1 },
    });
  });

  it('follows pages, headings and files that go and come back', async () => {
    const target = await space.write('Target', 'Text\n\n# One\n');
    await space.write('Page', '[t](target) [one](target#one) [f](/files/f)\n');
    expect(await space.statuses()).toEqual({ ok: 2, broken: 1 });
    await space.putFile('f');
    expect(await space.statuses()).toEqual({ ok: 3 });
    await space.inSpace((editor) => editor.removeFile('f'));
    await space.update(target, { document: { markdown: 'Text\n\n# Other\n' } });
    expect(await space.statuses()).toEqual({ ok: 1, broken: 2 });
    await space.update(target, { document: { markdown: 'Text\n\n# One\n' } });
    expect(await space.statuses()).toEqual({ ok: 2, broken: 1 });
    const before = await space.get<{ id: string }>(space.path);
    await space.edit({ operation: 'delete_page', page: target });
    expect(await space.statuses()).toEqual({ broken: 2 });
    await space.edit({ operation: 'revert_page', page: target, revision: before.id });
    expect(await space.statuses()).toEqual({ ok: 2, broken: 1 });
    await space.edit({ operation: 'delete_page', page: target });
    const again = await space.write('Target', 'Text\n\n# One\n');
    expect(await space.statuses()).toEqual({ ok: 2, broken: 1 });
    await space.update(again, { title: 'Elsewhere' });
    expect(await space.statuses()).toEqual({ ok: 2, broken: 1 });
  });

  it('is kept in a book, whose texts name files, when pages are renamed and moved', async () => {
    const book = generateBook();
    const files = new Map(book.chapters.map(({ file, markdown }) => [file, markdown.replaceAll('.md)', '.html)')]));
    const names = new Map([...files, ['SUMMARY.md', book.summary]]);
    await imported(names);
    const pages = documentsOf(await space.pages());
    expect(pages.length).toBe(book.chapters.length);
    const broken = async (): Promise<number[]> => {
      const counts: number[] = [];
      for (const { id } of pages) {
        const list = await space.get<Links>(`${space.path}/page/${id}/links`, { limit: 0 });
        counts.push(list.stats.broken.total);
      }
      return counts;
    };
    const [before, links] = [await broken(), (await space.get<Links>(`${space.root}/links`, { limit: 0 })).stats];
    // every chapter but the first leads to the one before it
    const { items } = await space.get<Links>(`${space.root}/links`, { limit: 1000 });
    expect(items.filter(({ targetReference }) => targetReference?.kind === 'page').length).toBeGreaterThan(100);
    for (const [index, { id, title }] of pages.filter((_, index) => index % 6 === 0).entries()) {
      await space.update(id, index % 2 === 0 ? { title: `${title} anew` } : { into: null, at: 0 });
    }
    expect(await broken()).toEqual(before);
    expect((await space.get<Links>(`${space.root}/links`, { limit: 0 })).stats).toEqual(links);
  });

  it('is kept in HTML as it is in Markdown, files that a book shows among it', async () => {
    const names = new Map([
      ['SUMMARY.md', '- [One](one.md)\n- [Two](sub/two.md)\n'],
      ['one.md', '# One\n\n<img alt="A > B"\nsrc="img/a.svg">\n\nSee <a class=x href=\'sub/two.html#two\'>two</a>.\n'],
      ['sub/two.md', '# Two\n\n> <p><img src="../img/a.svg">\n> <A HREF=../one.md>one</A></p>\n'],
      ['img/a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
      ['img/b.svg', '<svg/>'],
    ]);
    await imported(names);
    const [one, two] = documentsOf(await space.pages());
    if (!one || !two) throw new Error('they were not imported');
    expect([await space.markdownOf(one.id), await space.markdownOf(two.id)]).toEqual([
      names.get('one.md'),
      names.get('sub/two.md'),
    ]);
    const { items: files } = await space.get<{ items: { id: string; name: string }[] }>(`${space.path}/files`);
    expect(files.map(({ name }) => name)).toEqual(['img/a.svg']);
    const listed = async (): Promise<unknown[]> => {
      const { items } = await space.links();
      return items.map((item) => [item.relation, ...(short(item) as unknown[])]);
    };
    expect(await listed()).toEqual(
      expect.arrayContaining([
        ['dependsOn', 'file', 'ok', expect.arrayContaining(['One#one', 'Two#two'])],
        ['reference', 'Two#two', 'ok', ['One#one']],
        ['reference', 'One', 'ok', ['Two#two']],
      ]),
    );
    const document = JSON.stringify(await space.get<object>(`${space.path}/page/${one.id}`, { format: 'document' }));
    expect(document).toContain(JSON.stringify({ kind: 'file', file: files[0]?.id }));

    await space.update(two.id, { title: 'A & "B"', slug: 'b' });
    await space.update(one.id, { into: two.id });
    expect((await space.markdownOf(one.id)).split("'")[1]).toBe('../b#two');
    expect((await space.markdownOf(two.id)).split('\n')[3]).toBe('> <A HREF=b&#47;one.md>one</A></p>');
    expect(await space.statuses()).toEqual({ ok: 3 });
  });

  it('is kept for pages with very many links', async () => {
    const target = await space.write('Target', 'Text\n');
    const text = Array.from({ length: 500 }, (_, n) => `[to the target](target?n=${n})\n`).join('\n');
    const page = await space.write('Page', text);
    await space.update(target, { title: 'Renamed' });
    expect(await space.markdownOf(page)).toBe(text.replaceAll('](target', '](renamed'));
  });

  it('costs a reading of the page no more than its own records', async () => {
    await space.write('Target', 'Text\n\n# One\n');
    const page = await space.write('Page', '[t](target)\n');
    await space.update(page, { title: 'Renamed' });
    await space.markdownOf(page);
    const commands = await app.commandsOf(() => space.markdownOf(page));
    // token, membership, space, what was published of it, and the page
    expect(commands.length).toBeLessThanOrEqual(5);
    expect(commands.every((name) => name === 'find')).toBe(true);
  });

  it('is known again after the index was made anew', async () => {
    await space.write('Target', 'Text\n\n# One\n');
    await space.write('Page', '[t](target) [no](no)\n');
    const before = await space.links();
    await app.connection.collection('links').deleteMany({});
    await app.connection.collection('link_targets').deleteMany({});
    expect((await space.links()).count).toBe(0);
    await app.nest.get(Indexer, { strict: false }).rebuild(space.space);
    expect(await space.links()).toEqual(before);
  });
});
