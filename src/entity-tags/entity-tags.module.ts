import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { EntityTagsInterceptor } from './entity-tags.interceptor.js';
import { Representations } from './representations.js';

/** Tells whether something is still what somebody has read; no routes. */
@Module({
  providers: [Representations, { provide: APP_INTERCEPTOR, useClass: EntityTagsInterceptor }],
})
export class EntityTagsModule {}
