import { startApp } from './support/app.js';
import { png as image } from './support/images.js';
import { type ImportAnswer, Importing, serve, shapeOf, zip } from './support/importing.js';
import { redirectTo, type Route, startWebServer, type WebServer } from './support/web-server.js';

const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const PNG = image(2, 3);

describe('the import from an address', () => {
  let from: Importing;

  beforeAll(async () => {
    from = await Importing.start({ IMPORT_MAX_BYTES: '1mb' });
  });
  afterAll(() => from.stop());
  beforeEach(() => from.begin());

  describe('of a website', () => {
    it('adds its pages as one revision, nested by their addresses, in the order in which they were found', async () => {
      from.routes['/docs/'] = serve.page(
        'Welcome',
        `<p><a href="guide/">Guide</a> <a href="/docs/guide/install.html?utm_source=x#top">Install</a>
        <a href="deep/er/one">One</a> <a href="deep/er/two">Two</a> <a href="lone/level">Lone</a>
        <a href="/blog/">elsewhere</a> <a href="https://example.org/a_b">far</a></p>`,
      );
      from.routes['/docs/guide/'] = serve.page('Guide', '<p>See <a href="install.html#the-options">options</a>.</p>');
      from.routes['/docs/guide/install.html'] = serve.page(
        'Install',
        `<h2 id="the-options">All options</h2><pre><code class="language-sh">run --it</code></pre>
        <table><tr><th>Name</th><th>Use</th></tr><tr><td>a|b</td><td><ul><li>x</li><li>y</li></ul></td></tr></table>
        <p><a href="javascript:alert(1)">bad</a> <a href="../">up</a> <a href="missing">gone</a></p>`,
      );
      from.routes['/docs/deep/er/one'] = serve.page('One', '');
      from.routes['/docs/deep/er/two'] = serve.page('Two', '');
      from.routes['/docs/lone/level'] = serve.page('Lone', '');
      const answer = await from.send(`${from.web.url}/docs/`, 'website').expect(201);
      // the page that is not there was found, and could not be read
      expect(answer.body).toEqual({ revision: ID, importedResources: 6, totalResources: 7 });
      const { revision } = answer.body as { revision: string };
      expect(answer.headers.location).toBe(`http://docs.test/v1/spaces/${from.space}/revisions/${revision}`);
      expect(await from.get('')).toMatchObject({ id: revision, type: 'edits', parents: [ID] });
      expect(shapeOf(await from.pages())).toEqual([
        ['Welcome'],
        ['Guide', [['Install']]],
        ['Er', [['One'], ['Two']]],
        ['Lone'],
      ]);
      const install = await from.idOf('Install');
      expect(await from.markdownOf('Guide')).toBe(
        `This is what the page about Guide tells to whoever came to read it, in some words.\n\nSee [options](/pages/${install}#all-options).\n`,
      );
      expect(await from.markdownOf('Install')).toBe(
        [
          'This is what the page about Install tells to whoever came to read it, in some words.',
          '## All options',
          '```sh\nrun --it\n```',
          '| Name | Use |\n| - | - |\n| a\\|b | x y |',
          `bad [up](/pages/${await from.idOf('Welcome')}) [gone](${from.web.url}/docs/guide/missing)\n`,
        ].join('\n\n'),
      );
      expect(await from.markdownOf('Welcome')).toContain('[elsewhere]');
      expect(await from.markdownOf('Welcome')).toContain('(https://example.org/a_b)');
      expect(await from.search('install')).toContain('Install');
    });

    it('makes files of images, each once, and leaves out what cannot be had', async () => {
      const big = Buffer.alloc(30 * 1024 * 1024);
      from.routes['/'] = serve.page(
        'Pictures',
        `<p><img src="/a.png" alt="A"> <img src="a.png#x" alt="again"> <img src="/gone.png" alt="gone">
        <img src="/big.png" alt="big"> <img src="/loop.png" alt="loop"> <img src="/page.png" alt="page">
        <img src="http://169.254.169.254/secret.png" alt="meta"> <img src="http://127.0.0.2:${String(from.web.port)}/a.png" alt="other">
        <img src="data:image/png;base64,${PNG.toString('base64')}" alt="inside"></p>
        <p><a href="/loop">loop</a> <a href="/out">out</a> <a href="/big">big</a> <a href="/text">text</a> <a href="/manual.pdf">pdf</a></p>`,
      );
      from.routes['/a.png'] = serve.png(PNG);
      from.routes['/big.png'] = serve.png(big);
      from.routes['/loop.png'] = redirectTo('/loop.png');
      from.routes['/page.png'] = serve.html('<p>Not found, politely</p>');
      from.routes['/loop'] = redirectTo('/loop');
      from.routes['/out'] = redirectTo(`http://127.0.0.2:${String(from.web.port)}/`);
      from.routes['/big'] = serve.html(big);
      from.routes['/text'] = serve.text('Just text');
      // the page, two of eight images; of the four links none is a page, and the last is not even tried
      expect(await from.bringIn('/', 'website')).toEqual({ revision: ID, importedResources: 3, totalResources: 13 });
      const stored = await from.files();
      expect(stored).toEqual([
        expect.objectContaining({ name: 'a.png', contentType: 'image/png' }),
        expect.objectContaining({ name: 'image.png', contentType: 'image/png' }),
      ]);
      const [file, inside] = stored.map(({ id }) => id);
      const markdown = await from.markdownOf('Pictures');
      expect(markdown).toContain(`![A](/files/${String(file)}) ![again](/files/${String(file)})`);
      expect(markdown).toContain(`![gone](${from.web.url}/gone.png)`);
      expect(markdown).toContain('![meta](http://169.254.169.254/secret.png)');
      expect(markdown).toContain(`![inside](/files/${String(inside)})`);
      expect(from.web.requests.filter(({ url }) => url === '/a.png')).toHaveLength(1);
      expect(from.web.requests.map(({ url }) => url)).not.toContain('/manual.pdf');
    });

    it('takes a page once, whatever addresses lead to it', async () => {
      from.routes['/'] = serve.page(
        'Start',
        '<p><a href="/guide">a</a> <a href="/guide/">b</a> <a href="/old">c</a> <a href="/print">d</a></p>',
      );
      from.routes['/guide'] = serve.page('Guide', '');
      from.routes['/guide/'] = serve.page('Guide', '');
      from.routes['/old'] = redirectTo('/guide');
      from.routes['/print'] = serve.html(
        '<head><link rel="canonical" href="/guide"></head><main><h1>Print</h1><p>Some words</p></main>',
      );
      expect(await from.bringIn('/', 'website')).toEqual({ revision: ID, importedResources: 2, totalResources: 2 });
      const guide = await from.idOf('Guide');
      for (const name of ['a', 'b', 'c', 'd'])
        expect(await from.markdownOf('Start')).toContain(`[${name}](/pages/${guide})`);
    });

    it('keeps to robots.txt', async () => {
      from.routes['/robots.txt'] = serve.text('User-agent: *\nDisallow: /private\nAllow: /\n');
      from.routes['/'] = serve.page(
        'Start',
        '<p><a href="/private/a">a</a> <a href="/public">b</a> <a href="/detour">c</a></p>',
      );
      from.routes['/public'] = serve.page('Public', '');
      from.routes['/private/a'] = serve.page('Private', '');
      from.routes['/detour'] = redirectTo('/private/a');
      await from.bringIn('/', 'website');
      expect(shapeOf(await from.pages())).toEqual([['Start'], ['Public']]);
      await from.refuse(`${from.web.url}/private/a`, 'website', 'robots.txt of its site does not allow it');
      from.routes['/robots.txt'] = (_request, response) => {
        response.writeHead(503).end();
      };
      await from.refuse(`${from.web.url}/`, 'website', 'the robots.txt of its site answers with status 503');
    });

    it('reads pages by base and encoding, and short ones as they are', async () => {
      const latin = Buffer.from(
        '<html><head><meta charset="iso-8859-1"><base href="/docs/deep/"></head><body><h1>Caf\xe9</h1><ul><li><a href="x">X</a></li></ul></body></html>',
        'latin1',
      );
      from.routes['/docs'] = serve.unnamedHtml(latin);
      from.routes['/docs/deep/x'] = serve.page('X', '');
      await from.bringIn('/docs', 'website');
      expect(shapeOf(await from.pages())).toEqual([['Café'], ['X']]);
      expect(await from.markdownOf('Café')).toBe(`- [X](/pages/${await from.idOf('X')})\n`);
    });
  });

  describe('of one page', () => {
    it('of HTML adds it with its images, and follows nothing', async () => {
      from.routes['/one'] = serve.page(
        'One',
        '<p id="here"><a href="/two">two</a> <a href="#here">here</a> <img src="a.png" alt=""></p>',
      );
      from.routes['/two'] = serve.page('Two', '');
      from.routes['/a.png'] = serve.png(PNG);
      expect(await from.bringIn('/one', 'html')).toEqual({ revision: ID, importedResources: 2, totalResources: 2 });
      const [file] = await from.files();
      expect(await from.markdownOf('One')).toContain(
        `[two](${from.web.url}/two) [here](/pages/${await from.idOf('One')}#here) ![](/files/${String(file?.id)})`,
      );
      expect(from.web.requests.map(({ url }) => url)).toEqual(['/one', '/a.png']);
    });

    it('of Markdown keeps every byte, and knows what its images mean', async () => {
      const markdown = '\ufeff---\ndescription: About\n---\r\n# Own title \r\n\r\n![x](img/a.png)  [b](b.md)\t\r\n';
      from.routes['/docs/my-text.md'] = serve.text(markdown);
      from.routes['/docs/img/a.png'] = serve.png(PNG);
      expect(await from.bringIn('/docs/my-text.md', 'markdown')).toEqual({
        revision: ID,
        importedResources: 2,
        totalResources: 2,
      });
      const { title = '', id = '' } = (await from.pages())[0] ?? {};
      expect(await from.markdownOf(title)).toBe(markdown);
      const [file] = await from.files();
      const { document } = await from.get<{ document: unknown }>(`/page/${id}?format=document`);
      expect(JSON.stringify(document)).toContain(JSON.stringify({ kind: 'file', file: file?.id }));
    });
  });

  it('of a wiki reads its pages, arranged by its sidebar', async () => {
    from.routes['/o/r/wiki'] = serve.html(
      '<a href="/o/r/wiki/Loose-page">Loose</a> <a href="/o/r/wiki/_history">x</a>',
    );
    from.routes['/o/r/wiki/_Sidebar.md'] = serve.text(
      '# Contents\n\n- [[Home]]\n- [[The guide|Guide]]\n  - [Install](Install)\n',
    );
    from.routes['/o/r/wiki/Home.md'] = serve.text(
      'See [[Guide]], [[the other|Install#step one]], `[[Guide]]`, [[Nowhere]].\n',
    );
    from.routes['/o/r/wiki/Guide.md'] = serve.text(
      '![p](images/p.png) [abs](/o/r/wiki/Install) <https://example.org>\n',
    );
    from.routes['/o/r/wiki/Install.md'] = serve.text('# Steps\n\n[[Hidden page]]\n');
    from.routes['/o/r/wiki/Hidden-page.md'] = serve.text('Found by a link.\n');
    from.routes['/o/r/wiki/Loose-page.md'] = serve.text('Found on the page.\n');
    from.routes['/o/r/wiki/images/p.png'] = serve.png(PNG);
    // all but the page that is named and not there
    expect(await from.bringIn('/o/r/wiki/Guide', 'github-wiki')).toEqual({
      revision: ID,
      importedResources: 6,
      totalResources: 7,
    });
    expect(shapeOf(await from.pages())).toEqual([
      ['Home'],
      ['The guide', [['Install']]],
      ['Loose page'],
      ['Hidden page'],
    ]);
    const [guide, install] = [await from.idOf('The guide'), await from.idOf('Install')];
    expect(await from.markdownOf('Home')).toBe(
      `See [Guide](/pages/${guide}), [the other](/pages/${install}#step%20one), \`[[Guide]]\`, [Nowhere](${from.web.url}/o/r/wiki/Nowhere).\n`,
    );
    const [file] = await from.files();
    expect(await from.markdownOf('The guide')).toBe(
      `![p](/files/${String(file?.id)}) [abs](/pages/${install}) <https://example.org>\n`,
    );
    await from.refuse(`${from.web.url}/nothing/wiki`, 'github-wiki', 'status 404');
  });

  it('refuses what cannot be fetched, and says why', async () => {
    const big = Buffer.alloc(2 * 1024 * 1024, 0x61);
    Object.assign(from.routes, {
      '/text': serve.text('x'),
      '/page': serve.page('P', ''),
      '/big': serve.html(big),
      '/loop': redirectTo('/loop'),
      '/bytes': serve.text(Buffer.from([0xff])),
    });
    from.routes['/empty'] = serve.html('<html></html>');
    await from.refuse('http://169.254.169.254/latest/', 'html', /private or reserved/);
    await from.refuse(`http://127.0.0.2:${String(from.web.port)}/page`, 'website', /private or reserved/);
    await from.refuse(`http://user:pass@127.0.0.1:${String(from.web.port)}/page`, 'html', /user name or password/);
    await from.refuse(`${from.web.url}/gone`, 'html', 'url cannot be imported: it answers with status 404');
    await from.refuse(`${from.web.url}/gone`, 'website', 'status 404');
    await from.refuse(`${from.web.url}/text`, 'html', 'no HTML page, but text/plain');
    await from.refuse(`${from.web.url}/page`, 'markdown', 'it is an HTML page');
    await from.refuse(`${from.web.url}/bytes`, 'markdown', 'no text in UTF-8');
    await from.refuse(`${from.web.url}/big`, 'html', /more than|larger|large/);
    await from.refuse(`${from.web.url}/loop`, 'html', /redirects/);
    await from.refuse(`${from.web.url}/page`, 'zip', /cannot be read/);
  });

  it('loses nothing when two run at once, and others edit', async () => {
    for (const name of ['a', 'b']) from.routes[`/${name}.md`] = serve.text(`# Text ${name}\n`);
    const insert = { changes: [{ operation: 'insert_page', title: 'Own', document: {} }] };
    const [one, two] = await Promise.all([
      from.send(`${from.web.url}/a.md`, 'markdown').expect(201),
      from.send(`${from.web.url}/b.md`, 'markdown').expect(201),
      from.app.as(from.admin).post(from.path).send(insert).expect(200),
    ]);
    expect((one.body as ImportAnswer).revision).not.toBe((two.body as ImportAnswer).revision);
    expect((await from.pages()).map(({ title }) => title).sort()).toEqual(['Own', 'Text a', 'Text b']);
    // again: behind what is there, under a name of its own
    await from.bringIn('/a.md', 'markdown');
    expect((await from.pages()).map((one) => one.path).at(-1)).toBe('text-a-1');
  });

  it('is for those who may edit, and for what is asked rightly', async () => {
    from.routes['/a.md'] = serve.text('# A\n');
    const url = `${from.web.url}/a.md`;
    const made = await from.app.create.organization();
    const { _id: id } = await from.app.create.space({ organization: made });
    const at = `/v1/spaces/${id}/content/import`;
    const reader = await from.app.create.user({ in: made, role: 'read' });
    const stranger = await from.app.create.user();
    await from.app.anonymous().post(at).send({ url, source: 'markdown' }).expect(401);
    await from.app.as(stranger).post(at).send({ url, source: 'markdown' }).expect(404);
    await from.app.as(reader).post(at).send({ url, source: 'markdown' }).expect(403);
    await from.app
      .as(made.admin)
      .post('/v1/spaces/nowhere/content/import')
      .send({ url, source: 'markdown' })
      .expect(404);
    const wrong = [
      {},
      { url },
      { source: 'html' },
      { url, source: 'pdf' },
      { url: 'ftp://x/y', source: 'html' },
      { url: 5, source: 'html' },
      { url: 'x', source: 'html' },
    ];
    for (const body of wrong) await from.app.as(made.admin).post(at).send(body).expect(400);
    for (const source of ['docx', 'confluence', 'notion', 'google-docs']) {
      const { body } = await from.app.as(made.admin).post(at).send({ url, source }).expect(400);
      expect(body).toEqual({
        error: {
          code: 400,
          message: `source ${source} is not supported; use one of: website, html, markdown, github-wiki, zip`,
        },
      });
    }
    expect(from.web.requests).toEqual([]);
  });

  it('goes into a locked space for those who may merge', async () => {
    from.routes['/a.md'] = serve.text('# A\n');
    const made = await from.app.create.organization();
    const locked = await from.app.create.space({ organization: made, editMode: 'locked' });
    const at = `/v1/spaces/${locked._id}/content/import`;
    const body = { url: `${from.web.url}/a.md`, source: 'markdown' };
    const [editor, reviewer] = await Promise.all(
      (['edit', 'review'] as const).map((role) => from.app.create.user({ in: made, role })),
    );
    if (!editor || !reviewer) throw new Error('nobody was made');
    const { body: refused } = await from.app.as(editor).post(at).send(body).expect(403);
    expect(refused).toMatchObject({ error: { message: expect.stringContaining('permission to merge') as string } });
    expect(from.web.requests).toEqual([]);
    // whatever the body says
    await from.app.as(editor).post(at).send({}).expect(403);
    await from.app.as(reviewer).post(at).send({}).expect(400);
    await from.app.as(reviewer).post(at).send(body).expect(201);
  });
});

describe('an import as it is configured', () => {
  const routes: Record<string, Route> = {};
  let web: WebServer;

  beforeAll(async () => {
    web = await startWebServer(routes);
  });
  afterAll(() => web.close());

  it('refuses private networks, by whatever name, when nothing is allowed', async () => {
    const careful = await startApp();
    try {
      routes['/page'] = serve.page('P', '');
      const made = await careful.create.space();
      const ask = (url: string) =>
        careful.as(made.admin).post(`/v1/spaces/${made._id}/content/import`).send({ url, source: 'html' });
      for (const host of ['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433']) {
        const { body } = await ask(`http://${host}:${String(web.port)}/page`).expect(400);
        expect(body).toMatchObject({ error: { message: expect.stringContaining('private or reserved') as string } });
      }
      expect(web.requests).toEqual([]);
    } finally {
      await careful.close();
    }
  });

  it('imports what there is within the limits', async () => {
    const small = await startApp({
      OUTBOUND_ALLOW: '127.0.0.1',
      IMPORT_MAX_PAGES: '3',
      IMPORT_MAX_FILES: '1',
      IMPORT_TIMEOUT: '8',
    });
    try {
      const links = Array.from({ length: 9 }, (_, n) => `<a href="/p${String(n)}">x</a>`).join(' ');
      routes['/'] = serve.page('Start', `<p>${links}</p><p><img src="/1.png"> <img src="/2.png"></p>`);
      for (let n = 0; n < 9; n += 1) routes[`/p${String(n)}`] = serve.page(`P${String(n)}`, '');
      routes['/1.png'] = serve.png(PNG);
      const made = await small.create.space();
      const ask = (at: string, source: string) =>
        small
          .as(made.admin)
          .post(`/v1/spaces/${made._id}/content/import`)
          .send({ url: web.url + at, source });
      expect((await ask('/', 'website').expect(201)).body).toMatchObject({ importedResources: 4, totalResources: 4 });
      // who never answers: what was there before the time was over is imported
      routes['/p1'] = () => undefined;
      const began = Date.now();
      expect((await ask('/', 'website').expect(201)).body).toMatchObject({ importedResources: 2, totalResources: 4 });
      expect(Date.now() - began).toBeLessThan(40_000);
      routes['/zip'] = serve.zip(await zip({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c', 'd.md': 'd' }));
      expect((await ask('/zip', 'zip').expect(201)).body).toMatchObject({ importedResources: 3, totalResources: 3 });
      routes['/slow'] = () => undefined;
      const { body } = await ask('/slow', 'html').expect(400);
      expect(body).toMatchObject({ error: { message: expect.stringContaining('within the time') as string } });
    } finally {
      await small.close();
    }
  });
});
