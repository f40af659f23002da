export { CommentsModule } from './comments.module.js';
export type { Comment } from './comment.schema.js';
export { type CommentsFilter, CommentsService } from './comments.service.js';
export { RepliesService } from './replies.service.js';
