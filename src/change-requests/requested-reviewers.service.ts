import {
  BadRequestException,
  ConflictException,
  Injectable,
  NotFoundException,
  type OnModuleInit,
} from '@nestjs/common';
import { DomainEvents } from '../common/domain-events.js';
import { isId } from '../common/ids.js';
import { Database } from '../database/index.js';
import { type Space, spacePermissions, SpacesService } from '../spaces/index.js';
import { MembersService } from '../organizations/index.js';
import { type ChangeRequest, MAX_REQUESTED, type RequestedReviewer } from './change-request.schema.js';
import { ChangeRequestsService } from './change-requests.service.js';

/** Who is asked for a review, and by whom. */
export interface ReviewersAsked {
  users: readonly string[];
  requestedBy: string;
  /** A new subject of the change request. */
  subject?: string;
}

/** Requests for reviews (decision 5.41). */
@Injectable()
export class RequestedReviewersService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly members: MembersService,
    private readonly spaces: SpacesService,
    private readonly changeRequests: ChangeRequestsService,
    private readonly events: DomainEvents,
  ) {}

  /** Nobody who has left is waited for. */
  onModuleInit(): void {
    this.events.on('member.removed', ({ organization, user }) =>
      this.changeRequests.dropReviewRequests(organization, user),
    );
  }

  /**
   * Asks people for a review of what the change request holds now; who was asked before is asked again. A draft becomes
   * open, also when nobody is named.
   *
   * @returns The requests that were made.
   * @throws BadRequestException naming who may not review in the space, ConflictException when the change request is
   * archived or merged, or would have more requests than there may be.
   */
  async ask({ _id }: ChangeRequest, space: Space, asked: ReviewersAsked): Promise<RequestedReviewer[]> {
    const users = [...new Set(asked.users)];
    await this.requireReviewers(space, users);
    const { subject, requestedBy } = asked;
    return this.database.transaction(async () => {
      const present = await this.changeRequests.get(_id);
      const { status, revision } = present;
      if (status === 'archived' || status === 'merged') {
        throw new ConflictException(`The change request is ${status}: nobody can be asked to review it`);
      }
      const requests = users.map((user) => ({ user, requestedBy, revision, createdAt: new Date() }));
      const requestedReviewers = [...without(present, users), ...requests];
      if (requestedReviewers.length > MAX_REQUESTED) {
        throw new ConflictException(`At most ${String(MAX_REQUESTED)} people can be asked at a time`);
      }
      const fields = {
        requestedReviewers,
        ...(status === 'draft' && { status: 'open' as const }),
        ...(subject !== undefined && subject !== present.subject && { subject }),
      };
      await this.changeRequests.set(present, fields, 'change-request.request-reviews');
      return requests;
    });
  }

  /** Takes back the request for a review of `user`. @throws NotFoundException when they are not asked. */
  async remove({ _id }: ChangeRequest, user: string): Promise<void> {
    await this.database.transaction(async () => {
      const present = await this.changeRequests.get(_id);
      const requestedReviewers = without(present, [user]);
      if (requestedReviewers.length === present.requestedReviewers.length) {
        throw new NotFoundException('Requested reviewer not found');
      }
      await this.changeRequests.set(present, { requestedReviewers }, 'change-request.withdraw-request');
    });
  }

  /** @throws BadRequestException naming those of `users` who may not review in `space`. Three reads at most. */
  private async requireReviewers(space: Space, users: readonly string[]): Promise<void> {
    const members = await this.members.findMany(space.organization, users.filter(isId));
    const roles = await this.spaces.rolesOf(space, [...members.values()]);
    const others = users.filter((user) => !spacePermissions(roles.get(user) ?? null, space).review);
    if (others.length === 0) return;
    throw new BadRequestException(`users names who may not review in this space: ${others.join(', ')}`);
  }
}

const without = ({ requestedReviewers }: ChangeRequest, users: readonly string[]): RequestedReviewer[] =>
  requestedReviewers.filter(({ user }) => !users.includes(user));
