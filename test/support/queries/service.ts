import type { AuditFilter } from '../../../src/audit/index.js';
import { pendingMigrations } from '../../../src/database/index.js';
import type { Queries } from '../tenants.js';

/** What was done, and what the service asks when it starts. */
export const OF_THE_SERVICE: Queries = {
  'what was done is listed': async ({ organization, user, space }, { audit }) => {
    const [from, to] = [new Date(0), new Date(Date.now() + 1000)];
    const filters: AuditFilter[] = [{}, { actor: null }, { action: 'space.create' }, { resource: space._id }];
    for (const filter of [...filters, { actor: user._id, action: 'space.update', from, to } as const]) {
      const { next } = await audit.list(organization._id, { ...filter, limit: 1 });
      if (next) await audit.list(organization._id, { ...filter, limit: 1, page: next.page });
    }
  },
  'what was done long ago is removed': (_, { audit }) => audit.removeBefore(new Date(0), 500),
  'requests are sent again': async ({ user }, { idempotency, database }) => {
    const keyed = { id: `${user._id} once`, request: 'the same' };
    const answer = () => ({ status: 200, headers: {} });
    const fails = () => Promise.reject(new Error('no'));
    await idempotency.once(keyed, fails, answer).catch(() => undefined);
    for (const _ of [1, 2]) await idempotency.once(keyed, () => database.transaction(() => Promise.resolve()), answer);
  },
  'pending migrations are looked for': (_, { connection }) => pendingMigrations(connection),
};
