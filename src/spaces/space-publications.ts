import { Injectable } from '@nestjs/common';
import { Answers } from '../common/answers.js';
import { type Audience, type Publication, Publications } from './questions.js';
import type { Space } from './space.schema.js';

const ANYBODY: Audience = { visitor: null, member: null };

/** What is published of spaces, as the module of sites answers it; nothing where there are no sites. */
@Injectable()
export class SpacePublications {
  private readonly publications: () => Publications;

  constructor(answers: Answers) {
    const none: Publications = { of: () => Promise.resolve(new Map()), admits: () => Promise.resolve(false) };
    this.publications = answers.ask(Publications, none);
  }

  /** How published sites show each of `spaces`, by space; those that are on none are left out. */
  async of(
    spaces: readonly Pick<Space, '_id' | 'deletedAt' | 'holds'>[],
    audience = ANYBODY,
  ): Promise<Map<string, Publication>> {
    // the trash takes a space off its sites, and who puts one on a site holds it
    const ids = spaces.flatMap(({ _id, deletedAt, holds }) => (deletedAt === null && holds !== 0 ? _id : []));
    return ids.length === 0 ? new Map() : this.publications().of(ids, audience);
  }

  /** Whether a published site lets `audience` read `space`. */
  admits(space: Pick<Space, '_id' | 'organization'>, audience: Audience): Promise<boolean> {
    return this.publications().admits(space, audience);
  }
}
