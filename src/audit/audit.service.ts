import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { newId } from '../common/ids.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import { Database } from '../database/index.js';
import { type Acting, whoActs } from './acting.js';
import { type AuditAction, AUDITED } from './actions.js';
import { AuditEvent } from './audit-event.schema.js';
import { bounded, type Changes, changesBetween } from './changes.js';

/** What was done. */
export interface Done {
  /** Id of the organization whose administrators read it. */
  organization: string;
  action: AuditAction;
  /** Id of what it was done to; of what kind that is, the action says. */
  id: string;
  changes?: Changes;
}

/** Which events a list holds; all that is given must apply. */
export interface AuditFilter extends ListQuery {
  /** Who did it; `null`: the service itself. */
  actor?: Acting;
  action?: AuditAction;
  /** Id of what it was done to. */
  resource?: string;
  /** From this moment on. */
  from?: Date;
  /** Before this moment. */
  to?: Date;
}

/** Who did what to which resource (decision B.13). */
@Injectable()
export class Audit {
  constructor(
    @InjectModel(AuditEvent.name) private readonly events: Model<AuditEvent>,
    private readonly database: Database,
  ) {}

  /**
   * Records what whoever acts has done, in the transaction of the change: one is kept if and only if the other is. One
   * command, however many events there are. @throws Error outside of a transaction, and where nobody acts.
   */
  async record(...done: readonly Done[]): Promise<void> {
    if (!this.database.inTransaction) throw new Error('What is done must be recorded in the transaction that does it');
    if (done.length === 0) return;
    const [actor, at] = [whoActs(), new Date()];
    await this.database.insert(
      this.events,
      done.map(({ organization, action, id, changes = {} }) => ({
        _id: newId(),
        organization,
        at,
        actor,
        action,
        resource: { object: AUDITED[action], id },
        changes: bounded(changes),
      })),
    );
  }

  /**
   * Records as `done` what differs between a record as it was and as it is; nothing where nothing does.
   *
   * @param set Names the properties that are compared: what was to be changed. Mongoose adds to the object that an update gets
   * as `$set`, so that one is to be a copy.
   * @throws Error as {@link record}.
   */
  async recordUpdate<T extends object>(
    done: Omit<Done, 'changes'>,
    [before, after]: readonly [T, T],
    set: Partial<T>,
  ): Promise<void> {
    const changes = changesBetween(before, after, Object.keys(set) as (keyof T & string)[]);
    if (Object.keys(changes).length > 0) await this.record({ ...done, changes });
  }

  /** One page of what was done in `organization`, the latest first. */
  list(organization: string, { actor, action, resource, from, to, ...query }: AuditFilter): Promise<Page<AuditEvent>> {
    const at = { ...(from && { $gte: from }), ...(to && { $lt: to }) };
    const filter = {
      organization,
      ...(actor !== undefined && { actor }),
      ...(action !== undefined && { action }),
      ...(resource !== undefined && { 'resource.id': resource }),
      ...((from ?? to) && { at }),
    };
    return findPage(this.events, filter, query, { sort: 'at' });
  }

  /** Removes up to `limit` events of before `moment`, the oldest first; answers how many there were. */
  async removeBefore(moment: Date, limit: number): Promise<number> {
    const old = await this.events
      .find({ at: { $lt: moment } }, { _id: 1 })
      .sort({ at: 1 })
      .limit(limit)
      .lean<{ _id: string }[]>();
    if (old.length > 0) await this.events.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
    return old.length;
  }
}
