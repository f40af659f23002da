import { Injectable } from '@nestjs/common';
import { Answers } from '../common/answers.js';
import type { Page } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
import { toUser, UsersService } from '../users/index.js';
import type { Member } from './member.schema.js';
import { type MemberView, toMember } from './member.view.js';
import { organizationPermissions } from './organization.policy.js';
import { MemberSpaces } from './questions.js';

/** Members as the API returns them, for whole lists at once. */
@Injectable()
export class MemberAnswers {
  private readonly spaces: () => MemberSpaces;

  constructor(
    answers: Answers,
    private readonly users: UsersService,
    private readonly urls: Urls,
  ) {
    this.spaces = answers.ask(MemberSpaces);
  }

  /** `members` of one organization as `viewer`, a member of it, sees them, in their order. */
  async of(viewer: Member, members: readonly Member[]): Promise<MemberView[]> {
    if (members.length === 0) return [];
    const users = await this.users.getMany(members.map(({ user }) => user));
    const spaces = await this.spaces().count(viewer.organization, members);
    const { listMembers } = organizationPermissions(viewer);
    return members.map((member) => {
      const user = users.get(member.user);
      // a guest does not see the other members (decision 3.1)
      const shown = user && toUser(user, this.urls, listMembers || user._id === viewer.user);
      return toMember(member, shown, spaces.get(member.user) ?? 0);
    });
  }

  /** One member, as {@link of}. */
  async one(viewer: Member, member: Member): Promise<MemberView> {
    const [view] = await this.of(viewer, [member]);
    if (!view) throw new Error('The member was not shown');
    return view;
  }

  /** A page of members, as {@link of}. */
  async page(viewer: Member, page: Page<Member>): Promise<Page<MemberView>> {
    return { ...page, items: await this.of(viewer, page.items) };
  }
}
