import { ZipFile } from 'yazl';
import { startApp, type TestApp } from './app.js';
import type { TestUser } from './factories.js';
import { type Route, startWebServer, type WebServer } from './web-server.js';

interface Page {
  id: string;
  title: string;
  path: string;
  pages?: Page[];
}
interface File {
  id: string;
  name: string;
  contentType: string;
}
export type ImportAnswer = Record<'revision' | 'importedResources' | 'totalResources', unknown>;
export type Shape = [title: string, below?: Shape[]];

const typed =
  (contentType: string) =>
  (body: string | Buffer): Route =>
  (_request, response) => {
    response.writeHead(200, { 'Content-Type': contentType }).end(body);
  };

/** Routes that answer with a body of a media type. */
export const serve = {
  html: typed('text/html; charset=utf-8'),
  unnamedHtml: typed('text/html'),
  png: typed('image/png'),
  text: typed('text/plain; charset=utf-8'),
  zip: typed('application/zip'),
  /** A page as sites have them, with what stands around its content. */
  page: (title: string, content: string): Route =>
    serve.html(
      `<!doctype html><html><head><title>${title} | The docs</title></head><body><nav><a href="#">Start</a></nav>
      <main><h1>${title}</h1><p>This is what the page about ${title} tells to whoever came to read it, in some words.</p>
      ${content}</main><footer>Nobody reads this.</footer></body></html>`,
    ),
};

/** Titles of pages and of those below them. */
export const shapeOf = (pages: Page[]): Shape[] =>
  pages.map(({ title, pages: below }) => (below?.length ? [title, shapeOf(below)] : [title]));

/** A zip archive of these files. */
export async function zip(files: Record<string, string | Buffer>, more?: (archive: ZipFile) => void): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [name, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), name);
  more?.(archive);
  archive.end();
  const parts: Buffer[] = [];
  for await (const part of archive.outputStream as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}

/** A service that imports, a foreign server to import from, and a space of which `admin` is the administrator. */
export class Importing {
  space = '';
  admin!: TestUser;

  private constructor(
    readonly app: TestApp,
    readonly web: WebServer,
    /** What the foreign server serves. */
    readonly routes: Record<string, Route>,
  ) {}

  static async start(environment: Record<string, string> = {}): Promise<Importing> {
    const routes: Record<string, Route> = {};
    const web = await startWebServer(routes);
    return new Importing(await startApp({ OUTBOUND_ALLOW: '127.0.0.1', ...environment }), web, routes);
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.web.close();
  }

  /** Begins anew, with a space without pages and a server that serves nothing. */
  async begin(): Promise<void> {
    for (const name of Object.keys(this.routes)) Reflect.deleteProperty(this.routes, name);
    this.web.requests.length = 0;
    const made = await this.app.create.space();
    this.admin = made.admin;
    this.space = made._id;
  }

  get path(): string {
    return `/v1/spaces/${this.space}/content`;
  }

  send(url: string, source: string) {
    return this.app.as(this.admin).post(`${this.path}/import`).send({ url, source });
  }

  async bringIn(at: string, source: string): Promise<ImportAnswer> {
    return (await this.send(this.web.url + at, source).expect(201)).body as ImportAnswer;
  }

  /** Expects that an import is refused with this message, and changes nothing. */
  async refuse(url: string, source: string, message: string | RegExp): Promise<void> {
    const before = await this.get('');
    const { body } = (await this.send(url, source).expect(400)) as { body: { error: { message: string } } };
    expect(body.error.message).toMatch(message);
    expect(await this.get('')).toEqual(before);
  }

  async get<T>(below: string): Promise<T> {
    const { body } = await this.app.as(this.admin).get(`${this.path}${below}`).expect(200);
    return body as T;
  }

  async pages(): Promise<Page[]> {
    return (await this.get<{ pages: Page[] }>('/pages')).pages;
  }

  async files(): Promise<File[]> {
    return (await this.get<{ items: File[] }>('/files')).items;
  }

  async idOf(title: string): Promise<string> {
    return flat(await this.pages()).find((one) => one.title === title)?.id ?? '';
  }

  async markdownOf(title: string): Promise<string> {
    return (await this.get<{ markdown: string }>(`/page/${await this.idOf(title)}`)).markdown;
  }

  /** What the page says as a tree of nodes, as JSON. */
  async jsonOf(title: string): Promise<string> {
    const { document } = await this.get<{ document: unknown }>(`/page/${await this.idOf(title)}?format=document`);
    return JSON.stringify(document);
  }

  /** Titles of the pages that a search finds. */
  async search(query: string): Promise<string[]> {
    const { body } = await this.app.as(this.admin).get(`/v1/spaces/${this.space}/search`).query({ query }).expect(200);
    return (body as { items: { title: string }[] }).items.map(({ title }) => title);
  }
}

const flat = (list: Page[]): Page[] => list.flatMap((one) => [one, ...flat(one.pages ?? [])]);
