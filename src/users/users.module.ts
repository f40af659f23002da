import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { keeps } from '../database/index.js';
import { USER_RECORDS } from './user.records.js';
import { User, UserSchema } from './user.schema.js';
import { UsersService } from './users.service.js';

/** People. */
@Module({
  imports: [MongooseModule.forFeature([{ name: User.name, schema: UserSchema }])],
  providers: [keeps(USER_RECORDS), UsersService],
  exports: [UsersService],
})
export class UsersModule {}
