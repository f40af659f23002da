/** Why something cannot be converted; the message is a sentence's end: "the page …". */
export class ConversionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConversionError';
  }
}
