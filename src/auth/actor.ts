import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** A person who makes a request. */
export interface Actor {
  /** Id of the user. */
  user: string;
  /** Id of the token that the request came with. */
  token: string;
}

/** Somebody who reads a published site, with the token that its address was resolved to (decision 6.5). */
export interface Visitor {
  /** A hash of the token that the request came with. */
  token: string;
  organization: string;
  /** Id of the site, the only thing that the token reads. */
  site: string;
  /** Id of the share link that admitted the visitor. */
  shareLink?: string;
  /** What is known of the visitor: `visitor.claims` of conditions; `null`: the site shows everything to everybody. */
  claims: Readonly<Record<string, unknown>> | null;
}

/** Who makes a request. */
export type Caller = Actor | Visitor;

/** Whether `caller` is the visitor of a site, who has no account. */
export function isVisitor(caller: Caller): caller is Visitor {
  return 'site' in caller;
}

/** Who makes `request`. @throws Error on an open operation, which has nobody: a mistake in the code. */
export function callerOf(request: Request): Caller {
  const { user } = request as Request & { user?: Caller };
  if (!user) throw new Error(`${request.method} ${request.path} asks for an actor, but is open`);
  return user;
}

/** The visitor who makes `request`; `null`: it is a person. */
export function visitorOf(request: Request): Visitor | null {
  const caller = callerOf(request);
  return isVisitor(caller) ? caller : null;
}

/** The person who makes `request`. @throws Error where it may be a visitor, or nobody: a mistake in the code. */
export function actorOf(request: Request): Actor {
  const caller = callerOf(request);
  if (isVisitor(caller)) throw new Error(`${request.method} ${request.path} asks for a person, but lets visitors in`);
  return caller;
}

/** Hands the {@link Actor} to a controller's method. */
export const CurrentActor = createParamDecorator((_data: undefined, context: ExecutionContext) =>
  actorOf(context.switchToHttp().getRequest<Request>()),
);

/** Hands the {@link Caller} to a controller's method that is for visitors too. */
export const CurrentCaller = createParamDecorator((_data: undefined, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<Request>()),
);
