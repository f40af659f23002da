import type { Client, TestApp } from './app.js';
import { Editing, inserting } from './editing.js';
import type { TestUser } from './factories.js';

/** What tests look at of a site. */
export interface SiteAnswer {
  id: string;
  basename: string;
  published: boolean;
  urls: { location: string; published?: string };
}

/** What tests look at of a section or a site-space. */
export interface PartAnswer {
  id: string;
  path: string;
  space: { id: string };
  siteSpaces: PartAnswer[];
  urls: { published?: string };
}

/** What tests look at of a resolved address. */
export interface Resolution {
  organization: string;
  site: string;
  siteSection?: string;
  siteSpace: string;
  space: string;
  revision?: string;
  pathname: string;
  basePath: string;
  siteBasePath: string;
  apiToken: string;
  complete: boolean;
  contextId?: string;
  canonicalUrl: string;
}

/** Makes and reads the sites of one organization through HTTP, as its administrator. */
export class Sites {
  private constructor(
    readonly app: TestApp,
    readonly admin: TestUser,
    readonly organization: string,
    readonly hostname: string,
  ) {}

  /** Those of a new organization. */
  static async start(app: TestApp): Promise<Sites> {
    const { admin, _id, hostname } = await app.create.organization();
    return new Sites(app, admin, _id, hostname);
  }

  /** Path of the sites, or of what lies at `below` one of them. */
  path(site?: { id: string }, below = ''): string {
    const sites = `/v1/orgs/${this.organization}/sites`;
    return site ? `${sites}/${site.id}${below}` : sites;
  }

  /** A new space with pages of these titles. */
  async space(title: string, ...pages: string[]): Promise<Editing> {
    const { body } = await this.app.as(this.admin).post(`/v1/orgs/${this.organization}/spaces`).send({ title });
    const editing = new Editing(this.app, this.admin, (body as { id: string }).id);
    if (pages.length > 0) await editing.edit(...pages.map((page) => inserting(page)));
    return editing;
  }

  /** A new site, published unless `published` is false. */
  async site(body: object = {}, published = true): Promise<SiteAnswer> {
    const site = await this.send<SiteAnswer>('post', this.path(), body);
    return published ? this.send<SiteAnswer>('post', this.path(site, '/publish')) : site;
  }

  /** A new section of `site` with `space`. */
  section(site: SiteAnswer, space: Editing, title: string): Promise<PartAnswer> {
    return this.send('post', this.path(site, '/sections'), { spaceId: space.space, title });
  }

  /** Puts `space` on `site`. */
  siteSpace(site: SiteAnswer, space: Editing, sectionId?: string): Promise<PartAnswer> {
    return this.send('post', this.path(site, '/site-spaces'), {
      spaceId: space.space,
      ...(sectionId && { sectionId }),
    });
  }

  /** Sends what must succeed, as the administrator. */
  async send<T = unknown>(
    method: 'post' | 'patch' | 'put' | 'get' | 'delete',
    path: string,
    body?: object,
  ): Promise<T> {
    const sent = this.app.as(this.admin)[method](path);
    const answer = await (body === undefined ? sent : sent.send(body));
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${String(answer.status)} ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  }

  /** Where the published `site` is. */
  base(site: SiteAnswer): string {
    return `http://docs.test/published/${this.hostname}/${site.basename}`;
  }

  /** Asks what an address leads to; nobody is signed in. */
  resolve(url: string, more: object = {}) {
    return this.app
      .anonymous()
      .post('/v1/urls/published')
      .send({ url, ...more });
  }

  /** What an address must lead to. */
  async resolved(url: string, more: object = {}): Promise<Resolution> {
    const { status, body } = await this.resolve(url, more);
    if (status !== 200) throw new Error(`${url} is answered with ${String(status)}: ${JSON.stringify(body)}`);
    return body as Resolution;
  }

  /** A client that sends the token of a resolved address. */
  visitor({ apiToken }: Pick<Resolution, 'apiToken'>): Client {
    return this.app.anonymous().set('Authorization', `Bearer ${apiToken}`);
  }
}

/** What the token of a resolved address says. */
export function claimsIn({ apiToken }: Pick<Resolution, 'apiToken'>): Record<string, unknown> {
  return JSON.parse(Buffer.from(apiToken.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
}

/** The error that an operation answers. */
export const refusal = (code: number, message: unknown = expect.any(String)) => ({ error: { code, message } });
