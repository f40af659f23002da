import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SpacePurge } from '../spaces/index.js';
import { ChangeRequestsService } from './change-requests.service.js';
import { MergeRulesService } from './merge-rules.service.js';
import { ReviewsService } from './reviews.service.js';

/** Removes the change requests of a space, their reviews and its merge rules, with the space. */
@Injectable()
export class ChangeRequestsPurge implements OnModuleInit {
  constructor(
    private readonly purge: SpacePurge,
    private readonly changeRequests: ChangeRequestsService,
    private readonly reviews: ReviewsService,
    private readonly rules: MergeRulesService,
  ) {}

  /** Takes part in every purge. */
  onModuleInit(): void {
    this.purge.add((space, limit) => this.reviews.removeOf(space, limit));
    this.purge.add((space, limit) => this.changeRequests.removeOf(space, limit));
    this.purge.add((space) => this.rules.removeOf(space));
  }
}
