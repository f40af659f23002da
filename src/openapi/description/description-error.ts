/** Why something is no description of an API that can be used. */
export class DescriptionError extends Error {
  override readonly name = 'DescriptionError';
}
