import { timingSafeEqual } from 'node:crypto';
import { Injectable, NotFoundException } from '@nestjs/common';
import { SecretKey } from '../config/index.js';

const PURPOSE = 'document id';
/** Characters of a text's key (SHA-256 in base64url). */
const KEY = 43;
/** Characters of the signature that are kept: 96 bits, far more than can be tried. */
const SIGNED = 16;

/**
 * The ids by which texts are asked for. A text's key follows from what it says, so that who knows the key knows nothing
 * of whether the text is there to be seen. An id is therefore the key with a signature for one space: it is known to
 * those alone to whom a reading of that space has told it, in whichever revision, and nothing has to be looked up.
 */
@Injectable()
export class DocumentIds {
  constructor(private readonly key: SecretKey) {}

  /** The id, within `space`, of the text with this key: 59 characters of base64url. */
  of(space: string, key: string): string {
    return key + this.sign(space, key);
  }

  /** The key of the text that `id` names within `space`. @throws NotFoundException for an id of another making. */
  keyOf(space: string, id: string): string {
    const key = id.slice(0, KEY);
    const [expected, given] = [Buffer.from(this.of(space, key)), Buffer.from(id)];
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) {
      throw new NotFoundException('Document not found');
    }
    return key;
  }

  private sign(space: string, key: string): string {
    return this.key.sign(PURPOSE, `${space}/${key}`).slice(0, SIGNED);
  }
}
