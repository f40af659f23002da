import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { Request } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { Database } from './database.js';

/** Runs operations in transactions of their own, but for those that read. */
@Injectable()
class AllOrNothingInterceptor implements NestInterceptor {
  constructor(private readonly database: Database) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    if (context.switchToHttp().getRequest<Request>().method === 'GET') return next.handle();
    return from(this.database.around(() => lastValueFrom(next.handle(), { defaultValue: undefined })));
  }
}

/**
 * Has an operation be one transaction, with all that is read for its answer: where that fails, nothing has happened. On a controller,
 * each of its operations that is no GET. The operation may run several times, as {@link Database.transaction} says; those that wait in
 * line, write content or catch that a key is taken are none of these.
 */
export const AllOrNothing = (): ClassDecorator & MethodDecorator =>
  applyDecorators(UseInterceptors(AllOrNothingInterceptor));
