import { ZipSource } from '../src/content/index.js';
import { startApp, type TestApp } from './support/app.js';
import { type Editing, inserting } from './support/editing.js';
import type { TestUser } from './support/factories.js';
import { type PartAnswer, type Resolution, type SiteAnswer, Sites } from './support/sites.js';

const MARKDOWN = `Before the stones.

{% if condition="visitor.claims.unsigned.beta" %}
## Secret garden

Roses for some, with one heron.
{% endif %}

{% hint style="info" %}
{% if condition="visitor.claims.unsigned.beta" %}
Hinted.
{% endif %}
{% endhint %}

Hello <code class="expression">visitor.claims.unsigned.name</code>!
`;
const SCHEMA = {
  type: 'object',
  properties: {
    unsigned: {
      type: 'object',
      properties: {
        beta: { type: 'boolean', description: 'Whether beta features are shown' },
        name: { type: 'string', description: 'What the visitor is called' },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

describe('conditions in texts', () => {
  let app: TestApp;
  let sites: Sites;
  let space: Editing;
  let site: SiteAnswer;
  let page: string;
  let documentId: string;

  beforeAll(async () => {
    app = await startApp();
    sites = await Sites.start(app);
    space = await sites.space('Content');
    await space.edit({ ...inserting('Page'), document: { markdown: MARKDOWN } });
    site = await sites.site({ spaces: [space.space] });
    await sites.send('put', sites.path(site, '/adaptive-schema'), { jsonSchema: SCHEMA });
    await adapt(true);
    const { pages } = await space.read<{ pages: { id: string; documentId: string }[] }>('');
    [{ id: page, documentId } = { id: '', documentId: '' }] = pages;
  });
  afterAll(() => app.close());

  const adapt = (enabled: boolean) => sites.send('patch', sites.path(site), { adaptiveContent: { enabled } });
  const visit = (unsignedClaims: object): Promise<Resolution> =>
    sites.resolved(sites.base(site), { visitor: { unsignedClaims } });
  /** What somebody with these claims gets at a path below the revision. */
  async function read(claims: object, below: string): Promise<unknown> {
    const resolution = await visit(claims);
    const { revision } = (await sites.visitor(resolution).get(`/v1/spaces/${space.space}`).expect(200)).body as {
      revision: string;
    };
    const path = `/v1/spaces/${space.space}/revisions/${revision}${below}`;
    return (await sites.visitor(resolution).get(path).expect(200)).body;
  }
  /** All texts in a tree of nodes. */
  const textsIn = (value: unknown): string[] =>
    JSON.stringify(value)
      .match(/"text":"[^"]+"/g)
      ?.map((text) => text.slice(8, -1)) ?? [];
  async function found(claims: object, query: string): Promise<unknown> {
    const answer = await sites
      .visitor(await visit(claims))
      .post(sites.path(site, '/search'))
      .send({ query, mode: 'all' })
      .expect(200);
    return (answer.body as { items: { pages: { sections: unknown[] }[] }[] }).items.flatMap(({ pages }) => pages);
  }

  it('are resolved in the nodes that a visitor gets', async () => {
    const below = `/page/${page}/document`;
    const plain = await read({}, below);
    expect(textsIn(plain)).toEqual(['Before the stones.', 'Hello ', '!']);
    expect(JSON.stringify(plain)).not.toMatch(/claims|"if"|"expression"|Secret|secret|Hinted/);
    const known = await read({ beta: true, name: 'Ann' }, below);
    expect(textsIn(known)).toEqual([
      ...['Before the stones.', 'Secret garden', 'Roses for some, with one heron.', 'Hinted.'],
      ...['Hello ', 'Ann', '!'],
    ]);
    expect(JSON.stringify(known)).not.toMatch(/claims|"if"|"expression"/);
  });

  it('leave no block empty that may not be', async () => {
    const { nodes } = (await read({}, `/page/${page}/document`)) as { nodes: { type: string; nodes: unknown[] }[] };
    expect(nodes.find(({ type }) => type === 'hint')?.nodes).toEqual([
      { object: 'block', type: 'paragraph', key: expect.any(String) as string, isVoid: false, data: {}, nodes: [] },
    ]);
  });

  it('are resolved in Markdown, and in the text by its id', async () => {
    const { markdown } = (await read({}, `/page/${page}?format=markdown`)) as { markdown: string };
    expect(markdown).toBe('# Page\n\nBefore the stones.\n\n{% hint style="info" %}\n\n{% endhint %}\n\nHello !\n');
    const known = (await read({ beta: true, name: 'Ann' }, `/page/${page}?format=markdown`)) as { markdown: string };
    expect(known.markdown).toContain('## Secret garden\n\nRoses for some');
    expect(known.markdown).toContain('Hello Ann!');
    const { documentId: published } = (await read({}, `/page/${page}`)) as { documentId: string };
    const answer = await sites
      .visitor(await visit({}))
      .get(`/v1/spaces/${space.space}/documents/${published}`)
      .expect(200);
    expect(textsIn(answer.body)).toEqual(['Before the stones.', 'Hello ', '!']);
  });

  it('keep what they decide about out of the search of visitors', async () => {
    expect(await found({ beta: true }, 'heron')).toEqual([]);
    expect(await found({}, 'stones')).toEqual([
      expect.objectContaining({ id: page, sections: [expect.objectContaining({ title: '' })] }),
    ]);
  });

  it('are not applied for authors', async () => {
    expect(await space.read(`/page/${page}`)).toMatchObject({ markdown: MARKDOWN });
    const { body } = await app.as(sites.admin).get(`/v1/spaces/${space.space}/documents/${documentId}`).expect(200);
    expect(textsIn(body)).toContain('Roses for some, with one heron.');
    const search = await app.as(sites.admin).get(`/v1/spaces/${space.space}/search`).query({ query: 'heron' });
    expect(search.body).toMatchObject({ items: [{ id: page }] });
  });

  it('keep the number of what is found to themselves too', async () => {
    const answer = async (query: string) => {
      const visitor = sites.visitor(await visit({}));
      const { body } = await visitor.post(sites.path(site, '/search')).send({ query, mode: 'all' }).expect(200);
      return body as unknown;
    };
    expect(await answer('heron')).toEqual({ count: 0, items: [] });
    expect(await answer('stones')).toMatchObject({ count: 1, items: [{ pages: [{ id: page }] }] });
    const stranger = app.as(await app.create.user());
    const search = (query: string) => stranger.get(`/v1/spaces/${space.space}/search`).query({ query });
    expect((await search('heron').expect(200)).body).toEqual({ count: 0, items: [] });
    expect((await search('stones').expect(200)).body).toMatchObject({ count: 1, items: [{ id: page }] });
  });

  it.each([
    ['another spelling of the tag', '{% -if condition="visitor.claims.unsigned.beta" %}\nWagtail.\n{% endif %}'],
    [
      'the end of one in a block of code',
      '{% if condition="visitor.claims.unsigned.beta" %}\n```\n{% endif %}\n```\n\nWagtail.\n{% endif %}',
    ],
    ['an expression', 'So <CODE class="expression">visitor.claims.unsigned.beta ? "Wagtail" : "none"</CODE>.'],
    [
      'a block of JSON',
      `{% block %}\n\`\`\`json\n${JSON.stringify({
        object: 'block',
        type: 'if',
        isVoid: false,
        data: { expression: 'visitor.claims.unsigned.beta' },
        nodes: [
          {
            object: 'block',
            type: 'paragraph',
            isVoid: false,
            data: {},
            nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'Wagtail', marks: [] }] }],
          },
        ],
      })}\n\`\`\`\n{% endblock %}`,
    ],
  ])('keep back what they hide in every form: %s', async (_how, text) => {
    const id = await space.add('Bird', { document: { markdown: `Plainly.\n\n${text}\n` } });
    const stranger = app.as(await app.create.user());
    const root = `/v1/spaces/${space.space}`;
    const answers = [];
    for (const below of ['?format=markdown', '?format=document'])
      answers.push((await stranger.get(`${root}/content/page/${id}${below}`).expect(200)).body as unknown);
    for (const query of ['plainly', 'wagtail'])
      answers.push((await stranger.get(`${root}/search`).query({ query }).expect(200)).body as unknown);
    expect(JSON.stringify(answers)).toContain('Plainly');
    expect(JSON.stringify(answers)).not.toMatch(/wagtail/i);
    await space.edit({ operation: 'delete_page', page: id });
  });

  it('keep back in archives what they hide from who downloads one', async () => {
    const archive = async (user: TestUser) => {
      const path = `/v1/spaces/${space.space}/content/archive`;
      const { body } = await app.as(user).get(path).responseType('blob').expect(200);
      const zip = await ZipSource.open(body as Buffer, { entries: 100, file: 1e6, total: 1e6 });
      const texts = [];
      for (const name of await zip.list()) texts.push(String(await zip.read(name)));
      return texts.join('\n');
    };
    expect(await archive(sites.admin)).toContain('Roses for some');
    const read = await archive(await app.create.user());
    expect(read).toContain('Before the stones.');
    expect(read).not.toMatch(/Roses|Secret garden|secret-garden|Hinted|visitor\.claims/);
  });

  it('hide from strangers, of whom nothing is known', async () => {
    const stranger = app.as(await app.create.user());
    const { body } = await stranger.get(`/v1/spaces/${space.space}/content/page/${page}?format=document`).expect(200);
    expect(textsIn(body)).not.toContain('Hinted.');
  });

  it('show everything where adaptive content is switched off', async () => {
    await adapt(false);
    expect(textsIn(await read({}, `/page/${page}/document`))).toContain('Roses for some, with one heron.');
    await adapt(true);
  });

  it('are looked through on all sites that carry a space', async () => {
    const shared = await sites.space('Shared');
    const hidden = { condition: 'visitor.claims.unsigned.beta' };
    const made: SiteAnswer[] = [];
    for (let n = 0; n < 9; n += 1) {
      const site = await sites.site({ spaces: [shared.space], visibility: n === 0 ? 'visitor-auth' : 'public' });
      const { items } = await sites.send<{ items: PartAnswer[] }>('get', sites.path(site, '/site-spaces'));
      await sites.send('patch', sites.path(site, `/site-spaces/${items[0]?.id ?? ''}`), hidden);
      await sites.send('patch', sites.path(site), { adaptiveContent: { enabled: true } });
      made.push(site);
    }
    const stranger = app.as(await app.create.user());
    await stranger.get(`/v1/spaces/${shared.space}`).expect(404);
    const last = await sites.site({ spaces: [shared.space] });
    const { body } = await stranger.get(`/v1/spaces/${shared.space}`).expect(200);
    expect(body).toMatchObject({
      visibility: 'public',
      urls: { published: made[0]?.urls.published, public: made[1]?.urls.published },
    });
    const visitor = sites.visitor(await sites.resolved(sites.base(last)));
    expect((await visitor.get(`/v1/spaces/${shared.space}`)).body).toMatchObject({
      urls: { published: last.urls.published },
    });
  });
});
