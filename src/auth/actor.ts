import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** Who makes a request. */
export interface Actor {
  /** Id of the user. */
  user: string;
  /** Id of the token that the request came with. */
  token: string;
}

/** The actor of `request`. @throws Error on an open operation that has none: a mistake in the code. */
export function actorOf(request: Request): Actor {
  const { user } = request as Request & { user?: Actor };
  if (!user) throw new Error(`${request.method} ${request.path} asks for an actor, but is open`);
  return user;
}

/** Hands the {@link Actor} to a controller's method. */
export const CurrentActor = createParamDecorator((_data: undefined, context: ExecutionContext) =>
  actorOf(context.switchToHttp().getRequest<Request>()),
);
