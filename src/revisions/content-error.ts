/**
 * Why the store refuses a change.
 * `missing` names something that is not there · `taken` a slug or id in use · `invalid` a value or place against the
 * rules · `cycle` a page into itself · `limit` too much of something · `complex` Markdown that cannot be read safely.
 */
export type ContentErrorReason = 'missing' | 'taken' | 'invalid' | 'cycle' | 'limit' | 'complex';

/** A change that the content rules refuse; the message is meant for the one who asked. Callers answer 400. */
export class ContentError extends Error {
  /**
   * @param property the property of the request that is wrong, where one is
   * @param entry which entry of a list that was given is wrong, from 0
   */
  constructor(
    readonly reason: ContentErrorReason,
    message: string,
    readonly property?: string,
    readonly entry?: number,
  ) {
    super(message);
    this.name = 'ContentError';
  }
}
