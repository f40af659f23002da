/** A record as it is stored, by the names of its fields. */
export type Stored = Record<string, unknown>;

/** Ids of records that must be there, by their collection; `null` and what is absent count for nothing. */
export type Needs<T> = Readonly<Record<string, (record: T) => readonly (string | null | undefined)[]>>;

/** Somebody whom records of an organization name, as the installation knows them to which it comes. */
export interface ArrivingPerson {
  id: string;
  email: string;
  displayName: string;
  /** Whether they had an account there before. */
  known: boolean;
}

/** Records that are there for one organization alone. */
export interface OwnedRecords<T> {
  /** Collections of what each hangs on; unless given, the organization itself. */
  of?: readonly string[];
  /** The field that holds the id of that; unless given, `organization`. It has an index. */
  by?: keyof T & string;
  /** Others, or jobs, would act on it without asking for the organization: it is written with the organization, all at once. */
  atOnce?: true;
  /**
   * Whether its id, and what else it is found by without regard to what it hangs on, follow from that: another one could stand in
   * the place of what belongs to others.
   */
  fits?: (record: T) => boolean;
  /** What else must be there. */
  needs?: Needs<T>;
  /** As {@link needs}, but where it is not there, the record is left out. */
  within?: Needs<T>;
  /** Ids of the people that it names; where they have other ids elsewhere, these take their place in every field. */
  people?: (record: T) => readonly (string | null | undefined)[];
  /** What of it is another for `person`, by whose id it is found; `null`: it stays behind. */
  arrive?: { person: (record: T) => string; as: (record: T, person: ArrivingPerson) => Partial<T> | null };
  /** Fields of which no two records may hold the same, of whatever organization; the id is one of them. */
  unique?: readonly (keyof T & string)[];
  /** What to say where `value` is taken elsewhere; `null`: the record stays behind. */
  taken?: (value: string, organization: Stored) => string | null;
}

/** Records that are found by what others refer to, and whose ids say what they hold. */
export interface ContentRecords<T> {
  needs?: Needs<T>;
  /** The field that says when it was last needed. */
  touched: keyof T & string;
  /** Whether the id is that of what it holds. */
  isWhole: (record: T) => boolean;
  /** What of it does not follow from what the id says, where it was written for another organization than `organization`. */
  distrust?: (record: T, organization: string) => Partial<T>;
}

/** Bytes that are found as {@link ContentRecords} are. */
export interface ByteRecords {
  /** Whose bytes they are, and the bytes, in pieces. @throws Error when they are not there. */
  read(id: string): Promise<{ organization: string; pieces: AsyncIterable<Buffer> }>;
  /** Finds the id of bytes of `organization`. */
  hashing(organization: string): { update(piece: Buffer): void; id(): string };
  /** Stores bytes, unless they are there. */
  write(organization: string, pieces: AsyncIterable<Buffer>): Promise<void>;
}

/** Records of people, who belong to no organization; those that others name come along. */
export interface PeopleRecords<T> {
  /** What comes along of the record of a person, which may be a forged one. @throws Error when it is none. */
  taken: (record: Stored) => T;
  /** Who they are, wherever they are: nobody else has it. */
  knownBy: keyof T & string;
  displayName: keyof T & string;
  /** A number that is raised by whoever relies on the name. */
  held: keyof T & string;
}

/** How the records of a collection belong to an organization. */
export type Rule = { collection: string } & (
  | ({ kind: 'owned' } & OwnedRecords<Stored>)
  | ({ kind: 'content' } & ContentRecords<Stored>)
  | { kind: 'bytes' }
  | ({ kind: 'people' } & PeopleRecords<Stored>)
  | { kind: 'apart'; why: string }
);
export type OwnedRule = Extract<Rule, { kind: 'owned' }>;
export type ContentRule = Extract<Rule, { kind: 'content' }>;
export type PeopleRule = Extract<Rule, { kind: 'people' }>;

/** Records of `collection` that belong to one organization alone. */
export function owned<T extends object>(collection: string, rules: OwnedRecords<T> = {}): Rule {
  return { collection, kind: 'owned', ...(rules as unknown as OwnedRecords<Stored>) };
}

/** Records of `collection` that are known by what they hold. */
export function content<T extends object>(collection: string, rules: ContentRecords<T>): Rule {
  return { collection, kind: 'content', ...(rules as unknown as ContentRecords<Stored>) };
}

/** The people of all organizations. */
export function people<T extends object>(collection: string, rules: PeopleRecords<T>): Rule {
  return { collection, kind: 'people', ...(rules as unknown as PeopleRecords<Stored>) };
}

/** Records of `collection` that belong to no organization, or stay behind; `why` says so in a sentence. */
export function apart(collection: string, why: string): Rule {
  return { collection, kind: 'apart', why };
}
