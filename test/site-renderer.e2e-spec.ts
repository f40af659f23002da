import type { Client } from './support/app.js';
import { startApp, type TestApp } from './support/app.js';
import { checkGrammar } from './support/document-grammar.js';
import { ContentWriter } from '../src/content/content.writer.js';
import { DocumentsService } from '../src/revisions/index.js';
import { type Resolution, Sites } from './support/sites.js';

/** Markdown with every construct that there is; `page` and `file` are ids. */
const everything = (page: string, file: string) => `# Intro

Plain *italic* **bold** ~~gone~~ \`code\` <kbd>K</kbd> x<sup>2</sup> y<sub>i</sub> [link](https://example.org/) [page](/pages/${page}) [anchor](/pages/${page}#intro).

Here is <i class="emoji-1f680">🚀</i>, <i class="fa-star">:star:</i> and <mark style="color:red;">colour</mark>, $$a^2$$, a note[^1] and ![inline](/files/${file}) in text.

## Second

### Third

- one
- two
  - nested

3. three
4. four

- [x] done
- [ ] open

\`\`\`js
let a = 1;

let b = 2;
\`\`\`

> quoted

---

| Name | Done |
| :--- | ---: |
| **a** | 1 |
| b | 2 |

![A picture](/files/${file} "Title")

$$
E = mc^2
$$

{% hint style="warning" %}
### Careful

Text
{% endhint %}

{% tabs %}
{% tab title="A" %}
one
{% endtab %}
{% tab title="B" %}
two
{% endtab %}
{% endtabs %}

<details>

<summary>More</summary>

Hidden

</details>

{% embed url="https://example.org/video" %}

{% file src="/files/${file}" %}

{% content-ref url="/pages/${page}" %}
[Page](/pages/${page})
{% endcontent-ref %}

{% columns %}
{% column width="50%" %}
left
{% endcolumn %}
{% column %}
right
{% endcolumn %}
{% endcolumns %}

{% stepper %}
{% step %}
## First

Do it
{% endstep %}
{% endstepper %}

{% include "/reusable-contents/shared1" %}

{% openapi-operation spec="petstore" path="/pets" method="get" %}
{% endopenapi-operation %}

<div class="raw">html</div>

[^1]: The note.
`;

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type Json = Record<string, unknown>;

let app: TestApp;
let sites: Sites;
let answer: Resolution;
let visitor: Client;
let root: string;
let revision: Json & { pages: Json[]; files: Json[]; reusableContents: Json[] };

/** The names of `wanted` that `value` does not have. */
const missing = (value: unknown, wanted: string): string[] => {
  return wanted.split(' ').filter((path) => {
    const found = path.split('.').reduce<unknown>((at, name) => (at as Json | undefined)?.[name], value);
    return found === undefined;
  });
};

const read = async <T = Json>(path: string, query: object = {}): Promise<T> =>
  (await visitor.get(path).query(query).expect(200)).body as T;

beforeAll(async () => {
  app = await startApp();
  sites = await Sites.start(app);
  const space = await sites.space('Guides');
  const picture = { name: 'a.png', base64: PNG, contentType: 'image/png' };
  const { insertedFiles } = await space.edit({ operation: 'insert_files', files: [picture] });
  const other = await space.add('Other', { document: { markdown: 'Only text.\n' }, description: 'About', emoji: '📘' });
  const group = { operation: 'insert_page', type: 'group', title: 'Part', ref: 'part' };
  const target = { kind: 'url', url: 'https://example.org/' };
  const computed = {
    type: 'builtin:openapi',
    props: { models: true },
    dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
  };
  await space.edit(
    {
      operation: 'insert_page',
      title: 'Everything',
      at: 0,
      document: { markdown: everything(other, insertedFiles?.[0]?.id ?? '') },
    },
    group,
    { operation: 'insert_page', type: 'link', title: 'Outside', target },
    { operation: 'insert_page', type: 'computed', title: 'Generated', computed },
  );
  const { _id: document } = await app.nest
    .get(DocumentsService, { strict: false })
    .put(sites.organization, 'Shared.\n');
  await app.nest.get(ContentWriter, { strict: false }).write(space.space, null, (editor) => {
    editor.putReusableContent({ id: 'shared1', title: 'Shared', document });
    return Promise.resolve();
  });
  const site = await sites.site({ title: 'Site', spaces: [space.space] });
  await sites.section(site, await sites.space('Api', 'Call'), 'Api');
  answer = await sites.resolved(sites.base(site));
  visitor = sites.visitor(answer);
  const { revision: id } = await read<{ revision: string }>(`/v1/spaces/${answer.space}`);
  root = `/v1/spaces/${answer.space}/revisions/${id}`;
  revision = await read(root, { metadata: true });
});
afterAll(() => app.close());

describe('whoever renders a site is given', () => {
  it('where an address leads', () => {
    const wanted =
      'site siteSection siteSpace space organization apiToken canonicalUrl basePath siteBasePath pathname complete';
    expect(missing(answer, wanted)).toEqual([]);
  });

  it('the site, its structure and its customization', async () => {
    const site = await read(`/v1/orgs/${answer.organization}/sites/${answer.site}/published`);
    const wanted =
      'site.id site.title site.visibility site.urls.published structure.type structure.structure scripts customizations.siteSpaces';
    expect(missing(site, wanted)).toEqual([]);
    const settings =
      'styling.primaryColor.light styling.primaryColor.dark styling.font styling.infoColor.light styling.successColor.dark styling.warningColor.light styling.dangerColor.dark ' +
      'internationalization.locale favicon header.links footer.groups themes.default pdf.enabled feedback.enabled ai.mode git.showEditLink externalLinks.target pagination.enabled trademark.enabled privacyPolicy socialPreview';
    expect(missing((site.customizations as Json).site, settings)).toEqual([]);
    const { type, structure } = site.structure as { type: string; structure: (Json & { siteSpaces: Json[] })[] };
    expect(type).toBe('sections');
    for (const section of structure) {
      expect(section.object).toBe('site-section');
      expect(missing(section, 'id title path default siteSpaces urls.published')).toEqual([]);
      for (const siteSpace of section.siteSpaces) {
        expect(siteSpace.object).toBe('site-space');
        const own = 'id title path default urls.published space.id space.revision space.title space.urls.published';
        expect(missing(siteSpace, own)).toEqual([]);
      }
      expect(section.siteSpaces.filter((siteSpace) => siteSpace.default)).toHaveLength(1);
    }
    expect(structure.filter((section) => section.default)).toHaveLength(1);
  });

  it('the space', async () => {
    const space = await read(`/v1/spaces/${answer.space}`);
    expect(missing(space, 'id revision title organization urls.published urls.public')).toEqual([]);
    expect(space).toMatchObject({ visibility: 'public', permissions: { view: true, access: false, edit: false } });
  });

  it('the revision: pages of every kind but place-holders, files, reusable contents', () => {
    const base = 'id title type createdAt updatedAt';
    const layout = [
      'title',
      'description',
      'tableOfContents',
      'outline',
      'pagination',
      'cover',
      'coverSize',
      'metadata',
      'width',
    ];
    const wanted: Record<string, string> = {
      document: `${base} path slug pages hidden noIndex noRobotsIndex urls.app ${layout.map((name) => `layout.${name}`).join(' ')}`,
      group: `${base} path pages`,
      link: `${base} target.kind`,
    };
    expect(revision.pages.map(({ type }) => type)).toEqual(['document', 'document', 'group', 'link']);
    for (const page of revision.pages)
      expect([page.type, missing(page, wanted[String(page.type)] ?? '')]).toEqual([page.type, []]);
    expect(revision.pages.map(({ path }) => path)).toEqual(['intro', 'other', 'part', undefined]);
    expect(missing(revision.files[0], 'id name contentType downloadURL size dimensions.width')).toEqual([]);
    expect(missing(revision.reusableContents[0], 'id title document')).toEqual([]);
    expect(revision).not.toHaveProperty('mergedFrom');
    expect(revision.urls).toMatchObject({ published: answer.canonicalUrl, public: answer.canonicalUrl });
  });

  it('the text of a page as nodes that it can show', async () => {
    const [page] = revision.pages;
    const document = await read(`${root}/page/${String(page?.id)}/document`, { evaluated: true });
    const { problems, types } = checkGrammar(document);
    expect(problems).toEqual([]);
    expect(TYPES.filter((type) => !types.has(type))).toEqual([]);
    for (const [at, more] of [
      ['reusable-contents/shared1/document', {}],
      [`page/${String(revision.pages[1]?.id)}/document`, { evaluated: true }],
    ] as const)
      expect(checkGrammar(await read(`${root}/${at}`, more)).problems).toEqual([]);
    const shared = String(revision.reusableContents[0]?.document);
    expect(checkGrammar(await read(`/v1/spaces/${answer.space}/documents/${shared}`)).problems).toEqual([]);
    await visitor.get(`${root}/page/${String(revision.pages[2]?.id)}/document`).expect(404);
  });

  it('a page by its path, and its Markdown with the title first', async () => {
    const found = await read(`${root}/path/other`);
    expect(found).toMatchObject({ id: revision.pages[1]?.id, title: 'Other' });
    await visitor.get(`${root}/path/nothing%2Fbelow`).expect(404);
    const markdown = async (page: Json | undefined) =>
      (await read<{ markdown: string }>(`${root}/page/${String(page?.id)}`, { format: 'markdown' })).markdown;
    expect(await markdown(revision.pages[1])).toBe('# Other\n\nOnly text.\n');
    expect(await markdown(revision.pages[0])).toMatch(/^# Intro\n/);
    // people are told what was written
    const own = await sites.send<{ markdown: string }>('get', `${root}/page/${String(revision.pages[1]?.id)}`);
    expect(own.markdown).toBe('Only text.\n');
    const { pages } = await sites.send<{ pages: Json[] }>('get', `${root}/pages`);
    const placeHolder = pages.find(({ type }) => type === 'computed');
    await visitor.get(`${root}/page/${String(placeHolder?.id)}`).expect(404);
  });

  it('what to show of a foreign address', async () => {
    const path = `/v1/spaces/${answer.space}/embed`;
    expect(await read(path, { url: 'https://www.example.org/a%20b?c=d' })).toEqual({
      type: 'link',
      title: 'example.org/a b',
      site: 'example.org',
    });
    expect(await read(path, { url: 'https://example.org' })).toEqual({
      type: 'link',
      title: 'example.org',
      site: 'example.org',
    });
    for (const url of [undefined, 'nothing', 'javascript:alert(1)']) await visitor.get(path).query({ url }).expect(400);
  });

  it('an empty page as a page without text', async () => {
    const space = await sites.space('Empty');
    const page = await space.add('Nothing', { document: {} });
    const own = await sites.resolved(sites.base(await sites.site({ title: 'Empty', spaces: [space.space] })));
    const reader = sites.visitor(own);
    const { body } = await reader.get(`/v1/spaces/${space.space}`);
    const at = `/v1/spaces/${space.space}/revisions/${(body as { revision: string }).revision}`;
    expect((await reader.get(at)).body).toMatchObject({
      pages: [{ id: page, pages: [] }],
      files: [],
      reusableContents: [],
    });
    const { status, body: text } = await reader.get(`${at}/page/${page}/document`);
    expect([200, 404]).toContain(status);
    if (status === 200) expect(checkGrammar(text).problems).toEqual([]);
  });
});

/** What the page is made of. */
const TYPES = [
  ...['paragraph', 'heading-1', 'heading-2', 'heading-3', 'list-unordered', 'list-ordered', 'list-tasks', 'list-item'],
  ...['code', 'code-line', 'blockquote', 'divider', 'table', 'images', 'image', 'math', 'hint', 'tabs', 'tabs-item'],
  ...['expandable', 'embed', 'file', 'content-ref', 'columns', 'column', 'stepper', 'stepper-step', 'reusable-content'],
  ...['openapi-operation', 'link', 'inline-math', 'annotation', 'inline-image', 'emoji', 'icon', 'text', 'fragment'],
  ...['bold', 'italic', 'strikethrough', 'code', 'keyboard', 'superscript', 'subscript'].map((mark) => `mark ${mark}`),
  'mark color',
];
