import { owned, type Rule } from '../database/index.js';
import type { Installation } from './installations/installation.schema.js';
import type { Placement } from './installations/placement.schema.js';
import { EVERYBODY, type Integration } from './integration.schema.js';

/** What of integrations goes where an organization goes: what it publishes, and has installed of that. */
export const INTEGRATION_RECORDS: readonly Rule[] = [
  owned<Integration>('integrations', {
    // everybody finds public ones
    atOnce: true,
    fits: ({ organization, listed }) => listed === EVERYBODY || listed === organization,
    needs: {
      blobs: ({ blobs, script, icon, previewImages }) => [
        ...blobs,
        script,
        icon?.blob,
        ...previewImages.map(({ blob }) => blob),
      ],
    },
    taken: (name) =>
      `another organization publishes an integration "${name}": publish this one under another name where the backup was made, and make it again`,
  }),
  owned<Installation>('installations', {
    // elsewhere, one of the same name may be of somebody else, who is told nothing of what was set for this one
    within: { integrations: ({ integration }) => [integration] },
  }),
  owned<Placement>('installation_placements', {
    of: ['installations'],
    by: 'installation',
    needs: {
      integrations: ({ integration }) => [integration],
      spaces: ({ kind, place }) => (kind === 'space' ? [place] : []),
      sites: ({ kind, place }) => (kind === 'site' ? [place] : []),
    },
  }),
];
