import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Answers } from '../../common/answers.js';
import { ChangeRequestViews, type ChangeRequestView } from '../../content/index.js';
import type { Space } from '../../spaces/index.js';
import { ChangeRequestAnswers } from '../change-request.answers.js';
import { ChangeRequestsService } from '../change-requests.service.js';

/** Tells content what the change requests look like that it shows. */
@Injectable()
export class MergedChangeRequests implements ChangeRequestViews, OnModuleInit {
  constructor(
    private readonly questions: Answers,
    private readonly changeRequests: ChangeRequestsService,
    private readonly answers: ChangeRequestAnswers,
  ) {}

  onModuleInit(): void {
    this.questions.give(ChangeRequestViews, this);
  }

  async views(
    space: Pick<Space, '_id' | 'revision'>,
    ids: readonly string[],
    user: string,
  ): Promise<Map<string, ChangeRequestView>> {
    const found = [...(await this.changeRequests.findMany(ids)).values()].filter((one) => one.space === space._id);
    const { items } = await this.answers.page({ count: found.length, items: found }, { space, user });
    return new Map(items.map((view) => [view.id, view]));
  }
}
