import { Injectable } from '@nestjs/common';
import { DocumentError, type JSONDocument, plainText, toDocument, toMarkdown } from '../revisions/index.js';
import { ConversionError } from './conversion/conversion-error.js';
import { Converter } from './conversion/converter.js';
import { sourceDocument } from './source-document.js';

/** Texts of up to that many characters are converted at once, longer ones beside the service: they may take seconds. */
const SHORT = 16 * 1024;

/** Converts texts between Markdown and trees of nodes, their addresses as they are written, and fails for none. */
@Injectable()
export class TextForms {
  constructor(private readonly converter: Converter) {}

  /** Markdown as a tree of nodes; one that cannot be read into nodes, or not in time, shows its source. */
  async document(markdown: string): Promise<JSONDocument> {
    const long = markdown.length > SHORT;
    const read = () => (long ? this.converter.run('document', markdown) : toDocument(markdown));
    return (await this.attempt(read)) ?? sourceDocument(markdown);
  }

  /**
   * A tree of nodes, as its JSON, in Markdown; one that cannot be spelled in time is answered as the plain text of its
   * blocks.
   */
  async markdown(json: string): Promise<string> {
    const document = JSON.parse(json) as JSONDocument;
    const long = json.length > SHORT;
    const spelled = await this.attempt(() => (long ? this.converter.run('markdown', json) : toMarkdown(document)));
    return spelled ?? document.nodes.map((block) => plainText([block])).join('\n\n');
  }

  private async attempt<T>(convert: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await convert();
    } catch (error) {
      if (!(error instanceof DocumentError || error instanceof ConversionError)) throw error;
      return undefined;
    }
  }
}
