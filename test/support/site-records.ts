import { Invariants } from '../../src/database/index.js';
import type { TestApp } from './app.js';
import type { TestUser } from './factories.js';
import { givenOrganization, type GivenOrganization } from './given.js';

/** What tests look at of a site. */
export interface SiteBody {
  id: string;
  title: string;
  basename: string;
  published: boolean;
  visibility: string;
  siteSpaces: number;
  features: { id: string; plan: string; frozen: boolean }[];
  urls: { location: string; published?: string };
}
/** What tests look at of a list. */
export interface List {
  items: SiteBody[];
  count: number;
  next?: { page: string };
}

/** As {@link givenOrganization}; answers how tests make, read and change its sites. */
export function givenSites(use: (given: GivenOrganization) => void) {
  let app: TestApp;
  let organization: GivenOrganization['organization'];
  let admin: TestUser;
  givenOrganization((given) => {
    ({ app, organization, admin } = given);
    use(given);
  });

  const root = () => `/v1/orgs/${organization._id}/sites`;
  const at = (site: string, below = '') => `${root()}/${site}${below}`;
  const make = async (body?: object, user = admin): Promise<SiteBody> => {
    const sent = app.as(user).post(root());
    return (await (body ? sent.send(body) : sent).expect(201)).body as SiteBody;
  };
  const read = async (site: string, user = admin): Promise<SiteBody> =>
    (await app.as(user).get(at(site)).expect(200)).body as SiteBody;
  const change = (site: string, body: object, user = admin) => app.as(user).patch(at(site)).send(body);
  const list = async (query: object, user = admin): Promise<List> =>
    (await app.as(user).get(root()).query(query).expect(200)).body as List;
  const titles = async (query: object, user = admin): Promise<string[]> =>
    (await list(query, user)).items.map(({ title }) => title);
  /** Titles of the spaces on a site, the default one first marked by a star. */
  const spacesOn = async (site: string): Promise<string[]> => {
    const { body } = await app.as(admin).get(at(site, '/site-spaces')).expect(200);
    const { items } = body as { items: { title: string; default: boolean }[] };
    return items.map(({ title, default: first }) => (first ? `${title}*` : title));
  };
  const publishedUrl = (site: SiteBody) => `http://docs.test/published/${organization.hostname}/${site.basename}`;
  /** What the doctor finds about sites. */
  const problems = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const [name, invariant] of app.nest.get(Invariants, { strict: false }).entries())
      if (/site|share link/.test(name))
        for await (const { where, what } of invariant()) found.push(`${where}: ${what}`);
    return found;
  };

  return { root, at, make, read, change, list, titles, spacesOn, publishedUrl, problems };
}
