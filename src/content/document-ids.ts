import { timingSafeEqual } from 'node:crypto';
import { Injectable, NotFoundException } from '@nestjs/common';
import { SecretKey } from '../config/index.js';

const PURPOSE = 'document id';
const PUBLISHED = 'published document id';
/** Characters of a text's key (SHA-256 in base64url). */
const KEY = 43;
/** Characters of the signature that are kept: 96 bits, far more than can be tried. */
const SIGNED = 16;

/**
 * The ids by which texts are asked for. A text's key follows from what it says, so that who knows the key knows nothing
 * of whether the text is there to be seen. An id is therefore the key with a signature for one space: it is known to
 * those alone to whom a reading of that space has told it, in whichever revision, and nothing has to be looked up. Who
 * reads a published space is told ids of another kind, and may use no others: they can only come from what was published.
 */
@Injectable()
export class DocumentIds {
  constructor(private readonly key: SecretKey) {}

  /**
   * The id, within `space`, of the text with this key: 59 characters of base64url; `published`: for who reads what is
   * published.
   */
  of(space: string, key: string, published = false): string {
    return key + this.key.sign(published ? PUBLISHED : PURPOSE, `${space}/${key}`).slice(0, SIGNED);
  }

  /**
   * The key of the text that `id` names within `space`. @throws NotFoundException for an id of another making; with
   * `published`, for every id that was not told to who reads what is published.
   */
  keyOf(space: string, id: string, published = false): string {
    const key = id.slice(0, KEY);
    const known = published ? [this.of(space, key, true)] : [this.of(space, key), this.of(space, key, true)];
    if (!known.some((one) => isSame(one, id))) throw new NotFoundException('Document not found');
    return key;
  }
}

function isSame(one: string, other: string): boolean {
  const [expected, given] = [Buffer.from(one), Buffer.from(other)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
