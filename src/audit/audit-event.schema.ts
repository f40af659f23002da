import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';
import { AUDIT_ACTIONS, type AuditAction } from './actions.js';
import type { Changes } from './changes.js';

/** What something was done to. */
@Schema({ _id: false })
export class AuditedResource {
  /** Its kind, as its `object` in answers says it. */
  @Prop({ type: String, required: true }) object!: string;
  @Prop({ type: String, required: true }) id!: string;
}

/** That somebody did something, written with the change itself. Never changed. */
// empty changes are changes too
@Schema({ collection: 'audit_events', versionKey: false, minimize: false })
export class AuditEvent {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) organization!: string;
  @Prop({ type: Date, required: true }) at!: Date;
  /** Id of the person; `null`: the service itself. */
  @Prop({ type: String, default: null }) actor!: string | null;
  @Prop({ type: String, enum: AUDIT_ACTIONS, required: true }) action!: AuditAction;
  @Prop({ type: SchemaFactory.createForClass(AuditedResource), required: true }) resource!: AuditedResource;
  @Prop({ type: Object, default: {} }) changes!: Changes;
}

export const AuditEventSchema = SchemaFactory.createForClass(AuditEvent);
AuditEventSchema.index({ organization: 1, at: -1, _id: -1 }); // list()
AuditEventSchema.index({ organization: 1, actor: 1, at: -1, _id: -1 }); // list() of an actor
AuditEventSchema.index({ organization: 1, action: 1, at: -1, _id: -1 }); // list() of an action
AuditEventSchema.index({ organization: 1, 'resource.id': 1, at: -1, _id: -1 }); // list() of a resource
AuditEventSchema.index({ at: 1 }); // removeBefore()
