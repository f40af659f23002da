import { SITE_SETTINGS } from './site-settings.js';
import { ALL, at, siteOf } from './sites-at.js';
import type { Acts, Plan, Thing, World } from './world.js';

/** The same list under another address: what is known of its order is known there. */
const ORDER = '?limit=999';

/** Plans something that changes which parts of a site there are, or where. */
function structural(w: World, plan: Plan | undefined): Plan | undefined {
  return (
    plan && {
      ...plan,
      leaves: (id, answer) => {
        plan.leaves?.(id, answer);
        w.forget(ORDER);
      },
    }
  );
}

/** Plans to put a new space on a site. */
function added(w: World, kind: string, on: { site: Thing; section?: Thing }): Plan | undefined {
  const space = w.one('spare');
  if (!space) return undefined;
  const title = w.mark();
  const { site, section } = on;
  const list = `${site.path}/${kind === 'section' ? 'sections' : 'site-spaces'}${ALL}`;
  const plan = w.make(kind, {
    at: at(w, site),
    body: section ? { sectionId: section.id, spaceId: space.id } : { title, spaceId: space.id },
    path: (id) => `${list}#${id}`,
    fields: section ? { section: section.id, 'space.id': space.id } : { title },
    most: 4,
    of: [site.id, ...(section ? [section.id] : [])],
    note: { site: site.id, section: section?.id ?? '' },
    trace: section ? { at: list, text: space.id } : { at: list, text: title },
  });
  const leaves: Plan['leaves'] = (id, answer) => {
    w.drop(space.id);
    plan?.leaves?.(id, answer);
  };
  return structural(w, plan && { ...plan, leaves });
}

interface Part {
  id: string;
  section?: string;
  sectionGroup?: string;
}

/** The parts of a site as they stand. */
async function partsOf(w: World, thing: Thing, list: 'sections' | 'site-spaces'): Promise<Part[]> {
  return ((await w.read(`${siteOf(w, thing)}/${list}${ORDER}`)).body as { items: Part[] }).items;
}

/** A section outside of groups, and the first one of those: where that is another one. */
async function sectionAndFirst(w: World): Promise<{ section: Thing; first: string; index: number } | undefined> {
  const section = w.one('section', ({ note }) => !note.group);
  if (!section) return undefined;
  const parts = await partsOf(w, section, 'sections');
  const index = parts.findIndex((one) => one.sectionGroup === undefined);
  const first = parts[index]?.id;
  return first === undefined || first === section.id ? undefined : { section, first, index };
}

/** What is known of a list that `id` stands at `index` of. */
const order = (w: World, thing: Thing, list: string, [index, id]: [number, string]): Plan['tells'] => {
  return () => [{ at: `${siteOf(w, thing)}/${list}${ORDER}`, fields: { [`items.${String(index)}.id`]: id } }];
};

const STRUCTURE: Acts = {
  addSectionToSite: (w) => {
    const site = w.one('site');
    return site && added(w, 'section', { site });
  },
  updateSiteSectionById: (w) => {
    const section = w.one('section');
    return section && w.change(section, at(w, section, 'siteSectionId'), { description: w.mark() });
  },
  deleteSiteSectionById: (w) => {
    const section = w.one('section', ({ note }) => !note.group);
    return section && structural(w, w.remove(section, at(w, section, 'siteSectionId')));
  },
  moveSiteSection: async (w) => {
    const found = await sectionAndFirst(w);
    if (!found) return undefined;
    const { section, first, index } = found;
    w.forget(ORDER);
    return {
      at: at(w, section, 'siteSectionId'),
      body: { position: { before: { type: 'site-section', siteSection: first } } },
      action: 'site-section.move',
      resource: section.id,
      tells: order(w, section, 'sections', [index, section.id]),
    };
  },
  sortSiteStructure: async (w) => {
    const found = await sectionAndFirst(w);
    if (!found) return undefined;
    const { section, first, index } = found;
    w.forget(ORDER);
    return {
      at: at(w, section),
      body: {
        item: { type: 'site-section', id: section.id },
        position: { before: { type: 'site-section', id: first } },
      },
      resource: section.id,
      tells: order(w, section, 'sections', [index, section.id]),
    };
  },
  addSectionGroupToSite: (w) => {
    const section = w.one('section', ({ note }) => !note.group);
    if (!section) return undefined;
    const title = w.mark();
    const list = `${siteOf(w, section)}/section-groups${ALL}`;
    const { site = '' } = section.note;
    const plan = w.make('group', {
      at: at(w, section),
      body: { title, sections: [section.id] },
      path: (id) => `${list}#${id}`,
      fields: { title },
      of: [site],
      note: { site },
      trace: { at: list, text: title },
    });
    return structural(
      w,
      plan && {
        ...plan,
        tells: (id) => [...(plan.tells?.(id) ?? []), { at: section.path, fields: { sectionGroup: id } }],
        leaves: (id) => {
          plan.leaves?.(id);
          section.note.group = id;
        },
      },
    );
  },
  updateSiteSectionGroupById: (w) => {
    const group = w.one('group');
    return group && w.change(group, at(w, group, 'siteSectionGroupId'), { title: w.mark() });
  },
  moveSiteSectionGroup: async (w) => {
    const group = w.one('group', ({ id }) => w.all('section').some(({ note }) => note.group === id));
    if (!group) return undefined;
    const parts = await partsOf(w, group, 'sections');
    const own = parts.filter(({ sectionGroup }) => sectionGroup === group.id);
    const free = parts.filter(({ sectionGroup }) => sectionGroup === undefined);
    const [first, begin, end] = [own[0], free[0], free.at(-1)];
    if (!first || !begin || !end) return undefined;
    const isBehind = parts.indexOf(first) > parts.indexOf(begin);
    const anchor = { type: 'site-section', id: (isBehind ? begin : end).id };
    const index = isBehind ? parts.indexOf(begin) : parts.indexOf(end) - own.length + 1;
    w.forget(ORDER);
    return {
      at: at(w, group, 'siteSectionGroupId'),
      body: { position: isBehind ? { before: anchor } : { after: anchor } },
      resource: group.id,
      tells: order(w, group, 'sections', [index, first.id]),
    };
  },
  addSectionToGroup: (w) => {
    const group = w.one('group');
    const section = w.one('section', ({ note }) => !note.group && note.site === group?.note.site);
    if (!group || !section) return undefined;
    return structural(w, {
      at: at(w, group, 'siteSectionGroupId'),
      body: { sectionId: section.id },
      resource: group.id,
      tells: () => [{ at: section.path, fields: { sectionGroup: group.id } }],
      leaves: () => {
        section.note.group = group.id;
      },
    });
  },
  removeSectionFromGroup: (w) => {
    const section = w.one('section', ({ note }) => Boolean(note.group));
    if (!section) return undefined;
    const { group = '' } = section.note;
    return structural(w, {
      at: { ...at(w, section, 'siteSectionId'), siteSectionGroupId: group },
      resource: group,
      tells: () => [{ at: section.path, fields: { sectionGroup: undefined } }],
      leaves: () => {
        section.note.group = '';
      },
    });
  },
  deleteSiteSectionGroupById: (w) => {
    const group = w.one('group');
    if (!group) return undefined;
    const inside = w.all('section').filter(({ note }) => note.group === group.id);
    const plan = w.remove(group, at(w, group, 'siteSectionGroupId'));
    return structural(w, {
      ...plan,
      tells: (id) => [
        ...(plan.tells?.(id) ?? []),
        ...inside.map((section) => ({ at: section.path, fields: { sectionGroup: undefined } })),
      ],
      leaves: (id) => {
        plan.leaves?.(id);
        for (const section of inside) section.note.group = '';
      },
    });
  },
  addSpaceToSite: (w) => {
    const section = w.one('section');
    const site = section && w.one('site', ({ id }) => id === section.note.site);
    return site && added(w, 'siteSpace', { site, section });
  },
  updateSiteSpaceById: (w) => {
    const siteSpace = w.one('siteSpace');
    return siteSpace && w.change(siteSpace, at(w, siteSpace, 'siteSpaceId'), { path: w.mark() });
  },
  deleteSiteSpaceById: (w) => {
    const siteSpace = w.one('siteSpace');
    return siteSpace && structural(w, w.remove(siteSpace, at(w, siteSpace, 'siteSpaceId')));
  },
  moveSiteSpace: async (w) => {
    const siteSpace = w.one('siteSpace');
    if (!siteSpace) return undefined;
    const parts = await partsOf(w, siteSpace, 'site-spaces');
    const index = parts.findIndex(({ section }) => section === siteSpace.note.section);
    const first = parts[index]?.id;
    if (first === undefined || first === siteSpace.id) return undefined;
    w.forget(ORDER);
    return {
      at: at(w, siteSpace, 'siteSpaceId'),
      body: { position: { before: { type: 'site-space', siteSpace: first } } },
      resource: siteSpace.id,
      tells: order(w, siteSpace, 'site-spaces', [index, siteSpace.id]),
    };
  },
};

/** Plans to publish a site, or to take it from the public. */
function publication(w: World, published: boolean): Plan | undefined {
  const site = w.one('site', ({ note }) => (note.published === 'yes') !== published);
  return (
    site && {
      ...w.change(site, at(w, site), {}, { published }),
      body: undefined,
      action: published ? 'site.publish' : 'site.unpublish',
      leaves: () => {
        site.note.published = published ? 'yes' : '';
      },
    }
  );
}

/** Sites, their parts and their settings. */
export const SITES: Acts = {
  createSite: (w) => {
    const space = w.one('spare');
    if (!space) return undefined;
    const title = w.mark();
    const plan = w.make('site', {
      at: { organizationId: w.organization },
      body: { title, spaces: [space.id] },
      path: (id) => `${w.home}/sites/${id}`,
      fields: { title, published: false },
      most: 2,
      trace: { at: `${w.home}/sites${ALL}`, text: title },
    });
    return (
      plan && {
        ...plan,
        leaves: (id) => {
          w.drop(space.id);
          plan.leaves?.(id);
        },
      }
    );
  },
  updateSiteById: (w) => {
    const site = w.one('site');
    return site && w.change(site, at(w, site), { title: w.mark() });
  },
  deleteSiteById: (w) => {
    const site = w.one('site');
    return site && w.remove(site, at(w, site));
  },
  publishSite: (w) => publication(w, true),
  unpublishSite: (w) => publication(w, false),
  ...STRUCTURE,
  ...SITE_SETTINGS,
};
