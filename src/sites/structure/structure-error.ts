/**
 * Why a structure cannot be changed as asked: `missing`, what is to be changed is not there; `invalid`, what it refers to is
 * not there or does not fit, or there would be too many; `taken`, another has it.
 */
export type StructureReason = 'missing' | 'invalid' | 'taken';

/** A change of a structure that is refused; nothing was changed. */
export class StructureError extends Error {
  constructor(
    readonly reason: StructureReason,
    message: string,
  ) {
    super(message);
  }
}
