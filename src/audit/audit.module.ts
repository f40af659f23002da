import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { keeps } from '../database/index.js';
import { AuditEvent, AuditEventSchema } from './audit-event.schema.js';
import { AUDIT_RECORDS } from './audit.records.js';
import { Audit } from './audit.service.js';

/** The record of who did what, its writer and its reader; no routes. */
@Module({
  imports: [MongooseModule.forFeature([{ name: AuditEvent.name, schema: AuditEventSchema }])],
  providers: [keeps(AUDIT_RECORDS), Audit],
  exports: [Audit],
})
export class AuditModule {}
