import { randomBytes } from 'node:crypto';
import { open, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { deserialize, serialize } from 'bson';
import { isPresent, showPresence } from './presence.js';

/** What the file in a data folder says of the engine that uses it. */
interface Holder {
  pid: number;
  uri: string;
  startedAt: string;
  /** Identifies the run: a process id alone may have been given again. */
  id: string;
  /** The socket in the folder that is there as long as the engine is; not on every file system. */
  socket?: string;
}

const FILE = 'engine.json';
const ANSWER_TIME = 2000;
const PAUSE = 100;
const PREFIX_SIZE = 21;
const OP_MSG = 2013;

/** Takes a data folder for an engine that already listens at `uri`. Answers how to give it back. @throws Error, naming the process and its address, when another engine has it. */
export async function lockFolder(path: string, uri: string, id: Buffer): Promise<() => Promise<void>> {
  const file = join(path, FILE);
  // before the folder is taken: who finds it taken finds the socket
  const presence = await showPresence(path, id.toString('hex'));
  const own: Holder = {
    pid: process.pid,
    uri,
    startedAt: new Date().toISOString(),
    id: id.toString('hex'),
    ...(presence && { socket: presence.name }),
  };
  const content = JSON.stringify(own);
  try {
    if (!(await create(file, content))) {
      await checkFolder(path);
      await takeOver(path, content);
    }
  } catch (error) {
    await presence?.close();
    throw error;
  }
  return async () => {
    if ((await text(file)) === content) await unlink(file);
    await presence?.close();
  };
}

/** @throws Error, naming the process and its address, when an engine is running on a data folder */
export async function checkFolder(path: string): Promise<void> {
  const holder = await read(join(path, FILE));
  if (!holder) return;
  if (await isAlive(holder)) {
    throw new Error(`the data folder ${path} is in use by process ${holder.pid}, which listens at ${holder.uri}`);
  }
  if (holder.socket !== undefined && (await isPresent(path, holder.socket))) {
    throw new Error(
      `the data folder ${path} is in use by process ${holder.pid} of another container, since ${holder.startedAt}: stop that, or run the command within it`,
    );
  }
}

/** The address of the engine that is running on a data folder, if there is one. */
export async function findEngine(path: string): Promise<string | undefined> {
  const holder = await read(join(path, FILE));
  return holder && (await isAlive(holder)) ? holder.uri : undefined;
}

async function create(file: string, content: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(content);
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

// two that find the same dead holder at once: the later rename wins, and the other sees it
async function takeOver(path: string, own: string): Promise<void> {
  const file = join(path, FILE);
  const former = await read(file);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, own);
  await rename(draft, file);
  await pause();
  if ((await text(file)) !== own) throw new Error(`another engine has just taken the data folder of ${file}`);
  // what is left of one that was killed
  if (former?.socket !== undefined) await unlink(join(path, former.socket)).catch(() => undefined);
}

async function text(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

async function read(file: string, tries = 3): Promise<Holder | undefined> {
  const content = await text(file);
  if (content === undefined) return undefined;
  try {
    const { pid, uri, startedAt = '', id, socket } = JSON.parse(content) as Partial<Holder>;
    if (typeof pid === 'number' && typeof uri === 'string' && typeof id === 'string')
      return { pid, uri, startedAt, id, ...(isOwnName(socket) && { socket }) };
  } catch {
    // it may be in the middle of being written
    if (tries > 0) {
      await pause();
      return read(file, tries - 1);
    }
  }
  return undefined;
}

/** A name that we gave: it is deleted, and must not lead elsewhere. */
const isOwnName = (name: unknown): name is string =>
  typeof name === 'string' && /^engine\.[0-9a-f]{1,32}\.sock$/.test(name);

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE));
}

async function isAlive(holder: Holder): Promise<boolean> {
  const answer = await ask(holder.uri);
  if (answer === 'silent') return isRunning(holder.pid);
  return answer === holder.id;
}

// one that is too busy to answer in time still holds its data
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The id of the engine at an address; `silent` when something listens there that does not answer, `undefined` when nothing does. */
function ask(uri: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const [, host, port] = /^mongodb:\/\/([^/]+):(\d+)/.exec(uri) ?? [];
    if (host === undefined || Number(port) > 65_535) {
      resolve(undefined);
      return;
    }
    const socket = connect({ host, port: Number(port) });
    let connected = false;
    const finish = (answer: string | undefined): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(ANSWER_TIME, () => {
      finish(connected ? 'silent' : undefined);
    });
    socket.on('error', () => {
      finish(undefined);
    });
    socket.on('connect', () => {
      connected = true;
      socket.write(helloMessage());
    });
    socket.on('data', (chunk) => {
      finish(electionIdOf(chunk));
    });
  });
}

function helloMessage(): Buffer {
  const body = serialize({ hello: 1, $db: 'admin' });
  const prefix = Buffer.alloc(PREFIX_SIZE);
  prefix.writeInt32LE(PREFIX_SIZE + body.length, 0);
  prefix.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([prefix, body]);
}

function electionIdOf(reply: Buffer): string | undefined {
  try {
    return String(deserialize(reply.subarray(PREFIX_SIZE)).electionId);
  } catch {
    return undefined;
  }
}
