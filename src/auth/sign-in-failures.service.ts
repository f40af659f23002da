import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { type Counted, countedBy, MEMORY, waitAfter } from './lockout.js';
import { tooMany } from './rate-limits.js';
import { SignInFailure } from './sign-in-failure.schema.js';

/** An attempt to sign in that counts as failed until it is known to have been right. */
export interface Attempt {
  /** The password was right: the account is free again, and the address has one failure less. */
  succeeded(): Promise<void>;
}

/** Makes whoever keeps failing to sign in wait; stored, so that it holds in every process and after a restart. */
@Injectable()
export class SignInFailures {
  constructor(@InjectModel(SignInFailure.name) private readonly failures: Model<SignInFailure>) {}

  /**
   * Begins an attempt to sign in to the account of `email`, whether there is one or not, from `address`. It counts before
   * the password is looked at: many that come at once gain nothing.
   *
   * @throws HttpException 429, with Retry-After, while the account or the address has to wait.
   */
  async begin(email: string, address: string): Promise<Attempt> {
    const counted = countedBy(email, address);
    // what is refused counts nowhere: who has to wait elsewhere does not make an account wait
    const known = await this.failures
      .find({ _id: { $in: [counted.account.key, counted.address.key] } })
      .lean<SignInFailure[]>();
    for (const failure of known) refuseWhileResting(failure);
    await this.count(counted.address);
    await this.count(counted.account);
    return {
      succeeded: async () => {
        await this.failures.deleteOne({ _id: counted.account.key });
        await this.failures.updateOne(
          { _id: counted.address.key, failures: { $gt: 0 } },
          { $inc: { failures: -1 }, $set: { until: new Date() } },
        );
      },
    };
  }

  /** Counts one failure, by compare-and-set: one of several that come at once is the next, and the others see it. */
  private async count({ key, free }: Counted): Promise<void> {
    for (;;) {
      const known = await this.failures.findById(key).lean<SignInFailure>();
      if (known) refuseWhileResting(known);
      const now = Date.now();
      const failures = (known && known.expiresAt.getTime() > now ? known.failures : 0) + 1;
      const set = {
        failures,
        until: new Date(now + waitAfter(failures, free)),
        expiresAt: new Date(now + MEMORY),
      };
      if (await this.replace(key, known, set)) return;
    }
  }

  private async replace(key: string, known: SignInFailure | null, set: Omit<SignInFailure, '_id'>): Promise<boolean> {
    if (known) {
      const unchanged = { _id: key, failures: known.failures, until: known.until };
      return (await this.failures.updateOne(unchanged, { $set: set })).matchedCount === 1;
    }
    try {
      await this.failures.create({ _id: key, ...set });
      return true;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 11000) throw error;
      return false;
    }
  }
}

function refuseWhileResting({ until }: SignInFailure): void {
  const rest = until.getTime() - Date.now();
  if (rest > 0) throw tooMany(rest, 'Too many failed attempts to sign in');
}
