import type { Organization } from '../../src/organizations/index.js';
import { startApp, type TestApp } from './app.js';
import type { TestUser } from './factories.js';

/** A space on a site, as it is answered. */
export interface SiteSpaceBody {
  object: string;
  id: string;
  title: string;
  path: string;
  section?: string;
  default: boolean;
  space: { id: string; title: string };
  urls: { published?: string };
}
/** A section, as it is answered. */
export interface SectionBody {
  object: string;
  id: string;
  title: string;
  path: string;
  default: boolean;
  sectionGroup?: string;
  siteSpaces: SiteSpaceBody[];
  urls: { published?: string };
}
/** A group of sections, as it is answered. */
export interface GroupBody {
  object: string;
  id: string;
  title: string;
  sections: SectionBody[];
}
/** A list, as it is answered. */
export interface List<T> {
  items: T[];
  count: number;
  next?: { page: string };
}
/** What a site is made of, as it is answered. */
export interface Structure {
  type: string;
  structure: (SectionBody | SiteSpaceBody)[];
}

/** Starts the service for the tests around; each begins with a new site, called `Docs`, of a new organization. */
export function givenSite() {
  let app: TestApp;
  let organization: Organization & { admin: TestUser };
  let site: string;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    organization = await app.create.organization();
    site = (await app.create.site({ organization, spaces: [], title: 'Docs' }))._id;
  });

  const at = (below = '', id = site) => `/v1/orgs/${organization._id}/sites/${id}${below}`;
  const space = async (title: string): Promise<string> => (await app.create.space({ organization, title }))._id;
  const post = (below: string, body: object = {}, user = organization.admin) => app.as(user).post(at(below)).send(body);
  const patch = (below: string, body: object = {}, user = organization.admin) =>
    app.as(user).patch(at(below)).send(body);
  const get = async <T>(below: string, query: object = {}, user = organization.admin): Promise<T> =>
    (await app.as(user).get(at(below)).query(query).expect(200)).body as T;
  const put = async (title: string, sectionId?: string): Promise<SiteSpaceBody> =>
    (
      await post('/site-spaces', { spaceId: await space(title), ...(sectionId !== undefined && { sectionId }) }).expect(
        201,
      )
    ).body as SiteSpaceBody;
  const cut = async (title: string): Promise<SectionBody> =>
    (await post('/sections', { spaceId: await space(title) }).expect(201)).body as SectionBody;
  const group = async (title: string, ...sections: SectionBody[]): Promise<GroupBody> =>
    (await post('/section-groups', { title, sections: sections.map(({ id }) => id) }).expect(201)).body as GroupBody;
  /** The whole structure: `Section*(First* Second)`, the default ones with a star. */
  const outline = async (): Promise<string> => {
    const marked = (one: { title: string; default: boolean }): string => one.title + (one.default ? '*' : '');
    const { structure } = await get<Structure>('/structure');
    return structure
      .map((one) => ('siteSpaces' in one ? `${marked(one)}(${one.siteSpaces.map(marked).join(' ')})` : marked(one)))
      .join(' ');
  };
  /** The sections in reading order, those of a group with its title before them. */
  const reading = async (): Promise<string> => {
    const titles = new Map((await get<List<GroupBody>>('/section-groups')).items.map((one) => [one.id, one.title]));
    const { items } = await get<List<SectionBody>>('/sections');
    return items
      .map(({ title, sectionGroup }) =>
        sectionGroup === undefined ? title : `${titles.get(sectionGroup) ?? ''}/${title}`,
      )
      .join(' ');
  };
  const beside = (section: SectionBody) => ({ type: 'site-section', siteSection: section.id });
  const besideSpace = (siteSpace: SiteSpaceBody) => ({ type: 'site-space', siteSpace: siteSpace.id });

  return {
    ...{ at, space, post, patch, get, put, cut, group, outline, reading, beside, besideSpace },
    get app() {
      return app;
    },
    get organization() {
      return organization;
    },
    get admin() {
      return organization.admin;
    },
  };
}
