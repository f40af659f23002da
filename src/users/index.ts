export type { User } from './user.schema.js';
export { toUser, UserView } from './user.view.js';
export { UsersModule } from './users.module.js';
export { type NewUser, UsersService } from './users.service.js';
