import { Injectable } from '@nestjs/common';

/**
 * What a lower module tells of, and what it tells: ids and plain values. A module that tells of something declares it
 * here, so that nobody listens for what is never said.
 */
export interface EventPayloads {
  /** Somebody has another name; told within the transaction that changes it. */
  'user.renamed': { user: string; displayName: string };
  /** People have become members of an organization; told within the transaction that makes them. */
  'member.added': { organization: string; users: string[] };
  /**
   * Somebody is about to leave an organization, or to be removed from it: the membership is still there. `teams` are
   * those that the person belongs to.
   */
  'member.removed': { organization: string; user: string; teams: string[] };
  /** A space is about to change hands; who cannot let it go throws. */
  'space.transferring': { space: string; from: string; to: string };
  /** A space has gone to the trash, or come back from it. */
  'space.deleted': { space: string; organization: string };
  'space.restored': { space: string; organization: string };
  /** A space was copied; the copy is complete but for what is derived from its content. */
  'space.duplicated': { space: string; organization: string };
  /** The last of a space was removed for good. */
  'space.purged': { space: string; organization: string };
  /** The primary content of a space is `revision` now, by `author`, or (`null`) by the service. */
  'content.updated': { organization: string; space: string; revision: string; author: string | null };
  /** A change request was merged; `revision` of its space holds both. */
  'change-request.merged': { organization: string; space: string; changeRequest: string; revision: string };
  /** Somebody commented on a space, or (`changeRequest`) on one of its change requests. */
  'comment.added': {
    organization: string;
    space: string;
    changeRequest: string | null;
    comment: string;
    author: string;
  };
  /** A site shows something else to its visitors, or shows itself for the first time. */
  'site.published': { organization: string; site: string };
  /** A version of an API description was read. */
  'spec.processed': { organization: string; spec: string; version: string };
  /** A description of an API has a new version, or was removed. */
  'openapi.changed': { organization: string; slug: string };
  /** A team was removed for good. */
  'team.deleted': { organization: string; team: string };
}

type Handler<N extends keyof EventPayloads> = (payload: EventPayloads[N]) => Promise<void>;

/**
 * Lets a lower module make higher ones act. Handlers run one after the other, in the order in which they subscribed,
 * within the transaction of whoever tells; one that fails makes the teller fail.
 */
@Injectable()
export class DomainEvents {
  private readonly handlers: { [N in keyof EventPayloads]?: Handler<N>[] } = {};

  /** Has `handler` called whenever `name` is told of; modules subscribe in `onModuleInit`. */
  on<N extends keyof EventPayloads>(name: N, handler: Handler<N>): void {
    const list: Handler<N>[] = this.handlers[name] ?? [];
    Object.assign(this.handlers, { [name]: [...list, handler] });
  }

  /** Tells of `name`; resolves when all handlers are done. @throws what a handler throws, and calls no further one. */
  async emit<N extends keyof EventPayloads>(name: N, payload: EventPayloads[N]): Promise<void> {
    for (const handler of this.handlers[name] ?? []) await handler(payload);
  }
}
