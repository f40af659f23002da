import { setTimeout as wait } from 'node:timers/promises';
import { petstore } from '../openapi.js';
import type { Acts, Plan, Thing, World } from './world.js';

const within = (w: World): Record<string, string> => ({ organizationId: w.organization });
const EVENTS = ['content.updated', 'site.published'];

/** A description of an API, with a title that stands nowhere else. */
const described = (title: string) => ({ text: JSON.stringify(petstore(['get /pets'], title)) });

/** Plans to put an installation on a space or a site that it is not on. */
function placed(w: World, kind: 'space' | 'site'): Plan | undefined {
  const installation = w.one('installation');
  const thing = w.one(kind);
  const id = `${installation?.id ?? ''}:${thing?.id ?? ''}`;
  if (!installation || !thing || w.one('placement', (one) => one.id === id)) return undefined;
  const path = `${installation.path}/${kind}s/${thing.id}`;
  const note = { kind, installation: installation.id, thing: thing.id, name: installation.note.name ?? '' };
  return {
    at: { integrationName: note.name, installationId: installation.id },
    body: { [kind === 'site' ? 'siteId' : 'space']: thing.id },
    resource: installation.id,
    tells: () => [{ at: path, fields: { installation: installation.id } }],
    leaves: () => {
      w.add({ kind: 'placement', id, path, of: [installation.id, thing.id, ...installation.of], note });
    },
  };
}

const placement = (w: World, kind: 'space' | 'site'): Thing | undefined =>
  w.one('placement', ({ note }) => note.kind === kind);
const where = ({ note: { kind, installation = '', thing = '', name = '' } }: Thing): Record<string, string> => ({
  integrationName: name,
  installationId: installation,
  [kind === 'site' ? 'siteId' : 'spaceId']: thing,
});

function updatePlacement(w: World, kind: 'space' | 'site'): Plan | undefined {
  const one = placement(w, kind);
  return one && { ...w.change(one, where(one), { externalIds: [w.mark()] }), resource: one.note.installation };
}

function removePlacement(w: World, kind: 'space' | 'site'): Plan | undefined {
  const one = placement(w, kind);
  return one && { ...w.remove(one, where(one)), resource: one.note.installation };
}

const INTEGRATIONS: Acts = {
  publishIntegration: [
    (w) => {
      const [name, title] = [`test.${w.mark()}`, w.mark()];
      const sent = { title, description: 'For tests', script: 'export {};', organization: w.organization };
      const plan = w.make('integration', {
        at: { integrationName: name },
        body: sent,
        path: () => `/v1/integrations/${name}`,
        fields: { title, version: 1 },
      });
      return (
        plan && {
          ...plan,
          resource: name,
          leaves: () => {
            w.add({ kind: 'integration', id: name, path: `/v1/integrations/${name}`, note: { version: '1' } });
          },
        }
      );
    },
    (w) => {
      const one = w.one('integration');
      if (!one) return undefined;
      const title = w.mark();
      const version = Number(one.note.version) + 1;
      const sent = { title, description: 'For tests', script: 'export {};', organization: w.organization };
      return {
        ...w.change(one, { integrationName: one.id }, sent, { title, version }),
        leaves: () => {
          one.note.version = String(version);
        },
      };
    },
  ],
  unpublishIntegration: (w) => {
    const one = w.one('integration');
    return one && w.remove(one, { integrationName: one.id });
  },
  installIntegration: (w) => {
    const one = w.one('integration', ({ id }) => !w.one('installation', ({ note }) => note.name === id));
    return (
      one &&
      w.make('installation', {
        at: { integrationName: one.id },
        body: { organization: w.organization },
        path: (id) => `${one.path}/installations/${id}`,
        fields: { 'target.organization': w.organization },
        of: [one.id],
        note: { name: one.id },
      })
    );
  },
  updateIntegrationInstallation: (w) => {
    const one = w.one('installation');
    const { name = '' } = one?.note ?? {};
    return one && w.change(one, { integrationName: name, installationId: one.id }, { externalIds: [w.mark()] });
  },
  uninstallIntegration: (w) => {
    const one = w.one('installation');
    const { name = '' } = one?.note ?? {};
    return one && w.remove(one, { integrationName: name, installationId: one.id });
  },
  installIntegrationOnSpace: (w) => placed(w, 'space'),
  updateIntegrationSpaceInstallation: (w) => updatePlacement(w, 'space'),
  uninstallIntegrationFromSpace: (w) => removePlacement(w, 'space'),
  installIntegrationOnSite: (w) => placed(w, 'site'),
  updateIntegrationSiteInstallation: (w) => updatePlacement(w, 'site'),
  uninstallIntegrationFromSite: (w) => removePlacement(w, 'site'),
};

/** Integrations, webhooks, descriptions of APIs and translations. */
export const SERVICES: Acts = {
  ...INTEGRATIONS,
  createWebhook: (w) =>
    w.make('webhook', {
      at: within(w),
      body: { url: `${w.foreign}/hook`, events: EVENTS },
      path: (id) => `${w.home}/webhooks/${id}`,
      fields: { events: EVENTS },
    }),
  updateWebhook: (w) => {
    const webhook = w.one('webhook');
    if (!webhook) return undefined;
    const { value, keep } = w.other(`events of ${webhook.id}`, ['comment.added', EVENTS.join(' ')], EVENTS.join(' '));
    const events = value.split(' ');
    // one that is switched off is switched on again: what was given up can be sent once more
    const plan = w.change(webhook, { ...within(w), webhookId: webhook.id }, { events, active: true }, { events });
    return { ...plan, leaves: keep };
  },
  deleteWebhook: (w) => {
    const webhook = w.one('webhook');
    return webhook && w.remove(webhook, { ...within(w), webhookId: webhook.id });
  },
  redeliverWebhookDelivery: async (w) => {
    for (const webhook of w.all('webhook')) {
      const active = (await w.read(webhook.path)).body.active === true;
      const list = `${webhook.path}/deliveries?limit=1000`;
      const { items } = (await w.read(list)).body as { items: { id: string; status: string }[] };
      const failed = active ? items.find(({ status }) => status === 'failed') : undefined;
      if (!failed) continue;
      return {
        at: { ...within(w), webhookId: webhook.id, deliveryId: failed.id },
        // what is delivered meanwhile switches the webhook off again
        refusal: 409,
        action: null,
        happened: () => Promise.resolve(undefined),
        tells: () => [{ at: `${list}#${failed.id}`, fields: { id: failed.id } }],
      };
    }
    return undefined;
  },
  createOpenAPISpec: (w) => {
    const slug = w.mark();
    if (w.all('spec').length > 2) return undefined;
    const path = `${w.home}/openapi/${slug}`;
    const title = w.mark();
    return {
      at: within(w),
      body: { slug, source: described(title) },
      tells: (id) => [{ at: path, fields: { slug, id } }],
      leaves: (id) => {
        w.add({ kind: 'spec', id, path, note: { slug, title } });
      },
      trace: { at: `${w.home}/openapi?limit=1000`, text: slug },
    };
  },
  createOrUpdateOpenAPISpecBySlug: (w) => {
    const spec = w.one('spec');
    if (!spec) return undefined;
    const { slug = '', title: before } = spec.note;
    // from a text to an address and back: another text alone is no change of a setting, and not recorded
    const title = before ? '' : w.mark();
    const sourceURL = before ? `${w.foreign}/spec.json?${w.mark()}` : undefined;
    const source = sourceURL === undefined ? described(title) : { url: sourceURL };
    return {
      ...w.change(spec, { ...within(w), specSlug: slug }, { source }, { sourceURL }),
      leaves: () => {
        spec.note.title = title;
      },
    };
  },
  deleteOpenAPISpecBySlug: (w) => {
    const spec = w.one('spec');
    const { slug = '' } = spec?.note ?? {};
    return spec && w.remove(spec, { ...within(w), specSlug: slug });
  },
  createTranslationSettings: (w) => {
    const title = w.mark();
    const path = (id: string): string => `${w.home}/translations/${id}`;
    const body = { title, languages: ['en', 'de'] };
    return w.make('translations', { at: within(w), body, path, fields: body });
  },
  updateTranslationSettings: (w) => {
    const one = w.one('translations');
    const body = { title: w.mark(), languages: ['de'] };
    return one && w.change(one, { ...within(w), translationSettingsId: one.id }, body);
  },
  deleteTranslationSettings: (w) => {
    const one = w.one('translations');
    return one && w.remove(one, { ...within(w), translationSettingsId: one.id });
  },
};

/** Longest that a look at a description takes, ms: what a process took that died is free for others after a minute. */
const LOOK = 180_000;

/**
 * Waits until the descriptions of APIs have been looked at, whoever began with that and was killed. @throws Error where one
 * is not, or says something else than was sent last.
 */
export async function waitForSpecs(w: World): Promise<void> {
  const end = Date.now() + LOOK;
  for (const { path, note } of w.all('spec')) {
    while ((await w.read(path)).body.processingState !== 'complete') {
      if (Date.now() > end) throw new Error(`Nobody looks at ${path}`);
      await wait(200);
    }
    const { bytes } = await w.read(`${path}/versions/latest/content/raw`);
    if (note.title && !bytes.includes(note.title)) throw new Error(`${path} says ${bytes.toString()}`);
  }
}
