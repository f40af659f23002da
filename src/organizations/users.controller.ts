import { Body, Controller, Get, NotFoundException, Param, Patch, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, ForVisitors, isVisitor } from '../auth/index.js';
import { Fails } from '../common/fails.js';
import { Urls } from '../common/urls.js';
import { toUser, UsersService, UserView } from '../users/index.js';
import { UpdateUserDto } from './dto/update-user.dto.js';
import { MembersService } from './members.service.js';
import { SelfGuard } from './self.guard.js';

@ApiTags('accounts')
@Controller('v1/users')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly urls: Urls,
  ) {}

  /** Read a person; the e-mail address is shown to fellow members, visitors of a site see the members behind it. */
  @Get(':userId')
  @ForVisitors()
  async getUserById(@CurrentCaller() caller: Caller, @Param('userId') userId: string): Promise<UserView> {
    if (isVisitor(caller) && !(await this.members.find(caller.organization, userId))) {
      throw new NotFoundException('User not found');
    }
    const user = await this.users.get(userId);
    return toUser(user, this.urls, !isVisitor(caller) && (await this.members.areFellows(caller.user, userId)));
  }

  /** Update yourself. */
  @Patch(':userId')
  @Fails(403)
  @UseGuards(SelfGuard)
  async updateUserById(@Param('userId') userId: string, @Body() body: UpdateUserDto): Promise<UserView> {
    const empty = Object.keys(body).length === 0;
    const user = empty ? await this.users.get(userId) : await this.users.update(userId, body);
    return toUser(user, this.urls, true);
  }
}
