import { setImmediate } from 'node:timers/promises';
import { BadRequestException, Injectable } from '@nestjs/common';
import { TextForms, toJSONDocument } from '../content/index.js';
import { DocumentError } from '../revisions/index.js';
import { documentIn, type GivenBody, type KeptBody, keptBody } from './comment-body.js';
import type { CommentBodyView } from './comment.view.js';

/** How long other work may have to wait while short texts are converted, ms. */
const TURN = 8;

/** The texts of comments: taken in, and read in the form that is asked for. */
@Injectable()
export class CommentBodies {
  constructor(private readonly forms: TextForms) {}

  /**
   * `body`, which the request calls `name`, as it is kept.
   * @throws BadRequestException for a tree of nodes that is none; the message names the place.
   */
  keep(body: GivenBody, name = 'body'): KeptBody {
    try {
      return keptBody(body);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      throw new BadRequestException(`${name}.document: ${error.message}`);
    }
  }

  /** The texts of `posted` by id, in `format`; what has no text stays empty (decision 3.54). */
  async read(
    posted: readonly { _id: string; body: KeptBody }[],
    format: 'document' | 'markdown' = 'markdown',
  ): Promise<Map<string, CommentBodyView>> {
    const read = new Map<string, CommentBodyView>();
    let since = performance.now();
    for (const { _id, body } of posted) {
      read.set(_id, await this.readOne(body, format));
      if (performance.now() - since < TURN) continue;
      await setImmediate();
      since = performance.now();
    }
    return read;
  }

  private async readOne(body: KeptBody, format: 'document' | 'markdown'): Promise<CommentBodyView> {
    const { form, text } = body;
    if (form === 'empty') return {};
    if (format === 'markdown') return { markdown: form === 'markdown' ? text : await this.forms.markdown(text) };
    const document = form === 'document' ? documentIn(body) : await this.forms.document(text);
    return { document: toJSONDocument(document) };
  }
}
