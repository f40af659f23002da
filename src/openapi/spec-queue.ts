import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { newId } from '../common/ids.js';
import { DomainEvents } from '../common/domain-events.js';
import { Database } from '../database/index.js';
import { OpenApiSpec, type ProcessError, type Validators } from './openapi-spec.schema.js';
import { OpenApiVersion } from './openapi-version.schema.js';
import { OpenApiVersions } from './openapi-versions.service.js';

/** How long a description stays with a process that says nothing, ms. */
export const LEASE = 60_000;
/** How often descriptions that are fetched are looked at again, ms (decision 5.48). */
const REFRESH = 6 * 60 * 60_000;
const FREE = { lease: null, leasedUntil: new Date(0) };

/** A description that this process alone looks at for now. */
export type Leased = OpenApiSpec & { lease: string };

/** What came of a look at a description. */
export interface Outcome {
  error: ProcessError | null;
  validators: Validators | null;
  /** The version to add; `null` where the last one says the same, or there was an error. */
  version: Omit<OpenApiVersion, '_id' | 'createdAt' | 'spec' | 'previous'> | null;
}

/** Which descriptions are to be looked at, and by whom. */
@Injectable()
export class SpecQueue {
  constructor(
    @InjectModel(OpenApiSpec.name) private readonly specs: Model<OpenApiSpec>,
    private readonly versions: OpenApiVersions,
    private readonly database: Database,
    private readonly events: DomainEvents,
  ) {}

  /** Takes the description that is due for longest and nobody's; `null` when there is none. */
  async take(now = new Date()): Promise<Leased | null> {
    const lease = newId();
    const taken = await this.specs
      .findOneAndUpdate(
        { dueAt: { $lte: now }, leasedUntil: { $lte: now } },
        { $set: { lease, leasedUntil: new Date(now.getTime() + LEASE), processingState: 'progress' } },
        { sort: { dueAt: 1 }, returnDocument: 'after', timestamps: false },
      )
      .lean<OpenApiSpec>();
    return taken && { ...taken, lease };
  }

  /** Says that the look goes on. @returns whether it is still worth it: `false` for a new source, or none at all. */
  async renew({ _id, lease, source }: Leased): Promise<boolean> {
    const { matchedCount } = await this.specs.updateOne(
      { _id, lease, source },
      { $set: { leasedUntil: new Date(Date.now() + LEASE) } },
      { timestamps: false },
    );
    return matchedCount === 1;
  }

  /** Writes what came of a look. @returns `false`, with nothing written, when the source is another by now, or gone. */
  async finish(spec: Leased, { error, validators, version }: Outcome): Promise<boolean> {
    const { _id, lease, source, organization, slug, lastVersion } = spec;
    const now = new Date();
    const made = version && { ...version, _id: newId(), spec: _id, previous: lastVersion, createdAt: now };
    const set = {
      processingState: 'complete',
      lastProcessedAt: now,
      lastProcessErrorCode: error,
      validators,
      dueAt: spec.url === null ? null : new Date(now.getTime() + REFRESH),
      ...FREE,
      ...(made && { lastVersion: made._id, updatedAt: now }),
    };
    return this.database.transaction(async () => {
      const { matchedCount } = await this.specs.updateOne({ _id, lease, source }, { $set: set }, { timestamps: false });
      if (matchedCount === 0) return false;
      if (made) {
        await this.versions.add(made);
        await this.events.emit('openapi.changed', { organization, slug });
        await this.events.emit('spec.processed', { organization, spec: _id, version: made._id });
      }
      return true;
    });
  }

  /** Lets go of a description whose look came to no end; somebody looks at it anew. */
  async release({ _id, lease }: Leased): Promise<void> {
    await this.specs.updateOne(
      { _id, lease },
      { $set: { ...FREE, processingState: 'pending' } },
      { timestamps: false },
    );
  }
}
