import { Module } from '@nestjs/common';
import { Outbound } from './outbound.js';

/** Fetches foreign addresses. */
@Module({ providers: [Outbound], exports: [Outbound] })
export class OutboundModule {}
