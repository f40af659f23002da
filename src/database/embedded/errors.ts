/** A decoded document: what the engine knows of its fields is nothing until it has looked. */
export type Document = Record<string, unknown>;

/** The error codes that MongoDB's clients know, by name. Codes that MongoDB itself leaves without a name are called `Location<code>`. */
export const CODES = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  IllegalOperation: 20,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  WriteConflict: 112,
  DocumentValidationFailure: 121,
  InvalidPipelineOperator: 168,
  CannotIndexParallelArrays: 171,
  TransactionTooOld: 225,
  NotImplemented: 238,
  ConversionFailure: 241,
  SnapshotUnavailable: 246,
  NoSuchTransaction: 251,
  TransactionCommitted: 256,
  OperationNotSupportedInTransaction: 263,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  OutOfDiskSpace: 14031,
} as const;

const NAMES = new Map<number, string>([
  ...Object.entries(CODES).map(([name, code]) => [code, name] as const),
  [17419, 'BSONObjectTooLarge'],
]);

/** What a failed command or write reports: MongoDB's number and name for it, and fields and labels that go into the reply beside them. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  /** MongoDB's number for the failure, one of {@link CODES} or a location. */
  readonly code: number;
  /** MongoDB's name for {@link code}. */
  readonly codeName: string;
  /** Fields that the reply carries beside the message, such as `keyPattern` and `keyValue` of a duplicate key. */
  readonly details: Document;
  /** `errorLabels` of the reply. */
  readonly labels: string[];

  constructor(code: number, message: string, options: { details?: Document; labels?: string[] } = {}) {
    super(message);
    this.code = code;
    this.codeName = NAMES.get(code) ?? `Location${code}`;
    this.details = options.details ?? {};
    this.labels = options.labels ?? [];
  }
}

/** A value that the command, filter or update cannot hold (2). */
export function badValue(message: string): EngineError {
  return new EngineError(CODES.BadValue, message);
}

/** A command, filter or update of the wrong form (9). */
export function failedToParse(message: string): EngineError {
  return new EngineError(CODES.FailedToParse, message);
}

/** A value of the wrong type (14). */
export function typeMismatch(message: string): EngineError {
  return new EngineError(CODES.TypeMismatch, message);
}

/** Something that MongoDB does and this engine, by design, does not (238); `feature` names it. */
export function unsupported(feature: string): EngineError {
  return new EngineError(CODES.NotImplemented, `the embedded database does not support ${feature}`);
}
