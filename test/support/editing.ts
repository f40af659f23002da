import type { TestApp } from './app.js';
import type { TestUser } from './factories.js';

export const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
export const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
/** The layout of a page to which nothing was done. */
export const LAYOUT = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
};

/** What tests look at of a page. */
export interface PageAnswer {
  id: string;
  type: string;
  title: string;
  path?: string;
  slug?: string;
  updatedAt: string;
  documentId?: string;
  markdown?: string;
  document?: { nodes: unknown[] };
  pages?: PageAnswer[];
}

/** What tests look at of a file. */
export interface FileAnswer {
  id: string;
  name: string;
  downloadURL: string;
}

/** The answer to an edit. */
export interface EditAnswer {
  revision: string;
  changes: { object: string; ref?: string; page: { id: string } }[];
  insertedFiles?: FileAnswer[];
}

/** Edits and reads one space through HTTP. */
export class Editing {
  constructor(
    protected readonly app: TestApp,
    /** Who edits and reads. */
    readonly user: TestUser,
    readonly space: string,
  ) {}

  /** A new space in a new organization, by its administrator. */
  static async start(app: TestApp): Promise<Editing> {
    const space = await app.create.space();
    return new Editing(app, space.admin, space._id);
  }

  /** Path of the space's content. */
  get path(): string {
    return `/v1/spaces/${this.space}/content`;
  }

  /** Sends one batch. */
  async edit(...changes: object[]): Promise<EditAnswer> {
    const { status, body } = await this.app.as(this.user).post(this.path).send({ changes });
    if (status !== 200) throw new Error(`The edit is answered with ${status}: ${JSON.stringify(body)}`);
    return body as EditAnswer;
  }

  /** Sends one batch that must be refused with `message`, and looks that nothing has changed. */
  async refuse(message: string | RegExp, ...changes: unknown[]): Promise<void> {
    const before = await this.read('');
    const { body } = await this.app.as(this.user).post(this.path).send({ changes }).expect(400);
    const text = typeof message === 'string' ? message : (expect.stringMatching(message) as string);
    expect(body).toEqual({ error: { code: 400, message: text } });
    expect(await this.read('')).toEqual(before);
  }

  /** Reads what lies at `below` the content of the space. */
  async read<T = unknown>(below: string): Promise<T> {
    return this.get(this.path + below);
  }

  /** Reads what lies at `path`. */
  async get<T = unknown>(path: string, query: object = {}): Promise<T> {
    return (await this.app.as(this.user).get(path).query(query).expect(200)).body as T;
  }

  /** All pages, nested. */
  async pages(): Promise<PageAnswer[]> {
    return (await this.read<{ pages: PageAnswer[] }>('/pages')).pages;
  }

  /** Inserts a page; answers its id. */
  async add(title: string, more: object = {}): Promise<string> {
    return (await this.edit(inserting(title, more))).changes[0]?.page.id ?? '';
  }
}

/** An entry that inserts a page. */
export const inserting = (title: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown: `About ${title}.` },
  ...more,
});

/** The paths of pages, nested. */
export const outline = (list: PageAnswer[]): unknown[] =>
  list.map((page) => [page.path, ...(page.pages?.length ? [outline(page.pages)] : [])]);
