import {
  BadRequestException,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  NotFoundException,
  PreconditionFailedException,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { from, lastValueFrom, map, type Observable } from 'rxjs';
import { Database } from '../database/index.js';
import { isMatched, isUnmatched, representationOf, type TagList, tagOf, tagsIn } from './entity-tag.js';
import { Representations } from './representations.js';

/** What has to hold of what is at an address before it is written to. */
interface Condition {
  ifMatch?: TagList;
  ifNoneMatch?: TagList;
}

/**
 * Gives single things an entity tag, a hash of how they are answered to the caller, and has what is written there depend on it.
 * Express answers a GET whose `If-None-Match` holds not with 304.
 */
@Injectable()
export class EntityTagsInterceptor implements NestInterceptor {
  constructor(
    private readonly database: Database,
    private readonly representations: Representations,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { method } = request;
    if (!request.path.startsWith('/v1/') || method === 'POST') return next.handle();
    const reads = method === 'GET' || method === 'HEAD';
    const condition = reads ? null : conditionOf(request);
    const answer = condition ? from(this.writeIf(condition, request, next)) : next.handle();
    if (!reads && (method === 'DELETE' || !this.representations.isAt(request))) return answer;
    const response = http.getResponse<Response>();
    return answer.pipe(map((body) => tagged(response, body)));
  }

  /**
   * Does what `next` does where `condition` holds. That is looked at within the first transaction, before it writes: who writes to
   * the same meanwhile meets it. Where there was none, nothing was written, and it is looked at afterwards.
   */
  private async writeIf(condition: Condition, request: Request, next: CallHandler<unknown>): Promise<unknown> {
    let isChecked = false as boolean;
    const check = async (): Promise<void> => {
      await this.check(condition, request);
      isChecked = true;
    };
    const body = await this.database.beginWith(check, () => lastValueFrom(next.handle(), { defaultValue: undefined }));
    if (!isChecked) await check();
    return body;
  }

  /** @throws PreconditionFailedException where `condition` does not hold, NotFoundException where there is nothing to change. */
  private async check({ ifMatch, ifNoneMatch }: Condition, request: Request): Promise<void> {
    const present = await this.tagAt(request);
    if (ifMatch && !isMatched(ifMatch, present)) {
      throw new PreconditionFailedException(
        present === null
          ? 'There is nothing with an entity tag at this address yet, so If-Match cannot hold; leave it out'
          : 'If-Match does not name the present entity tag: read it again, and repeat the change with the new tag',
      );
    }
    if (ifNoneMatch && !isUnmatched(ifNoneMatch, present)) {
      throw new PreconditionFailedException('If-None-Match names what is there: leave it out to change that');
    }
  }

  /** The tag of what GET would answer; `null`: nothing, or what has none. */
  private async tagAt(request: Request): Promise<string | null> {
    try {
      const json = representationOf(await this.representations.read(request));
      return json === null ? null : tagOf(json);
    } catch (error) {
      // a PUT may make what is not there
      if (error instanceof NotFoundException && request.method === 'PUT') return null;
      throw error;
    }
  }
}

/** What the headers of `request` demand; `null`: nothing. @throws BadRequestException naming the header that is malformed. */
function conditionOf({ headers }: Request): Condition | null {
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  if (ifMatch === undefined && ifNoneMatch === undefined) return null;
  return {
    ...(ifMatch !== undefined && { ifMatch: listOf('If-Match', ifMatch) }),
    ...(ifNoneMatch !== undefined && { ifNoneMatch: listOf('If-None-Match', ifNoneMatch) }),
  };
}

function listOf(name: string, header: string): TagList {
  const tags = tagsIn(header);
  if (tags === null) throw new BadRequestException(`${name} must be * or entity tags as answers have them, in quotes`);
  return tags;
}

/** `body` as it is sent, with its tag among the headers of the answer; what has none stays as it is. */
function tagged(response: Response, body: unknown): unknown {
  const json = response.statusCode === 200 ? representationOf(body) : null;
  if (json === null) return body;
  response.set('ETag', tagOf(json)).type('application/json');
  return json;
}
