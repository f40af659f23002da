import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { MongooseModule } from '@nestjs/mongoose';
import { keeps } from '../database/index.js';
import { IdempotencyKey, IdempotencyKeySchema } from './idempotency-key.schema.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IDEMPOTENCY_RECORDS } from './idempotency.records.js';
import { Idempotency } from './idempotency.service.js';

/** Requests that may be sent again without being carried out again; no routes. */
@Module({
  imports: [MongooseModule.forFeature([{ name: IdempotencyKey.name, schema: IdempotencyKeySchema }])],
  providers: [keeps(IDEMPOTENCY_RECORDS), Idempotency, { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor }],
})
export class IdempotencyModule {}
