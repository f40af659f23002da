import { Injectable } from '@nestjs/common';
import { Urls } from '../common/urls.js';
import { toUser, UsersService, type UserView } from '../users/index.js';
import { MembersService } from './members.service.js';

/** People as others see them, for whole lists at once. */
@Injectable()
export class PeopleService {
  constructor(
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly urls: Urls,
  ) {}

  /**
   * The people `ids` as `viewer` sees them, by id, without those whose accounts are gone: e-mail addresses are told of
   * oneself and of fellow members (decision 3.1). Three reads at most, however many people there are.
   */
  async seenBy(viewer: string, ids: readonly string[]): Promise<Map<string, UserView>> {
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return new Map();
    const users = await this.users.getMany(wanted);
    const fellows = await this.members.fellowsOf(viewer, [...users.keys()]);
    return new Map([...users].map(([id, user]) => [id, toUser(user, this.urls, fellows.has(id))]));
  }
}
