export { type Actor, actorOf, CurrentActor } from './actor.js';
export { Open } from './auth.guard.js';
export { AuthModule } from './auth.module.js';
export { type Admission, Invitations, SignInRules } from './questions.js';
export { SignIn } from './rate-limit.guard.js';
export { RateLimits } from './rate-limits.js';
export { TokensService } from './tokens.service.js';
export { SessionView } from './session.view.js';
