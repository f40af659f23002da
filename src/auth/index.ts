export { type Actor, actorOf, CurrentActor } from './actor.js';
export { Open } from './auth.guard.js';
export { AuthModule } from './auth.module.js';
export { TokensService } from './tokens.service.js';
