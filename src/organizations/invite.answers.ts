import { Injectable } from '@nestjs/common';
import { Answers } from '../common/answers.js';
import type { Page } from '../common/page.dto.js';
import { type InviteView, toInvite } from './invite.view.js';
import type { LinkInvite } from './link-invite.schema.js';
import type { Member } from './member.schema.js';
import { InvitedSpaces } from './questions.js';

/** Links as the API returns them, for whole lists at once. */
@Injectable()
export class InviteAnswers {
  private readonly spaces: () => InvitedSpaces;

  constructor(answers: Answers) {
    this.spaces = answers.ask(InvitedSpaces);
  }

  /** `links` of `organization` as somebody with the membership `viewer` sees them (`null`: a stranger), in their order. */
  async of(organization: string, links: readonly LinkInvite[], viewer: Member | null): Promise<InviteView[]> {
    const ids = [...new Set(links.flatMap(({ space }) => (space === null ? [] : [space])))];
    const spaces = ids.length === 0 ? undefined : await this.spaces().see(organization, ids, viewer);
    return links.map((link) => toInvite(link, viewer, link.space === null ? undefined : spaces?.get(link.space)));
  }

  /** One link, as {@link of}. */
  async one(link: LinkInvite, viewer: Member | null): Promise<InviteView> {
    const [view] = await this.of(link.organization, [link], viewer);
    if (!view) throw new Error('The link was not shown');
    return view;
  }

  /** A page of links, as {@link of}. */
  async page(organization: string, page: Page<LinkInvite>, viewer: Member | null): Promise<Page<InviteView>> {
    return { ...page, items: await this.of(organization, page.items, viewer) };
  }
}
