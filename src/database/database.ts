import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, Model, mongo } from 'mongoose';
import { Carried } from '../common/carried.js';
import { deepFreeze } from '../common/deep-freeze.js';
import { attempted } from './attempted.js';
import { gathered, gatheredWrite, type ReadMany, shared } from './gathered.js';

/** A record as a plain object. */
export type Fields<T> = { [K in keyof T]: T[K] };

/** A transaction that is under way. */
interface Under {
  /** Of the attempt that is being made; none where the server has no transactions. */
  session?: mongo.ClientSession;
  /** What is done when it has happened. */
  then: (() => void)[];
  /** Whether it has begun with what it is to begin with. */
  begun: boolean;
}

/** What the first transaction of some work begins with. */
interface Opening {
  first: () => Promise<void>;
  /** Whether none has happened yet. */
  due: boolean;
}

/** The database as a whole: transactions and its state. */
@Injectable()
export class Database implements OnModuleInit {
  private readonly logger = new Logger('Database');
  private readonly inside = new Carried<Under>();
  private readonly opened = new Carried<Opening>();
  private atomic = true;

  constructor(@InjectConnection() readonly connection: Connection) {}

  /** Finds out whether the server has transactions: a standalone has none. */
  async onModuleInit(): Promise<void> {
    const hello = await this.command({ hello: 1 });
    this.atomic = typeof hello.setName === 'string' || hello.msg === 'isdbgrid';
    if (!this.atomic) {
      this.logger.warn(
        'MONGODB_URI names a standalone server: writes of several documents are not atomic there. Use a replica set.',
      );
    }
  }

  /**
   * Runs `work` so that all its writes happen or none. Sessions follow by themselves, for Mongoose models only; a
   * transaction within one joins it. `work` may run several times, so it touches nothing but the database.
   *
   * @throws ConflictException when others kept writing to the same documents, the driver's error when the server could not be brought
   *   to do it in time, else whatever `work` throws.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    const around = this.inside.get();
    return around ? this.begun(around, work) : this.outermost((under) => this.begun(under, work));
  }

  /** As {@link transaction}; what {@link beginWith} says waits for the first transaction within it, so that what comes before is refused first. */
  async around<T>(work: () => Promise<T>): Promise<T> {
    return this.inTransaction ? work() : this.outermost(work);
  }

  /**
   * Runs `work`, where the first transaction that happens begins with `first`: what that writes is written with the rest of it or
   * not at all, and where it throws, the transaction does not happen. Until one is known to have happened, every attempt of each begins
   * so. What goes on after the end of `work` is no part of it.
   */
  async beginWith<T>(first: () => Promise<void>, work: () => Promise<T>): Promise<T> {
    const opening: Opening = { first, due: true };
    try {
      return await this.opened.run(opening, work);
    } finally {
      opening.due = false;
    }
  }

  /**
   * Has `then` called as soon as the transaction that whoever asks is in has happened; never, where it does not happen. `then`
   * does not throw. @throws Error outside of a transaction.
   */
  afterCommit(then: () => void): void {
    const under = this.inside.get();
    if (!under) throw new Error('There is no transaction to wait for');
    under.then.push(then);
  }

  /** Whether whoever asks is within the work of a {@link transaction}. */
  get inTransaction(): boolean {
    return this.inside.get() !== undefined;
  }

  /**
   * A read of one key that joins with those that other requests make at the same moment, as {@link gathered} says; within a
   * transaction it is made alone, since it sees what the transaction has written.
   */
  gathered<T>(readMany: ReadMany<T>, most?: number): (key: string) => Promise<T | null> {
    const together = gathered(readMany, most);
    return async (key) => (this.inTransaction ? ((await readMany([key])).get(key) ?? null) : together(key));
  }

  /**
   * As {@link gathered}, and within a transaction the same, of which it sees nothing: for what a transaction reads and need not agree
   * with. To be made while no transaction is under way.
   */
  gatheredOutside<T>(readMany: ReadMany<T>): (key: string) => Promise<T | null> {
    const outside = AsyncLocalStorage.snapshot();
    return gathered((keys) => outside(() => readMany(keys)));
  }

  /** Finds the record of `model` with a value of `field`, a unique one, as {@link gathered} does. What it answers is frozen. */
  finder<T>(
    model: Model<T>,
    field: keyof T & string = '_id' as keyof T & string,
  ): (value: string) => Promise<T | null> {
    return this.gathered<T>(async (values) => {
      const filter = { [field]: values.length === 1 ? values[0] : { $in: values } } as mongo.Filter<T>;
      const found = await this.find(model, filter);
      return new Map(found.map((record) => [String(record[field]), deepFreeze(record)]));
    });
  }

  /**
   * A read that is made once for all who ask the same at the same moment, as {@link shared} says; within a transaction it is made
   * alone. What it answers is frozen.
   */
  shared<Q, T>(read: (question: Q) => Promise<T>): (question: Q) => Promise<T> {
    const frozen = async (question: Q): Promise<T> => deepFreeze(await read(question));
    const once = shared(frozen);
    return (question) => (this.inTransaction ? frozen(question) : once(question));
  }

  /**
   * The records of `model` that `filter` finds, as they are stored. It joins a surrounding transaction. For what every request asks:
   * a query of Mongoose takes twice the time. Nothing looks at `filter`, so that what comes from outside is known to be text.
   */
  async find<T>(model: Model<T>, filter: mongo.Filter<T>, options: mongo.FindOptions = {}): Promise<T[]> {
    const { session } = this.inside.get() ?? {};
    const collection = model.collection as unknown as mongo.Collection;
    return allOf(collection.find<T & mongo.Document>(filter as mongo.Filter<mongo.Document>, { ...options, session }));
  }

  /**
   * Changes the record of `model` that `filter` finds, as a {@link find} finds it: `update` is complete, dates too. It joins a surrounding
   * transaction. Answers whether there is one.
   */
  async change<T>(model: Model<T>, filter: mongo.Filter<T>, update: mongo.UpdateFilter<T>): Promise<boolean> {
    const { session } = this.inside.get() ?? {};
    const collection = model.collection as unknown as mongo.Collection;
    const found = await collection.updateOne(
      filter as mongo.Filter<mongo.Document>,
      update as mongo.UpdateFilter<mongo.Document>,
      { session },
    );
    return found.matchedCount === 1;
  }

  /**
   * Inserts records of `model` as they are: complete, as nothing looks at them or adds to them. It joins a surrounding transaction, and
   * is one command. @throws the driver's error, where one is there already.
   */
  async insert<T extends { _id: unknown }>(model: Model<T>, records: readonly Fields<T>[]): Promise<void> {
    const { session } = this.inside.get() ?? {};
    const collection = model.collection as unknown as mongo.Collection;
    const [first, ...others] = records as readonly mongo.Document[];
    if (!first) return;
    // for one, the driver has much less to do
    if (others.length === 0) await collection.insertOne(first, { session });
    else await collection.insertMany([first, ...others], { session });
  }

  /**
   * An {@link insert} of one record that joins with those that other requests insert at the same moment; within a transaction it is made
   * alone.
   */
  inserter<T extends { _id: unknown }>(model: Model<T>): (record: Fields<T>) => Promise<void> {
    const together = gatheredWrite<Fields<T>>((records) => this.insert(model, records));
    return (record) => (this.inTransaction ? this.insert(model, [record]) : together(record));
  }

  /** Resolves when the server answers. @throws the driver's error when it does not within `timeout` ms. */
  async ping(timeout: number): Promise<void> {
    await this.command({ ping: 1, maxTimeMS: timeout });
  }

  /** How many connections are open and wanted, for the metrics: Mongoose's state, 1 when connected. */
  get state(): number {
    return this.connection.readyState;
  }

  private async outermost<T>(work: (under: Under) => Promise<T>): Promise<T> {
    const under: Under = { then: [], begun: false };
    const run = (): Promise<T> => work(under);
    const done = await this.inside.run(under, () => (this.atomic ? this.attempt(under, run) : run()));
    const opening = this.opened.get();
    if (opening && under.begun) opening.due = false;
    for (const then of under.then) then();
    return done;
  }

  /** Runs `work` in the transaction `under`, after what that begins with. */
  private async begun<T>(under: Under, work: () => Promise<T>): Promise<T> {
    const opening = this.opened.get();
    if (!under.begun) {
      under.begun = true;
      // another one of the same work may have happened since the last attempt
      if (opening?.due) await opening.first();
    }
    return work();
  }

  private attempt<T>(under: Under, work: () => Promise<T>): Promise<T> {
    return attempted(this.connection, (session) => {
      under.session = session;
      // what an attempt before wished for was undone with it
      under.then = [];
      under.begun = false;
      return work();
    });
  }

  private async command(command: Record<string, unknown>): Promise<Record<string, unknown>> {
    if (!this.connection.db) throw new Error('The database is not connected');
    return this.connection.db.command(command);
  }
}

/** What `cursor` finds, by batches: its own way to a list makes a dozen promises more, and promises are what a query costs most. */
async function allOf<T>(cursor: mongo.FindCursor<T>): Promise<T[]> {
  const found: T[] = [];
  while (!cursor.closed && (await cursor.hasNext())) {
    for (const record of cursor.readBufferedDocuments()) found.push(record);
  }
  return found;
}
