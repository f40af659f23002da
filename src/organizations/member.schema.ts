import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Role, ROLES } from '../common/roles.js';

export const TEAM_ROLES = ['owner', 'member'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/** That a member belongs to a team. */
@Schema({ _id: false })
export class TeamMembership {
  @Prop({ type: String, required: true }) team!: string;
  @Prop({ type: String, enum: TEAM_ROLES, required: true }) role!: TeamRole;
}

/** That somebody belongs to an organization, and what everything that decides about access needs to know of it. */
@Schema({ collection: 'members', timestamps: true, versionKey: false })
export class Member {
  /** See {@link memberId}: one membership for each person and organization, found without an index of its own. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: String, required: true }) organization!: string;
  @Prop({ type: String, required: true }) user!: string;
  /** `null`: a guest, who sees only what was shared with them. */
  @Prop({ type: String, enum: [...ROLES, null], default: null }) role!: Role | null;
  /** A disabled member is treated as none. */
  @Prop({ type: Boolean, default: false }) disabled!: boolean;
  /** Whether the identity provider of the organization is trusted for this person. */
  @Prop({ type: Boolean, default: false }) sso!: boolean;
  /** Whether others made them a member, and they have not been there since; absent: no. */
  @Prop({ type: Boolean }) unasked?: boolean;
  /** Raised by whatever is made to last as long as the membership, so that it meets its end. */
  @Prop({ type: Number, default: 0 }) holds!: number;
  /** Kept by the teams. */
  @Prop({ type: [SchemaFactory.createForClass(TeamMembership)], default: [] }) teams!: TeamMembership[];
  @Prop({ type: Date, required: true }) joinedAt!: Date;
  @Prop({ type: Date, default: null }) lastSeenAt!: Date | null;
  /** Display name of the person as `fold` leaves it, for searching; kept in step with the person. */
  @Prop({ type: String, default: '' }) name!: string;
  /** E-mail address of the person, the same way. */
  @Prop({ type: String, default: '' }) email!: string;
  createdAt!: Date;
  updatedAt!: Date;
}

export const MemberSchema = SchemaFactory.createForClass(Member);
MemberSchema.index({ user: 1, disabled: 1 }); // organizationsOf()
MemberSchema.index({ organization: 1, joinedAt: -1, _id: -1 }); // lists of members
MemberSchema.index({ organization: 1, role: 1, joinedAt: -1, _id: -1 }); // those with a role; other administrators
MemberSchema.index({ organization: 1, lastSeenAt: -1, _id: -1 }); // those who were seen
MemberSchema.index({ organization: 1, role: 1, lastSeenAt: -1, _id: -1 }); // those of a role who were seen
MemberSchema.index({ 'teams.team': 1, joinedAt: -1, _id: -1 }); // members of a team, their number, its end

/** The id of the membership of `user` in `organization`. */
export const memberId = (organization: string, user: string): string => `${organization}:${user}`;
