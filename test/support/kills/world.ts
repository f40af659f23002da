import { randomInt } from 'node:crypto';
import { fill, type Found, holds, type Known, type Told } from './known.js';

/** A JSON answer, or nothing. */
export type Body = Record<string, unknown>;

/** What a writer has made, and can go on with. */
export interface Thing {
  kind: string;
  id: string;
  /** Where it is read; the part behind `#` names an item of a list. */
  path: string;
  /** Ids of what it hangs on: it goes when one of them does. */
  of: readonly string[];
  /** What else acts need to know of it. */
  note: Record<string, string>;
}

/** A request that is about to be sent. */
export interface Plan {
  /** What stands in its path. */
  at: Record<string, string>;
  body?: object | Buffer;
  /** Of the body, where that is not JSON. */
  type?: string;
  /** Who sends it: the writer unless given, `null`: nobody. */
  token?: string | null;
  /** The status of a refusal that the service itself may bring about meanwhile. */
  refusal?: number;
  /** What is recorded, where the table of the audit trail does not say it; `null`: nothing. */
  action?: string | null;
  /** Id of what it is done to in the record; as answered unless given, `*` where nobody can know. */
  resource?: string | ((answer: Body) => string);
  /** What else is recorded with it, of things whose ids nobody is told. */
  along?: readonly string[];
  /** Another organization that is told of it, too. */
  also?: string;
  /** Whether it happened, for what is recorded nowhere; `undefined`: nobody can know, nor has to. */
  happened?: () => Promise<boolean | undefined>;
  /** What reads answer once it has happened; of a request that was not answered, the id is that of the record. */
  tells?: (id: string, answer?: Body) => Told[];
  /** What the writer has once it has happened. */
  leaves?: (id: string, answer?: Body) => void;
  /** A text that the answer at that address holds if and only if it happened. */
  trace?: { at: string; text: string };
}

/** Plans a request; nothing where there is nothing to do it to. */
export type Act = (world: World) => Plan | undefined | Promise<Plan | undefined>;
/** What a writer can do, by the name of the operation; several under one name take turns by chance. */
export type Acts = Record<string, Act | readonly Act[]>;

/** What can be asked of the service. */
export type Read = (path: string, token?: string | null) => Promise<Found & { body: Body; location: string }>;

/** An entry of the audit trail, as far as it is known beforehand. */
export interface Event {
  action: string;
  resource: string;
  /** The operation, for whoever reads what went wrong. */
  by?: string;
}

/** What is made of a kind, and what of it can be read. */
interface Making {
  at: Record<string, string>;
  body: object;
  /** Where it is read. */
  path: (id: string) => string;
  fields: Known['fields'];
  /** There are no more of them than that. */
  most?: number;
  of?: readonly string[];
  note?: Record<string, string>;
  trace?: Plan['trace'];
}

/** All that one writer has made and knows: nobody else touches it. */
export class World {
  things: Thing[] = [];
  /** By address, and by who asks where that is somebody else. */
  readonly known = new Map<string, Known & { at: string }>();
  /** What is recorded in each organization. */
  readonly events = new Map<string, Event[]>();
  organization = '';
  user = '';
  token = '';
  /** The round that runs. */
  round = 0;
  /** Asks the service that runs now. */
  read: Read = () => Promise.reject(new Error('Nothing runs yet'));
  private readonly flags = new Map<string, unknown>();

  constructor(
    /** Address of a foreign server with a page in Markdown at `/page.md`, which answers 410 to all that is posted. */
    readonly foreign: string,
  ) {}

  /** Address of the organization. */
  get home(): string {
    return `/v1/orgs/${this.organization}`;
  }

  /** A text that stands nowhere else; of lower-case letters and digits. */
  mark(): string {
    return `m${randomInt(2 ** 47).toString(36)}x${randomInt(2 ** 47).toString(36)}`;
  }

  /** One of the things of `kind` for which `suits`, by chance. */
  one(kind: string, suits: (thing: Thing) => boolean = () => true): Thing | undefined {
    return pick(this.all(kind).filter(suits));
  }

  all(kind: string): Thing[] {
    return this.things.filter((thing) => thing.kind === kind);
  }

  add(thing: Omit<Thing, 'of' | 'note'> & Partial<Thing>): void {
    this.things.push({ of: [], note: {}, ...thing });
  }

  /** Takes away all that hangs on `id`, and what is known of it. */
  drop(id: string): void {
    const gone = this.things.filter((thing) => thing.id === id || thing.of.includes(id));
    this.things = this.things.filter((thing) => !gone.includes(thing));
    for (const key of [id, ...gone.flatMap((thing) => [thing.id, thing.path])]) this.forget(key);
  }

  /** Nothing is known any more of addresses that hold `part`. */
  forget(part: string): void {
    for (const key of [...this.known.keys()]) if (key.includes(part)) this.known.delete(key);
  }

  /** Nothing is known any more of a property at an address. */
  unset(path: string, property: string): void {
    const fields = this.known.get(path)?.fields;
    if (fields) Reflect.deleteProperty(fields, property);
  }

  /** A value of `values` that is not the one that was kept last under `key` (`initial` before), and how to keep it. */
  other<T>(key: string, values: readonly T[], initial?: T): { value: T; keep: () => void } {
    const before = this.flags.has(key) ? this.flags.get(key) : initial;
    const value = pick(values.filter((one) => one !== before));
    if (value === undefined) throw new Error(`There is nothing else for ${key}`);
    return { value, keep: () => void this.flags.set(key, value) };
  }

  /** Notes what reads answer from now on. */
  tell(told: readonly Told[]): void {
    for (const { at, as, weak: _weak, ...is } of told) {
      const key = as === undefined ? at : `${at} ${as}`;
      const before = this.known.get(key);
      const fields = is.fields && { ...(before?.gone !== true && before?.fields), ...is.fields };
      this.known.set(key, { ...is, ...(fields && { fields }), at, as, round: this.round });
    }
  }

  /** Whether the service answers what was told. */
  async finds({ at, ...known }: Pick<Told, 'at'> & Known): Promise<boolean> {
    const [path = '', item] = at.split('#');
    const found = await this.read(path, known.as);
    if (known.bytes === undefined || found.status >= 300) return holds(found, known, item);
    const { pathname, search } = new URL(text(found.body, 'downloadURL'));
    return holds(await this.read(pathname + search, null), known);
  }

  /** Whether somebody with that e-mail address and password has an account. */
  canSignIn: (login: object) => Promise<boolean> = () => Promise.reject(new Error('Nothing runs yet'));

  /** Plans to make a thing of `kind`, unless there are enough. */
  make(kind: string, { at, body, path, fields, most = 3, of = [], note = {}, trace }: Making): Plan | undefined {
    if (this.all(kind).length >= most) return undefined;
    return {
      at,
      body,
      trace,
      tells: (id) => [{ at: path(id), fields }],
      leaves: (id) => {
        this.add({ kind, id, path: path(id), of, note });
      },
    };
  }

  /** Plans to change `thing`. */
  change(thing: Thing, at: Plan['at'], body: object, fields = fill(body)): Plan {
    return { at, body, resource: thing.id, tells: () => [{ at: thing.path, fields }] };
  }

  /** Plans to take `thing` away. */
  remove(thing: Thing, at: Plan['at']): Plan {
    return {
      at,
      resource: thing.id,
      tells: () => [{ at: thing.path, gone: true }],
      leaves: () => {
        this.drop(thing.id);
      },
    };
  }
}

/** One of `items`, by chance. */
export function pick<T>(items: readonly T[]): T | undefined {
  return items.length === 0 ? undefined : items[randomInt(items.length)];
}

/** The property of an answer that is a text; empty where it is none. */
export function text(body: unknown, property: string): string {
  const value = (body as Body | undefined)?.[property];
  return typeof value === 'string' ? value : '';
}
