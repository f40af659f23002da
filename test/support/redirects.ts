import { RedirectsService } from '../../src/sites/redirects/redirects.service.js';
import { SitesService } from '../../src/sites/index.js';
import { shownStructure } from '../../src/sites/structure/shown.js';
import { startApp, type TestApp } from './app.js';
import type { Editing } from './editing.js';
import { type PartAnswer, type SiteAnswer, Sites } from './sites.js';

/** What tests look at of a redirect. */
export interface RedirectBody {
  id: string;
  source: string;
  destination: object;
}
/** What tests look at of a list. */
export interface List {
  items: RedirectBody[];
  count: number;
  next?: { page: string };
}

/** A published site on which one space is the default, and another one stands beside it at `/old`. */
export interface GivenRedirects {
  app: TestApp;
  sites: Sites;
  guide: Editing;
  old: Editing;
  site: SiteAnswer;
  main: PartAnswer;
  variant: PartAnswer;
}

/** Starts the service for the tests around, and hands a new site to `use` before each; answers how they make redirects. */
export function givenRedirects(use: (given: GivenRedirects) => void) {
  let app: TestApp;
  let sites: Sites;
  let guide: Editing;
  let old: Editing;
  let site: SiteAnswer;
  let main: PartAnswer;
  let variant: PartAnswer;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    sites = await Sites.start(app);
    guide = await sites.space('Guide', 'Start', 'Next');
    old = await sites.space('Old', 'Start');
    site = await sites.site({ title: 'Docs', spaces: [guide.space, old.space] });
    const { items } = await sites.send<{ items: [PartAnswer, PartAnswer] }>('get', sites.path(site, '/site-spaces'));
    [main, variant] = items;
    use({ app, sites, guide, old, site, main, variant });
  });

  const redirects = (below = '') => sites.path(site, `/redirects${below}`);
  const create = (body: unknown, user = sites.admin) =>
    app
      .as(user)
      .post(redirects())
      .send(body as object);
  const make = async (source: string, destination: object): Promise<RedirectBody> =>
    (await create({ source, destination }).expect(201)).body as RedirectBody;
  const list = async (query: object = {}): Promise<List> =>
    (await app.as(sites.admin).get(redirects()).query(query).expect(200)).body as List;
  const toVariant = () => ({ kind: 'site-space', siteSpaceId: variant.id });
  /** Where `source` leads: the path below the site, and whether somebody wrote it. */
  const find = async (source: string): Promise<[string, 'written' | 'automatic'] | null> => {
    const record = await app.nest.get(SitesService, { strict: false }).findById(site.id);
    if (!record) throw new Error('The site is gone');
    const shown = { ...record, structure: shownStructure(record) };
    const found = await app.nest.get(RedirectsService, { strict: false }).find(shown, source);
    return found && [`/${found.segments.join('/')}`, found.redirect.id === 'automatic' ? 'automatic' : 'written'];
  };
  const change = (below: string, body: object) => sites.send('patch', sites.path(site, below), body);
  const pageId = async (editing: Editing, path: string): Promise<string> =>
    (await editing.read<{ id: string }>(`/path/${encodeURIComponent(path)}`)).id;

  return { redirects, create, make, list, toVariant, find, change, pageId };
}
