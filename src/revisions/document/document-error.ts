/** A document, or Markdown, that cannot be converted; the message names the place and is meant for the one who sent it. */
export class DocumentError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DocumentError';
  }
}
