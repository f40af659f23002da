import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Role, ROLES } from '../common/roles.js';

/** A default level: a role, `null` for nobody, or `inherit` for what the level above says. */
export const DEFAULT_LEVELS = [...ROLES, 'inherit', null] as const;
export type DefaultLevel = (typeof DEFAULT_LEVELS)[number];

/** People and teams with an entry of their own in one space or collection, at the most of each. */
export const MAX_GRANTS = 1000;

/** An entry of a person or a team; the role `null` is an entry without access. */
@Schema({ _id: false })
export class Grant {
  /** Id of the user or of the team. */
  @Prop({ type: String, required: true }) subject!: string;
  @Prop({ type: String, enum: [...ROLES, null], default: null }) role!: Role | null;
  @Prop({ type: Date, required: true }) createdAt!: Date;
}

export const GrantSchema = SchemaFactory.createForClass(Grant);
