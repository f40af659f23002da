import { OmitType } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { Optional, Text } from '../../common/validation.js';
import type { GivenBody } from '../comment-body.js';
import { CommentBody, Reactions } from './comment-fields.dto.js';

/** Body of a reply. */
export class PostCommentReplyDto {
  /** The text. */
  @CommentBody()
  body!: GivenBody;
}

/** Body of a comment. */
export class PostCommentDto extends PostCommentReplyDto {
  /** Id of the page that it is about. */
  @Optional()
  @Text(1, 64)
  page?: string;

  /** Key of the block that it is about, in the tree of nodes of the page; takes `page` too. */
  @Optional()
  @Text(1, 200)
  node?: string;
}

/** Changes of a comment; an absent field is left as it is. */
export class UpdateCommentDto {
  /** `true` resolves the comment, `false` opens it again; for its author, and for who edits the space. */
  @Optional()
  @IsBoolean({ message: 'resolved must be true or false' })
  resolved?: boolean;

  /** A new text; for the author alone. */
  @Optional()
  @CommentBody()
  body?: GivenBody;

  /** Emoji to react with; those that you reacted with already stay. */
  @Optional()
  @Reactions()
  addedReactions?: string[];

  /** Emoji to take back; after the others were added. */
  @Optional()
  @Reactions()
  removedReactions?: string[];
}

/** Changes of a reply; an absent field is left as it is. */
export class UpdateCommentReplyDto extends OmitType(UpdateCommentDto, ['resolved']) {}
