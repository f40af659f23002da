import { type DynamicModule, Global, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import type { ConnectOptions } from 'mongoose';
import { Answers } from '../common/answers.js';
import { DomainEvents } from '../common/domain-events.js';
import { failOnBrokenConnections } from './broken-connections.js';
import { carrySessions } from './carried-sessions.js';
import { Database } from './database.js';
import { Invariants } from './invariants.js';
import { OrganizationRecords, Restorations } from './one-organization/index.js';
import { SealedRecords } from './sealed-records.js';

carrySessions();
failOnBrokenConnections();

/**
 * How long a service waits for a database of its own process or machine, in ms. A database that says nothing is noticed within
 * nine seconds, and whatever was asked of it fails then; what is asked while it is away fails after four. One operation, where nothing
 * but its own connection is broken, takes no longer than twenty.
 */
export const PATIENCE_WITH_SERVERS: ConnectOptions = {
  heartbeatFrequencyMS: 5000,
  connectTimeoutMS: 4000,
  socketTimeoutMS: 20_000,
};

/**
 * Connects to the database and gives every module {@link Database}, {@link Invariants}, {@link SealedRecords},
 * {@link OrganizationRecords}, {@link DomainEvents} and {@link Answers}.
 */
@Global()
@Module({})
export class DatabaseModule {
  /**
   * @param uri Address of a MongoDB or of the embedded engine; the database `colophon` unless the address names one.
   * @param options Further options of the connection.
   */
  static of(uri: string, options: ConnectOptions = {}): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        MongooseModule.forRoot(uri, {
          ...(!namesDatabase(uri) && { dbName: 'colophon' }),
          autoIndex: false,
          autoCreate: false,
          bufferCommands: false,
          serverSelectionTimeoutMS: 4000,
          waitQueueTimeoutMS: 10_000,
          maxPoolSize: 50,
          // the driver would ask for the end of a transaction again by itself, and not tell: see `attempted`
          maxAdaptiveRetries: 0,
          retryAttempts: 1,
          ...options,
        }),
      ],
      providers: [Database, Invariants, SealedRecords, OrganizationRecords, Restorations, DomainEvents, Answers],
      exports: [Database, Invariants, SealedRecords, OrganizationRecords, Restorations, DomainEvents, Answers],
    };
  }
}

const namesDatabase = (uri: string): boolean => /^[a-z+]+:\/\/[^/]+\/[^?/]+/.test(uri);
