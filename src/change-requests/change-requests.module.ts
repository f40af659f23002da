import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../audit/index.js';
import { ContentModule } from '../content/index.js';
import { keeps } from '../database/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { RevisionsModule } from '../revisions/index.js';
import { SpacesModule } from '../spaces/index.js';
import { UsersModule } from '../users/index.js';
import { ChangeRequestAnswers } from './change-request.answers.js';
import { CHANGE_REQUEST_RECORDS } from './change-request.records.js';
import { ChangeRequest, ChangeRequestSchema } from './change-request.schema.js';
import { ChangeRequestsController } from './change-requests.controller.js';
import { ChangeRequestsInvariants } from './change-requests.invariants.js';
import { ChangeRequestsPurge } from './change-requests.purge.js';
import { ChangeRequestsService } from './change-requests.service.js';
import { contentControllers, contentProviders } from './content/index.js';
import { MergeabilityService } from './mergeability.service.js';
import { MergeRulesController } from './merge-rules.controller.js';
import { MergeRuleSet, MergeRuleSetSchema } from './merge-rules.schema.js';
import { MergeRulesService } from './merge-rules.service.js';
import { RequestedReviewersController } from './requested-reviewers.controller.js';
import { RequestedReviewersService } from './requested-reviewers.service.js';
import { Review, ReviewSchema } from './review.schema.js';
import { ReviewsService } from './reviews.service.js';

/** Change requests: states, reviews, merge rules, and their content. */
@Module({
  imports: [
    AuditModule,
    UsersModule,
    OrganizationsModule,
    RevisionsModule,
    SpacesModule,
    ContentModule,
    MongooseModule.forFeature([
      { name: ChangeRequest.name, schema: ChangeRequestSchema },
      { name: Review.name, schema: ReviewSchema },
      { name: MergeRuleSet.name, schema: MergeRuleSetSchema },
    ]),
  ],
  controllers: [ChangeRequestsController, RequestedReviewersController, MergeRulesController, ...contentControllers],
  providers: [
    keeps(CHANGE_REQUEST_RECORDS),
    ChangeRequestsService,
    ChangeRequestAnswers,
    RequestedReviewersService,
    ReviewsService,
    MergeRulesService,
    MergeabilityService,
    ChangeRequestsPurge,
    ChangeRequestsInvariants,
    ...contentProviders,
  ],
  exports: [ChangeRequestsService, ReviewsService],
})
export class ChangeRequestsModule {}
