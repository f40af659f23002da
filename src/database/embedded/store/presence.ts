import { constants, type FileHandle, open } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

/** Most bytes that the address of a socket takes: 108 with the zero at its end, on some systems 104. */
const MAX_ADDRESS = 100;
const ANSWER_TIME = 2000;
/** What is said of a socket that somebody has: too many callers wait for it, or it is another user's. */
const TAKEN = new Set<string | undefined>(['EAGAIN', 'EACCES', 'EPERM']);

/** A socket in a data folder, for as long as the engine that has the folder runs. */
export interface Presence {
  /** Its file in the folder. */
  name: string;
  /** Closes it, and removes the file. */
  close(): Promise<void>;
}

/**
 * Shows in `folder` that an engine runs there. A port is seen by those alone who share a network, a process id by those who share
 * the processes: containers on one volume share neither, but the socket. The kernel ends it with its process.
 *
 * @returns `undefined` where the file system has no sockets.
 */
export async function showPresence(folder: string, id: string): Promise<Presence | undefined> {
  const name = `engine.${id}.sock`;
  if (process.platform === 'win32') return undefined;
  const handle = await open(folder, constants.O_RDONLY);
  const server = createServer((socket) => socket.destroy()).unref();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(addressOf(folder, name, handle), resolve);
    });
  } catch {
    await handle.close();
    return undefined;
  }
  const close = async (): Promise<void> => {
    await new Promise((resolve) => server.close(resolve));
    await handle.close();
  };
  return { name, close };
}

/** Whether the engine still runs that shows itself in `folder` as `name`. */
export async function isPresent(folder: string, name: string): Promise<boolean> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    return await new Promise((resolve) => {
      const socket = connect(addressOf(folder, name, handle));
      const finish = (isThere: boolean): void => {
        socket.destroy();
        resolve(isThere);
      };
      // a full queue of callers is one that somebody has
      socket.setTimeout(ANSWER_TIME, () => {
        finish(true);
      });
      socket.once('connect', () => {
        finish(true);
      });
      socket.once('error', (error: NodeJS.ErrnoException) => {
        finish(TAKEN.has(error.code));
      });
    });
  } finally {
    await handle.close();
  }
}

/** A path to the socket that is short enough: through the open folder, where its own is too long. */
function addressOf(folder: string, name: string, { fd }: FileHandle): string {
  const path = join(folder, name);
  return Buffer.byteLength(path) <= MAX_ADDRESS ? path : `/proc/self/fd/${String(fd)}/${name}`;
}
