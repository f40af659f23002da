import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SpacePurge } from '../spaces/index.js';
import { CommentsService } from './comments.service.js';
import { ReactionsService } from './reactions.service.js';
import { RepliesService } from './replies.service.js';

/** Removes what is said about a space, with the space. */
@Injectable()
export class CommentsPurge implements OnModuleInit {
  constructor(
    private readonly purge: SpacePurge,
    private readonly comments: CommentsService,
    private readonly replies: RepliesService,
    private readonly reactions: ReactionsService,
  ) {}

  /** Takes part in every purge. */
  onModuleInit(): void {
    this.purge.add((space, limit) => this.comments.removeOf(space, limit));
    this.purge.add((space, limit) => this.replies.removeOf(space, limit));
    this.purge.add((space, limit) => this.reactions.removeOf(space, limit));
  }
}
