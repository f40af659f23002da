import { inspect, isDeepStrictEqual } from 'node:util';
import { AUDIT } from '../audit-table.js';
import { CONTENT } from './content.js';
import { PEOPLE, registration } from './people.js';
import { SERVICES } from './services.js';
import { SITES } from './sites.js';
import { SPACES } from './spaces.js';
import { type Act, type Acts, type Body, type Event, type Plan, type Read, text, World } from './world.js';

const ACTS: Acts = { ...PEOPLE, ...SPACES, ...CONTENT, ...SITES, ...SERVICES };
/** Every act with its operation. */
const EVERY = Object.entries(ACTS).flatMap(([operation, acts]) =>
  [acts].flat().map((act: Act) => ({ operation, act })),
);
/** The operations that writers know how to call. */
export const OPERATIONS_CALLED: ReadonlySet<string> = new Set(Object.keys(ACTS));
/** How many of the older things are looked at after each kill. */
const SAMPLE = 10;
/** What takes things away comes so many times more seldom, or there would never be anything deep inside of others. */
const TAKING = /^(?:delete|remove|un)/;
const SELDOM = 4;
const BEGINNING = '1970-01-01T00:00:00.000Z';

/** How an operation is called, as the description of the service says. */
export interface Called {
  method: string;
  path: string;
  /** The status of success. */
  success: number;
}

/** What all writers share. */
export interface Together {
  operations: ReadonlyMap<string, Called>;
  /** How often each operation was acknowledged. */
  counts: Map<string, number>;
  /** Address of a foreign server: see `World`. */
  foreign: string;
}

/** What became of the requests that were not answered. */
export interface Unanswered {
  happened: number;
  not: number;
  /** Those of which nobody can know. */
  unknown: number;
}

/** That the service refused what it had no reason to refuse, or did not remember what it said. */
class Mistake extends Error {}

/** Writes to an organization of its own, one request after the other, and knows what has to be there. */
export class Writer {
  readonly world: World;
  private pending: { operation: string; plan: Plan } | undefined;
  /** When the newest event came that was looked at, and which ones came in that moment. */
  private looked = { at: BEGINNING, ids: new Set<string>() };
  /** How often each operation was acknowledged to this writer. */
  private readonly done = new Map<string, number>();
  /** How many events of the organization were looked at. */
  private settled = 0;
  private url = '';

  constructor(private readonly together: Together) {
    this.world = new World(together.foreign);
    this.world.read = (path, token) => this.read(path, token);
    this.world.canSignIn = async (login) =>
      (await this.fetch('POST', '/v1/auth/login', { token: null, body: login })).status === 200;
  }

  /** From now on the service runs at `url`. */
  turnTo(url: string, round: number): void {
    this.url = url;
    this.world.round = round;
  }

  /** Registers, and makes the organization. */
  async begin(): Promise<void> {
    const { world } = this;
    await this.perform('register', registration(world));
    const [self] = world.things;
    world.things = [];
    world.known.clear();
    world.user = self?.id ?? '';
    world.token = self?.note.token ?? '';
    const made = ACTS.createOrganization as Act;
    await this.perform('createOrganization', (await made(world)) ?? { at: {} });
    world.organization = world.things.pop()?.id ?? '';
    this.settled = 0;
  }

  /** Sends one request after the other until the service is killed. @throws Error of what goes wrong but for that. */
  async write(isKilled: () => boolean): Promise<void> {
    while (!isKilled()) {
      try {
        await this.step();
      } catch (error) {
        if (isKilled() && !(error instanceof Mistake)) return;
        throw error;
      }
    }
  }

  /** Finds out what became of the request that was not answered. @throws Error where the audit trail is not as it has to be. */
  async settle(outcome: Unanswered): Promise<void> {
    const { pending, world } = this;
    const found = await this.newEvents();
    const expected = (world.events.get(world.organization) ?? []).slice(this.settled);
    const rest = without(found, expected, `of ${world.organization}`);
    this.pending = undefined;
    if (pending) {
      const happened = await this.outcomeOf(pending, rest);
      if (happened === undefined) outcome.unknown += 1;
      else if (happened) outcome.happened += 1;
      else outcome.not += 1;
    } else if (rest.length > 0) {
      throw new Mistake(`Nobody did ${JSON.stringify(rest)}`);
    }
    this.settled = world.events.get(world.organization)?.length ?? 0;
  }

  /** What reads do not answer as they have to: of what changed in this round and of some more, or of everything. */
  async lost(all = false): Promise<string[]> {
    const { world } = this;
    const entries = [...world.known.values()];
    const now = entries.filter(({ round }) => all || round === world.round);
    const before = entries.filter((one) => !now.includes(one)).sort(() => Math.random() - 0.5);
    const lost: string[] = [];
    for (const one of [...now, ...before.slice(0, SAMPLE)]) {
      if (!(await world.finds(one))) {
        const { status, body } = await this.read(one.at.split('#')[0] ?? '', one.as);
        lost.push(`${inspect(one)}: ${String(status)} ${JSON.stringify(body).slice(0, 800)}`);
      }
    }
    return lost;
  }

  /** Holds all that is recorded against what was done. @throws Error where something is missing, or there twice. */
  async expectWholeTrail(): Promise<void> {
    for (const [organization, events] of this.world.events) {
      const found = await this.eventsSince(organization, BEGINNING);
      const rest = without(found, events, `of ${organization}`);
      if (rest.length > 0) throw new Mistake(`Nobody did ${JSON.stringify(rest)} in ${organization}`);
    }
  }

  /** One request of chance. */
  private async step(): Promise<void> {
    // what this writer did less often comes sooner, and first of all what nobody did yet
    const sooner = EVERY.map((one) => {
      const own = this.done.get(one.operation) ?? 0;
      const isNew = !this.together.counts.has(one.operation);
      const often = (TAKING.test(one.operation) ? SELDOM : 1) * (1 + own) ** 2;
      return { ...one, when: isNew ? Math.random() / 100 : -Math.log(1 - Math.random()) * often };
    });
    for (const { operation, act } of sooner.sort((a, b) => a.when - b.when)) {
      const plan = await act(this.world);
      if (!plan) continue;
      await this.perform(operation, plan);
      return;
    }
  }

  private async perform(operation: string, plan: Plan): Promise<void> {
    const called = this.together.operations.get(operation);
    if (!called) throw new Mistake(`There is no operation ${operation}`);
    const path = called.path.replace(/\{(\w+)\}/g, (_, name: string) => plan.at[name] ?? '');
    this.pending = { operation, plan };
    const answer = await this.fetch(called.method, path, plan);
    this.pending = undefined;
    if (answer.status === plan.refusal) return;
    if (answer.status >= 400 || (answer.status !== called.success && answer.status !== 302)) {
      const said = `${operation} ${path} ${JSON.stringify(plan.body)}: ${String(answer.status)} ${answer.bytes.toString()}`;
      throw new Mistake(said);
    }
    this.happened(operation, plan, answer.body);
    const isFirst = !this.done.has(operation);
    for (const counts of [this.together.counts, this.done]) counts.set(operation, (counts.get(operation) ?? 0) + 1);
    // a trace that is looked for in the wrong place would show nothing after a kill either
    if (isFirst && plan.trace && !(await this.has(plan.trace))) throw new Mistake(`${operation} leaves no trace`);
  }

  /** Notes that a request was carried out; without an answer, `resource` is what was recorded. */
  private happened(operation: string, plan: Plan, answer?: Body, resource?: string): void {
    const { world } = this;
    const named = typeof plan.resource === 'function' ? answer && plan.resource(answer) : plan.resource;
    const id = resource ?? named ?? text(answer, 'id');
    const action = actionOf(operation, plan);
    if (action !== null) {
      for (const one of [world.organization, ...(plan.also === undefined ? [] : [plan.also])]) {
        const along = (plan.along ?? []).map((other) => ({ action: other, resource: '*', by: operation }));
        const events = [{ action, resource: id, by: operation }, ...along];
        world.events.set(one, [...(world.events.get(one) ?? []), ...events]);
      }
    }
    const told = plan.tells?.(id, answer) ?? [];
    plan.leaves?.(id, answer);
    world.tell(told);
  }

  private async outcomeOf(
    { operation, plan }: { operation: string; plan: Plan },
    rest: Event[],
  ): Promise<boolean | undefined> {
    const { world } = this;
    const action = actionOf(operation, plan);
    const event = rest.find((one) => one.action === action && [undefined, '*', one.resource].includes(known(plan)));
    const actions = event ? [event.action, ...(plan.along ?? [])] : [];
    if (!isDeepStrictEqual(rest.map((one) => one.action).sort(), actions.sort()))
      throw new Mistake(`${operation} left ${JSON.stringify(rest)}`);
    const happened = action === null ? await plan.happened?.() : event !== undefined;
    if (happened === true) {
      this.happened(operation, plan, undefined, event?.resource);
      if (plan.trace && !(await this.has(plan.trace))) throw new Mistake(`${operation} was recorded, and is not there`);
      return true;
    }
    if (happened === undefined) return undefined;
    if (plan.trace && (await this.has(plan.trace))) throw new Mistake(`${operation} is there, and was not recorded`);
    const id = known(plan);
    for (const told of id === undefined || id === '*' ? [] : (plan.tells?.(id) ?? [])) {
      if (told.weak !== true && (await world.finds(told)))
        throw new Mistake(`${operation} was not recorded, but ${JSON.stringify(told)}`);
    }
    return false;
  }

  private async has({ at, text: wanted }: NonNullable<Plan['trace']>): Promise<boolean> {
    return (await this.read(at)).bytes.includes(wanted);
  }

  private async newEvents(): Promise<Event[]> {
    const found = await this.eventsSince(this.world.organization, this.looked.at);
    const fresh = found.filter(({ id }) => !this.looked.ids.has(id));
    const newest = found.map(({ at }) => at).reduce((a, b) => (a > b ? a : b), this.looked.at);
    const ids = found.filter(({ at }) => at === newest).map(({ id }) => id);
    this.looked = { at: newest, ids: new Set(ids) };
    return fresh;
  }

  private async eventsSince(organization: string, from: string): Promise<(Event & { id: string; at: string })[]> {
    const events: (Event & { id: string; at: string })[] = [];
    for (let page = ''; ;) {
      const query = `from=${from}&limit=1000${page}`;
      const { body } = await this.read(`/v1/orgs/${organization}/audit-events?${query}`);
      const { items, next } = body as unknown as {
        items: { id: string; at: string; action: string; actor: { type: string }; resource: { id: string } }[];
        next?: { page: string };
      };
      // what the service does by itself nobody waits for
      const asked = items.filter(({ actor }) => actor.type === 'user');
      events.push(...asked.map(({ id, at, action, resource }) => ({ id, at, action, resource: resource.id })));
      if (!next) return events;
      page = `&page=${encodeURIComponent(next.page)}`;
    }
  }

  private read: Read = (path, token) => this.fetch('GET', path, { ...(token !== undefined && { token }) });

  private async fetch(
    method: string,
    path: string,
    { token = this.world.token, body, type = 'application/json' }: Pick<Plan, 'token' | 'body' | 'type'>,
  ): ReturnType<Read> {
    const answer = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': type }),
      },
      ...(body !== undefined && { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    return {
      status: answer.status,
      location: answer.headers.get('location') ?? '',
      bytes,
      body: isJson ? (JSON.parse(bytes.toString()) as Body) : {},
    };
  }
}

/** What is recorded of a request; `null`: nothing. */
function actionOf(operation: string, { action }: Plan): string | null {
  if (action !== undefined) return action;
  const row = AUDIT[operation];
  if (!row || !('action' in row)) throw new Mistake(`No table says what ${operation} records`);
  return row.action;
}

/** What the request is done to, as far as that is known beforehand. */
const known = ({ resource }: Plan): string | undefined => (typeof resource === 'string' ? resource : undefined);

/** What is left of `found` without `expected`. @throws Mistake where something is missing. */
function without<T extends Event>(found: readonly T[], expected: readonly Event[], where: string): T[] {
  const rest = [...found];
  // those of which nobody knows the resource take what the others leave
  const last = expected.toSorted((a, b) => Number(a.resource === '*') - Number(b.resource === '*'));
  for (const { action, resource, by = '' } of last) {
    // the newest come first: what nobody answered is newer than all that was
    const at = rest.findLastIndex((one) => one.action === action && (resource === '*' || one.resource === resource));
    if (at < 0) throw new Mistake(`Lost ${where}: ${action} of ${resource} by ${by}`);
    rest.splice(at, 1);
  }
  return rest;
}
