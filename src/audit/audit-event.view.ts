import { ApiProperty } from '@nestjs/swagger';
import { PageOf } from '../common/page.dto.js';
import { AUDIT_ACTIONS, type AuditAction } from './actions.js';
import type { AuditEvent } from './audit-event.schema.js';
import type { Changes } from './changes.js';

/** Who did something. */
export class AuditActorView {
  /** `system`: the service itself, by a job or on the command line. */
  type!: 'user' | 'system';
  /** Id of the person; absent for the service itself. */
  id?: string;
}

/** What something was done to. It may be gone since. */
export class AuditedResourceView {
  /** Its kind, as its own `object`. */
  object!: string;
  /** Its id; of an invitation link, whose id is a secret, a hash of it. */
  id!: string;
}

/** That somebody did something. */
export class AuditEventView {
  object!: 'audit-event';
  id!: string;
  /** ISO 8601, UTC. */
  at!: string;
  actor!: AuditActorView;
  @ApiProperty({ type: 'string', enum: AUDIT_ACTIONS })
  action!: AuditAction;
  resource!: AuditedResourceView;
  /** What changed, by property; values that are long tell their length alone, as `{"omitted": 12345}`. */
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'object', properties: { before: {}, after: {} } },
  })
  changes!: Changes;
}

export class AuditEventPage extends PageOf(AuditEventView) {}

/** Shapes `event`. */
export function toAuditEvent({ _id, at, actor, action, resource, changes }: AuditEvent): AuditEventView {
  return {
    object: 'audit-event',
    id: _id,
    at: at.toISOString(),
    actor: actor === null ? { type: 'system' } : { type: 'user', id: actor },
    action,
    resource: { object: resource.object, id: resource.id },
    changes,
  };
}
