import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuthModule } from '../auth/index.js';
import { UsersModule } from '../users/index.js';
import { Member, MemberSchema } from './member.schema.js';
import { MembersService } from './members.service.js';
import { Hostname, HostnameSchema, Organization, OrganizationSchema } from './organization.schema.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsService } from './organizations.service.js';
import { PeopleService } from './people.service.js';
import { UsersController } from './users.controller.js';

/** Organizations, who belongs to them, and what members see of each other. */
@Module({
  imports: [
    AuthModule,
    UsersModule,
    MongooseModule.forFeature([
      { name: Organization.name, schema: OrganizationSchema },
      { name: Hostname.name, schema: HostnameSchema },
      { name: Member.name, schema: MemberSchema },
    ]),
  ],
  controllers: [OrganizationsController, UsersController],
  providers: [OrganizationsService, MembersService, PeopleService],
  exports: [OrganizationsService, MembersService, PeopleService],
})
export class OrganizationsModule {}
