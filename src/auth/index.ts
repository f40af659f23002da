export {
  type Actor,
  actorOf,
  type Caller,
  callerOf,
  CurrentActor,
  CurrentCaller,
  isVisitor,
  type Visitor,
  visitorOf,
} from './actor.js';
export { Open } from './auth.guard.js';
export { AuthModule } from './auth.module.js';
export { type Admission, Invitations, SignInRules, SiteTokens } from './questions.js';
export { SignIn, Uncounted } from './rate-limit.guard.js';
export { RateLimits } from './rate-limits.js';
export { SessionView } from './session.view.js';
export { TokensService } from './tokens.service.js';
export { ForVisitors } from './visitor.guard.js';
