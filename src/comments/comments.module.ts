import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../audit/index.js';
import { ChangeRequestsModule } from '../change-requests/index.js';
import { ContentModule } from '../content/index.js';
import { keeps } from '../database/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { RevisionsModule } from '../revisions/index.js';
import { SpacesModule } from '../spaces/index.js';
import { ChangeRequestCommentsController } from './change-request-comments.controller.js';
import { ChangeRequestRepliesController } from './change-request-replies.controller.js';
import { CommentAnswers } from './comment.answers.js';
import { CommentBodies } from './comment-bodies.js';
import { CommentShapes } from './comment-shapes.js';
import { CommentTargets } from './comment-targets.js';
import { COMMENT_RECORDS } from './comment.records.js';
import { Comment, CommentSchema } from './comment.schema.js';
import { CommentsPurge } from './comments-purge.js';
import { CommentsInvariants } from './comments.invariants.js';
import { CommentsService } from './comments.service.js';
import { Reaction, ReactionSchema } from './reaction.schema.js';
import { ReactionsInvariants } from './reactions.invariants.js';
import { ReactionsService } from './reactions.service.js';
import { RepliesService } from './replies.service.js';
import { ReplyAnswers } from './reply.answers.js';
import { CommentReply, CommentReplySchema } from './reply.schema.js';
import { ReviewAnswers } from './review.answers.js';
import { ReviewsController } from './reviews.controller.js';
import { SpaceCommentsController } from './space-comments.controller.js';
import { SpaceRepliesController } from './space-replies.controller.js';

/** What people say about content: comments and replies on spaces and change requests, and reviews, which carry comments. */
@Module({
  imports: [
    AuditModule,
    OrganizationsModule,
    RevisionsModule,
    SpacesModule,
    ContentModule,
    ChangeRequestsModule,
    MongooseModule.forFeature([
      { name: Comment.name, schema: CommentSchema },
      { name: CommentReply.name, schema: CommentReplySchema },
      { name: Reaction.name, schema: ReactionSchema },
    ]),
  ],
  controllers: [
    SpaceCommentsController,
    SpaceRepliesController,
    ChangeRequestCommentsController,
    ChangeRequestRepliesController,
    ReviewsController,
  ],
  providers: [
    keeps(COMMENT_RECORDS),
    CommentsService,
    RepliesService,
    ReactionsService,
    CommentTargets,
    CommentBodies,
    CommentShapes,
    CommentAnswers,
    ReplyAnswers,
    ReviewAnswers,
    CommentsPurge,
    CommentsInvariants,
    ReactionsInvariants,
  ],
  exports: [CommentsService, RepliesService],
})
export class CommentsModule {}
