/** Why something cannot be made into Markdown; the message is a sentence's end: "the page …". */
export class ConversionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConversionError';
  }
}
