import { owned, type Rule } from '../database/index.js';
import type { AuditEvent } from './audit-event.schema.js';

/** What of the audit goes where an organization goes. */
export const AUDIT_RECORDS: readonly Rule[] = [
  owned<AuditEvent>('audit_events', {
    people: ({ actor, resource }) => [actor, ...(resource.object === 'member' ? [resource.id] : [])],
  }),
];
