import { startApp, type TestApp } from './support/app.js';
import { type Editing, inserting } from './support/editing.js';
import { type Resolution, type SiteAnswer, Sites } from './support/sites.js';

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
});
