// What the benchmark works on: a space of many pages, a site, and a space for each writer.

export const PAGES = 1000;
export const SITE_SPACES = 50;
/** Writers; each has a space of its own, as people do who do not write the same page. */
export const WRITERS = 10;

const SECTIONS = 10;
const AT_A_TIME = 50;
export const WORDS = 'reads writes pages spaces merges revisions search index chapter section'.split(' ');

/** Fills an installation; answers the ids of what the operations ask for. */
export async function fill(call) {
  const organization = (await call('GET', '/v1/orgs')).items[0].id;
  const space = await spaceWith(call, organization, PAGES);
  const { pages } = await call('GET', `/v1/spaces/${space}/content/pages`);
  const site = await publish(call, organization);
  const writers = [];
  for (let writer = 0; writer < WRITERS; writer += 1) {
    const id = await spaceWith(call, organization, AT_A_TIME);
    const own = (await call('GET', `/v1/spaces/${id}/content/pages`)).pages;
    writers.push({ space: id, page: own[AT_A_TIME / 2].id, pages: own.map((page) => page.id) });
  }
  return { organization, space, page: pages[PAGES / 2].id, site, writers };
}

async function spaceWith(call, organization, pages) {
  const { id } = await call('POST', `/v1/orgs/${organization}/spaces`, { title: 'Bench' });
  for (let start = 0; start < pages; start += AT_A_TIME) {
    const changes = Array.from({ length: AT_A_TIME }, (_, n) => {
      const text = Array.from({ length: 120 }, (_, w) => WORDS[(start + n * 7 + w * 3) % WORDS.length]).join(' ');
      return {
        operation: 'insert_page',
        document: { markdown: `# Page ${start + n}\n\n${text}\n\n## More\n\n${text}\n` },
      };
    });
    await call('POST', `/v1/spaces/${id}/content`, { changes });
  }
  return id;
}

/** A published site; answers its id. */
async function publish(call, organization) {
  const sites = `/v1/orgs/${organization}/sites`;
  const { id } = await call('POST', sites, { title: 'Bench' });
  for (let section = 0; section < SECTIONS; section += 1) {
    const spaces = [];
    for (let variant = 0; variant < SITE_SPACES / SECTIONS; variant += 1) {
      const title = `Space ${section} ${variant}`;
      spaces.push((await call('POST', `/v1/orgs/${organization}/spaces`, { title })).id);
    }
    const [first, ...others] = spaces;
    const made = await call('POST', `${sites}/${id}/sections`, { title: `Section ${section}`, spaceId: first });
    for (const spaceId of others) await call('POST', `${sites}/${id}/site-spaces`, { spaceId, sectionId: made.id });
  }
  await call('POST', `${sites}/${id}/publish`);
  return id;
}
