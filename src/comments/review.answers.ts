import { Injectable } from '@nestjs/common';
import { type ChangeRequest, type Review, ReviewsService } from '../change-requests/index.js';
import { newId } from '../common/ids.js';
import { mapPage, type Page } from '../common/page.dto.js';
import { PeopleService } from '../organizations/index.js';
import { CommentBodies } from './comment-bodies.js';
import { CommentShapes, type Format } from './comment-shapes.js';
import { commentPermissions } from './comment.policy.js';
import { CommentsService } from './comments.service.js';
import type { ReviewsQuery, SubmitReviewDto } from './dto/review.dto.js';
import type { Discussion } from './place.js';
import { type ReviewPage, type ReviewView, toReview } from './review.view.js';
import { LIST_WEIGHT } from './written.js';

/** What the operations on reviews answer. That the viewer may see them, or give one, is for the caller to have seen. */
@Injectable()
export class ReviewAnswers {
  constructor(
    private readonly reviews: ReviewsService,
    private readonly comments: CommentsService,
    private readonly bodies: CommentBodies,
    private readonly shapes: CommentShapes,
    private readonly people: PeopleService,
  ) {}

  /** One page of the reviews of a change request, newest first; it ends early where their comments are long. */
  async list(discussion: Discussion, of: ChangeRequest, { format, ...query }: ReviewsQuery): Promise<ReviewPage> {
    const page = await this.reviews.list(of, query);
    const limit = await this.fitting(page.items, discussion);
    return this.shape(
      limit < page.items.length ? await this.reviews.list(of, { ...query, limit }) : page,
      discussion,
      format,
    );
  }

  /** Reviews what the change request holds now; the comment is written with it, or neither is. */
  async submit(
    discussion: Discussion,
    changeRequest: ChangeRequest,
    { status, comment }: SubmitReviewDto,
  ): Promise<ReviewView> {
    const body = comment && this.bodies.keep(comment, 'comment');
    const reviewer = discussion.viewer.user;
    const commentId = newId();
    return this.comments.inTurn(discussion, async () => {
      const given = { reviewer, status, ...(body && { comment: commentId }) };
      const made = await this.reviews.create(changeRequest, given);
      if (body) {
        const about = { page: null, node: null, revision: made.revision };
        await this.comments.insert(discussion, {
          ...about,
          _id: commentId,
          body,
          postedBy: reviewer,
          review: made._id,
        });
      }
      const [view] = (await this.shape({ count: 1, items: [made] }, discussion)).items;
      if (!view) throw new Error('The review was not shaped');
      return view;
    });
  }

  /** How many of `reviews`, from the first on, have comments that are not too much together; 1 at least, if there are any. */
  private async fitting(reviews: readonly Review[], discussion: Discussion): Promise<number> {
    const sizes = await this.comments.sizesOf(
      discussion,
      reviews.flatMap(({ comment }) => comment ?? []),
    );
    let sum = 0;
    const tooMuch = reviews.findIndex(({ comment }) => (sum += sizes.get(comment ?? '') ?? 0) > LIST_WEIGHT.most);
    return tooMuch < 0 ? reviews.length : Math.max(1, tooMuch);
  }

  private async shape(page: Page<Review>, discussion: Discussion, format?: Format): Promise<Page<ReviewView>> {
    const ids = page.items.flatMap(({ reviewer, requestedBy }) => [reviewer, ...(requestedBy ? [requestedBy] : [])]);
    const people = await this.people.seenBy(discussion.viewer.user, ids);
    // who may read the content may not yet read what is said about it
    const mayRead = commentPermissions({ postedBy: '' }, discussion.viewer).view;
    const commented = await this.comments.getMany(
      discussion,
      mayRead ? page.items.flatMap(({ comment }) => comment ?? []) : [],
    );
    const list = { count: commented.size, items: [...commented.values()] };
    const { items } = await this.shapes.comments(list, discussion, format);
    const comments = new Map(items.map((comment) => [comment.id, comment]));
    return mapPage(page, (review) => toReview(review, { people, comments }));
  }
}
