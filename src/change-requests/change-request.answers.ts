import { Injectable } from '@nestjs/common';
import { mapPage, type Page } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
import type { ChangeRequestView } from '../content/index.js';
import { PeopleService } from '../organizations/index.js';
import type { Space } from '../spaces/index.js';
import type { ChangeRequest, Contributor, RequestedReviewer } from './change-request.schema.js';
import {
  type ContributorView,
  type RequestedReviewerView,
  toChangeRequest,
  toContributor,
  toRequestedReviewer,
} from './change-request.view.js';

/** Who is answered, and in which space. */
export interface Viewer {
  space: Pick<Space, '_id' | 'revision'>;
  user: string;
}

/** What of change requests answers show. The people in a list are read at once. */
@Injectable()
export class ChangeRequestAnswers {
  constructor(
    private readonly people: PeopleService,
    private readonly urls: Urls,
  ) {}

  /** A change request of the viewer's space. */
  async one(changeRequest: ChangeRequest, { space, user }: Viewer): Promise<ChangeRequestView> {
    return (await this.ahead(changeRequest, user))(changeRequest, space);
  }

  /**
   * What answers a change request that `createdBy` made, to `user`. What it takes is read now: so what is changed then is not
   * followed by a read that may fail.
   */
  async ahead(
    { createdBy }: Pick<ChangeRequest, 'createdBy'>,
    user: string,
  ): Promise<(changeRequest: ChangeRequest, space: Viewer['space']) => ChangeRequestView> {
    const people = await this.people.seenBy(user, [createdBy]);
    return (changeRequest, space) => toChangeRequest(changeRequest, { space, people, urls: this.urls });
  }

  /** A page of the change requests of the viewer's space. */
  async page(page: Page<ChangeRequest>, viewer: Viewer): Promise<Page<ChangeRequestView>> {
    const makers = page.items.map(({ createdBy }) => createdBy);
    const people = await this.people.seenBy(viewer.user, makers);
    return mapPage(page, (one) => toChangeRequest(one, { space: viewer.space, people, urls: this.urls }));
  }

  /** A page of contributors. */
  async contributors(page: Page<Contributor>, viewer: Viewer): Promise<Page<ContributorView>> {
    const users = page.items.map(({ user }) => user);
    const people = await this.people.seenBy(viewer.user, users);
    return mapPage(page, (one) => toContributor(one, people));
  }

  /** Requests for a review. */
  async requests(requests: readonly RequestedReviewer[], viewer: Viewer): Promise<RequestedReviewerView[]> {
    const users = requests.flatMap(({ user, requestedBy }) => [user, requestedBy]);
    const people = await this.people.seenBy(viewer.user, users);
    return requests.map((request) => toRequestedReviewer(request, people));
  }
}
