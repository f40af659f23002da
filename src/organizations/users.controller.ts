import { Body, Controller, ForbiddenException, Get, Param, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../auth/index.js';
import { Urls } from '../common/urls.js';
import { toUser, UsersService, UserView } from '../users/index.js';
import { UpdateUserDto } from './dto/update-user.dto.js';
import { MembersService } from './members.service.js';

@ApiTags('accounts')
@Controller('v1/users')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly urls: Urls,
  ) {}

  /** Read a person; the e-mail address is shown to fellow members. */
  @Get(':userId')
  async getUserById(@CurrentActor() actor: Actor, @Param('userId') userId: string): Promise<UserView> {
    const user = await this.users.get(userId);
    return toUser(user, this.urls, await this.members.areFellows(actor.user, userId));
  }

  /** Update yourself. */
  @Patch(':userId')
  async updateUserById(
    @CurrentActor() actor: Actor,
    @Param('userId') userId: string,
    @Body() body: UpdateUserDto,
  ): Promise<UserView> {
    const user = await this.users.get(userId);
    if (user._id !== actor.user) throw new ForbiddenException('You may update yourself only');
    const changed = Object.keys(body).length > 0 ? await this.users.update(userId, body) : user;
    return toUser(changed, this.urls, true);
  }
}
