import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditEvent, AuditEventSchema } from './audit-event.schema.js';
import { Audit } from './audit.service.js';

/** The record of who did what, its writer and its reader; no routes. */
@Module({
  imports: [MongooseModule.forFeature([{ name: AuditEvent.name, schema: AuditEventSchema }])],
  providers: [Audit],
  exports: [Audit],
})
export class AuditModule {}
