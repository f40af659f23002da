import { ConflictException, Injectable, Logger, type OnModuleInit, UnprocessableEntityException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { newId } from '../common/ids.js';
import { reseal, seal, SecretKey, unseal } from '../config/index.js';
import { Database, SealedRecords } from '../database/index.js';
import { IdempotencyKey } from './idempotency-key.schema.js';

/** How long a key stands for what it was sent with, in ms. */
const KEPT = 24 * 60 * 60 * 1000;
/** How long whoever carries a request out is taken to be alive, in ms, and how often that is said anew. */
const LEASE = 60_000;
const RENEWAL = 20_000;
/** So long an answer is kept, in characters of its JSON. */
const MAX_ANSWER = 1024 * 1024;
/** Seconds after which it is worth asking again for the answer of a request that is under way. */
const RETRY_AFTER = '1';
const SEALED_FOR = 'idempotency';

/** An answer as it was given. */
export interface KeptAnswer {
  status: number;
  /** Those that the operation itself has set. */
  headers: Record<string, string | string[] | number>;
  /** JSON; absent: there was no body. */
  body?: string;
}

/** A key, and what it was sent with. */
export interface Keyed {
  /** A hash of the person and the key. */
  id: string;
  /** A hash of method, address and body. */
  request: string;
}

/** That a request may be carried out, by whoever holds this. */
interface Claim extends Pick<IdempotencyKey, '_id' | 'attempt'> {
  kind: 'claim';
}

/** Has a request that is sent several times with one key carried out once, whatever process it reaches and whichever dies. */
@Injectable()
export class Idempotency implements OnModuleInit {
  private readonly logger = new Logger('Idempotency');

  constructor(
    @InjectModel(IdempotencyKey.name) private readonly keys: Model<IdempotencyKey>,
    private readonly database: Database,
    private readonly key: SecretKey,
    private readonly sealed: SealedRecords,
  ) {}

  /** Has the answers follow the key of the installation. */
  onModuleInit(): void {
    this.sealed.add('kept answers', {
      model: this.keys,
      fields: ['answer'],
      reseal: ({ _id, answer }) => {
        const again = answer === null ? null : reseal(this.key, SEALED_FOR, _id, answer);
        return again === null ? null : { answer: again };
      },
    });
  }

  /**
   * Has `work` done, unless it was done before: then the answer that it gave. What is written by `work` in transactions says with the
   * first of them that it was; what fails before that frees the key.
   *
   * @param answerOf Shapes what `work` came to as the answer that is kept.
   * @throws UnprocessableEntityException when the key stands for another request, ConflictException while it is under way elsewhere,
   * and when it was carried out and the answer is lost; else whatever `work` throws.
   */
  async once<T>(
    keyed: Keyed,
    work: () => Promise<T>,
    answerOf: (done: T) => KeptAnswer,
  ): Promise<{ done: T } | { kept: KeptAnswer }> {
    const known = await this.claim(keyed);
    if (known.kind === 'kept') return { kept: known.answer };
    const stop = this.keepAlive(known);
    try {
      const done = await this.database.beginWith(() => this.commit(known), work);
      await this.keep(known, answerOf(done));
      return { done };
    } catch (error) {
      await this.release(known);
      throw error;
    } finally {
      stop();
    }
  }

  /** The right to carry `keyed` out, or the answer that it had. */
  private async claim(keyed: Keyed): Promise<Claim | { kind: 'kept'; answer: KeptAnswer }> {
    for (;;) {
      const claim: Claim = { kind: 'claim', _id: keyed.id, attempt: newId() };
      const now = Date.now();
      const fresh = {
        request: keyed.request,
        attempt: claim.attempt,
        state: 'started' as const,
        leaseUntil: new Date(now + LEASE),
        answer: null,
        expiresAt: new Date(now + KEPT),
      };
      if (await this.insert({ _id: keyed.id, ...fresh })) return claim;
      const known = await this.keys.findById(keyed.id).lean<IdempotencyKey>();
      if (!known) continue;
      const kept = this.keptFor(keyed, known, now);
      if (kept) return { kind: 'kept', answer: kept };
      // of several who find it free, one is first; the others look again
      const { attempt, state, leaseUntil } = known;
      const same = { _id: keyed.id, attempt, state, leaseUntil };
      if ((await this.keys.updateOne(same, { $set: fresh })).modifiedCount === 1) return claim;
    }
  }

  private async insert(record: IdempotencyKey): Promise<boolean> {
    try {
      await this.keys.insertOne(record);
      return true;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 11000) throw error;
      return false;
    }
  }

  /** The answer of `known`; `null`: it is free. @throws where neither can be. */
  private keptFor(keyed: Keyed, known: IdempotencyKey, now: number): KeptAnswer | null {
    if (known.expiresAt.getTime() <= now) return null;
    if (known.request !== keyed.request) {
      throw new UnprocessableEntityException(
        'The Idempotency-Key was sent with another request before; send a key of its own with each',
      );
    }
    const answer = this.open(known);
    if (answer) return answer;
    if (known.state !== 'answered' && known.leaseUntil.getTime() > now) {
      throw new ConflictException({
        message: 'The first request with this Idempotency-Key is still under way; ask again in a moment',
        headers: { 'Retry-After': RETRY_AFTER },
      });
    }
    if (known.state === 'started') return null;
    throw new ConflictException(
      'The first request with this Idempotency-Key was carried out, but its answer is not kept; read what it changed',
    );
  }

  /** The answer within `known`; `null`: there is none, or it was sealed with a key that is gone. */
  private open({ _id, answer }: IdempotencyKey): KeptAnswer | null {
    if (answer === null) return null;
    try {
      return JSON.parse(unseal(this.key, SEALED_FOR, _id, answer)) as KeptAnswer;
    } catch {
      return null;
    }
  }

  /**
   * Says, as a part of the transaction that writes something, that something was written.
   * @throws ConflictException when somebody else has taken the request over meanwhile: then nothing may be written here.
   */
  private async commit({ _id, attempt }: Claim): Promise<void> {
    const { matchedCount } = await this.keys.updateOne({ _id, attempt }, { $set: { state: 'committed' } });
    if (matchedCount === 1) return;
    throw new ConflictException('Another request with the same Idempotency-Key has taken over; ask again in a moment');
  }

  /** Keeps the answer. Where that fails, the work is done all the same, and the caller is told so. */
  private async keep({ _id, attempt }: Claim, answer: KeptAnswer): Promise<void> {
    const text = JSON.stringify(answer);
    const sealed = text.length > MAX_ANSWER ? null : seal(this.key, SEALED_FOR, _id, text);
    try {
      await this.keys.updateOne({ _id, attempt }, { $set: { state: 'answered', answer: sealed } });
    } catch (error) {
      this.logger.warn({ err: error, message: 'An answer with an Idempotency-Key could not be kept' });
    }
  }

  /** Frees the key where nothing was written, and ends the lease where something was. Where that fails, the lease runs out. */
  private async release({ _id, attempt }: Claim): Promise<void> {
    try {
      const { deletedCount } = await this.keys.deleteOne({ _id, attempt, state: 'started' });
      if (deletedCount === 0) await this.keys.updateOne({ _id, attempt }, { $set: { leaseUntil: new Date() } });
    } catch (error) {
      this.logger.warn({ err: error, message: 'An Idempotency-Key could not be freed' });
    }
  }

  /** Says again and again that somebody is at it; answers what ends that. */
  private keepAlive({ _id, attempt }: Claim): () => void {
    const timer = setInterval(() => {
      const renewed = this.keys.updateOne({ _id, attempt }, { $set: { leaseUntil: new Date(Date.now() + LEASE) } });
      // the next one may come through; until the lease is over nothing is lost
      renewed.exec().catch(() => undefined);
    }, RENEWAL).unref();
    return () => {
      clearInterval(timer);
    };
  }
}
