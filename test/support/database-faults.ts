import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { mongo } from 'mongoose';

/**
 * How a call of the database fails. `refused`: it answers with an error that nobody can do anything about. `conflict`: what is
 * written in a transaction was written by somebody else, so that the transaction is to be run again. `dropped`: the connection
 * is closed before the call arrives. `unheard`: it is closed after the call was carried out, without an answer. `away`: that call
 * and all that follow are lost, until the fault is over.
 */
export const FAULTS = ['refused', 'conflict', 'dropped', 'unheard', 'away'] as const;
export type Fault = (typeof FAULTS)[number];

/** What became of a fault that was armed. */
export interface Outcome {
  /** The call that failed, as `update members`; `undefined`: there were not so many calls. */
  struck: string | undefined;
  /** Calls that counted until it was over. */
  calls: number;
}

/** The database of the tests, as it is to whoever connects through here. */
export interface FaultyDatabase {
  /** Its address; `name` is that of the database. */
  uri(name: string): string;
  /** Has `fault` strike the call number `at`, from 0, of those that come from now on. */
  arm(fault: Fault, at: number): void;
  /** Ends the fault that is armed. */
  disarm(): Promise<Outcome>;
  /** Resolves when no call is under way. */
  quiet(): Promise<void>;
  /** Collections that calls to write named since this was asked last, whether they came through or not. */
  written(): string[];
  close(): Promise<void>;
}

/** Calls that count: those that a request makes of the database. What keeps a connection up, and ends what failed, does not. */
const COUNTED = new Set([
  ...['find', 'getMore', 'aggregate', 'count', 'distinct'],
  ...['insert', 'update', 'delete', 'findAndModify', 'commitTransaction'],
]);
/** What passes while the database is away: without it the driver would wait for seconds before it tries once more. */
const ALIVE = new Set(['hello', 'ismaster', 'isMaster']);
const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify']);
const OP_MSG = 2013;
const HEADER = 16;
/** Where the body of a message begins: behind its header, flags and the kind of the section. */
const BODY = HEADER + 5;
/** Errors as the server answers them. */
const REFUSAL = { ok: 0, code: 8, codeName: 'UnknownError', errmsg: 'The test wants this to fail' };
const CONFLICT = {
  ...{ ok: 0, code: 112, codeName: 'WriteConflict', errmsg: 'The test wants this to fail' },
  errorLabels: ['TransientTransactionError'],
};

interface Call {
  name: string;
  /** What it is done to, for messages. */
  on: string;
  inTransaction: boolean;
  lsid: unknown;
}

interface Armed {
  fault: Fault;
  at: number;
  calls: number;
  struck: string | undefined;
  sessions: unknown[];
}

/** Starts to stand between the database of the tests and whoever connects to `uri()`. */
export async function startFaultyDatabase(): Promise<FaultyDatabase> {
  const target = new URL(process.env.TEST_DATABASE_URI ?? '');
  const client = await mongo.MongoClient.connect(target.href);
  const lines = new Set<Line>();
  const state: { armed: Armed | undefined; written: Set<string> } = { armed: undefined, written: new Set() };
  const server = createServer((downstream) => {
    const line = new Line(downstream, connect(Number(target.port), target.hostname), state);
    lines.add(line);
    downstream.on('close', () => lines.delete(line));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    uri(name) {
      const here = new URL(target);
      here.host = `127.0.0.1:${String(port)}`;
      here.pathname = `/${name}`;
      here.searchParams.delete('replicaSet');
      // the driver goes nowhere else, and looks again at once whether the database is back
      here.searchParams.set('directConnection', 'true');
      here.searchParams.set('minHeartbeatFrequencyMS', '10');
      return here.href;
    },
    arm(fault, at) {
      state.armed = { fault, at, calls: 0, struck: undefined, sessions: [] };
    },
    async disarm() {
      const { armed } = state;
      state.armed = undefined;
      // whoever is gone cannot end transactions; a server does so in the end
      if (armed?.sessions.length) await client.db('admin').command({ killSessions: armed.sessions });
      return { struck: armed?.struck, calls: armed?.calls ?? 0 };
    },
    async quiet() {
      for (let still = 0; still < 3; still += 1) {
        if ([...lines].some(({ busy }) => busy)) still = 0;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    written() {
      const names = [...state.written];
      state.written.clear();
      return names;
    },
    async close() {
      for (const line of lines) line.cut();
      server.close();
      await client.close();
    },
  };
}

/** A connection and its other half. */
class Line {
  private readonly waiting = new Set<number>();
  /** Calls whose answers are not to be heard, and what is answered in their place; `null`: the connection is cut. */
  private readonly instead = new Map<number, object | null>();

  constructor(
    private readonly downstream: Socket,
    private readonly upstream: Socket,
    private readonly state: { armed: Armed | undefined; written: Set<string> },
  ) {
    for (const socket of [downstream, upstream]) {
      socket.setNoDelay(true);
      socket.on('error', () => {
        this.cut();
      });
      socket.on('close', () => {
        this.cut();
      });
    }
    onMessages(downstream, (message) => {
      this.ask(message);
    });
    onMessages(upstream, (message) => {
      this.answer(message);
    });
  }

  /** Whether a call is under way. */
  get busy(): boolean {
    return this.waiting.size > 0;
  }

  cut(): void {
    this.waiting.clear();
    this.downstream.destroy();
    this.upstream.destroy();
  }

  private ask(message: Buffer): void {
    const { armed, written } = this.state;
    const name = nameOf(message);
    if (WRITES.has(name)) written.add(targetOf(message));
    const id = message.readInt32LE(4);
    if (!ALIVE.has(name)) this.waiting.add(id);
    if (!armed || !this.strikes(armed, name, message)) {
      this.upstream.write(message);
      return;
    }
    const { fault } = armed;
    if (fault === 'dropped' || fault === 'away') {
      this.cut();
    } else if (fault === 'unheard') {
      this.instead.set(id, null);
      this.upstream.write(message);
    } else if (fault === 'refused' && name === 'commitTransaction') {
      // a server that refuses the end of a transaction undoes it; of other calls in one the driver has it undone
      this.instead.set(id, REFUSAL);
      this.upstream.write(abortInstead(message));
    } else {
      this.reply(id, fault === 'conflict' ? CONFLICT : REFUSAL);
    }
  }

  private strikes(armed: Armed, name: string, message: Buffer): boolean {
    if (ALIVE.has(name)) return false;
    const isOver = armed.fault === 'away' && armed.struck !== undefined;
    if (!COUNTED.has(name)) return isOver;
    const call = callOf(name, message);
    const counts = armed.fault !== 'conflict' || (call.inTransaction && name !== 'commitTransaction');
    if (!counts) return false;
    const place = armed.calls;
    armed.calls += 1;
    if (armed.fault === 'away' && call.inTransaction) armed.sessions.push(call.lsid);
    if (isOver) return true;
    if (place !== armed.at) return false;
    armed.struck = `${name} ${call.on}`;
    return true;
  }

  private answer(message: Buffer): void {
    const to = message.readInt32LE(8);
    const instead = this.instead.get(to);
    if (instead === null) {
      this.cut();
    } else if (instead) {
      this.reply(to, instead);
    } else {
      this.waiting.delete(to);
      this.downstream.write(message);
    }
  }

  private reply(to: number, answer: object): void {
    this.instead.delete(to);
    this.waiting.delete(to);
    const body = mongo.BSON.serialize(answer);
    const head = Buffer.alloc(BODY);
    head.writeInt32LE(BODY + body.length, 0);
    head.writeInt32LE(to, 8);
    head.writeInt32LE(OP_MSG, 12);
    this.downstream.write(Buffer.concat([head, body]));
  }
}

/** Has `take` called with each whole message that comes in. */
function onMessages(socket: Socket, take: (message: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    while (rest.length >= HEADER && rest.length >= rest.readInt32LE(0)) {
      const message = rest.subarray(0, rest.readInt32LE(0));
      rest = rest.subarray(message.length);
      take(message);
    }
  });
}

/** The name of the command in `message`; of anything but a command, an empty one. */
function nameOf(message: Buffer): string {
  if (message.readInt32LE(12) !== OP_MSG) return 'hello';
  const start = BODY + 5;
  return message.toString('utf8', start, message.indexOf(0, start));
}

/** The collection that the command in `message` names: the value of its first property. */
function targetOf(message: Buffer): string {
  const length = message.indexOf(0, BODY + 5) + 1;
  return message.toString('utf8', length + 4, length + 3 + message.readInt32LE(length));
}

function callOf(name: string, message: Buffer): Call {
  const body = mongo.BSON.deserialize(message.subarray(BODY, BODY + message.readInt32LE(BODY)));
  const on = String(name === 'getMore' ? body.collection : name === 'commitTransaction' ? '' : body[name]);
  return { name, on, inTransaction: body.autocommit === false, lsid: body.lsid };
}

/** The message that ends the transaction which `message` would commit. */
function abortInstead(message: Buffer): Buffer {
  const { commitTransaction: _, ...rest } = mongo.BSON.deserialize(message.subarray(BODY), { promoteValues: false });
  const body = mongo.BSON.serialize({ abortTransaction: 1, ...rest });
  const head = Buffer.from(message.subarray(0, BODY));
  head.writeInt32LE(BODY + body.length, 0);
  return Buffer.concat([head, body]);
}
