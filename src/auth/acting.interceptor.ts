import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { actAs, actAsNobody } from '../audit/index.js';
import { type Caller, isVisitor } from './actor.js';

/** Has everything that a request does done by whoever makes it; by nobody yet where no token came with it. */
@Injectable()
export class ActingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { user: caller } = context.switchToHttp().getRequest<Request & { user?: Caller }>();
    // visitors of sites only read
    return caller && !isVisitor(caller) ? actAs(caller.user, () => next.handle()) : actAsNobody(() => next.handle());
  }
}
