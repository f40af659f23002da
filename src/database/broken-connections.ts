import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';

/** What of the driver's own class for a connection is needed here; it is none of what the driver publishes. */
interface DriverConnection extends EventEmitter {
  /** Why it was closed. */
  error: Error | null;
  writeCommand(...sent: unknown[]): Promise<void>;
}

let done = false;

/**
 * Has commands fail whose connection is closed while they are written. The driver (7.8) waits then until the socket takes more, which
 * a closed one never does: a request, and whoever waits for what it holds, would hang for ever after the database was gone.
 */
export function failOnBrokenConnections(): void {
  if (done) return;
  done = true;
  // the copy of the driver that Mongoose works with
  const require = createRequire(createRequire(import.meta.url).resolve('mongoose'));
  const { Connection } = require('mongodb/lib/cmap/connection.js') as { Connection: { prototype: DriverConnection } };
  const write = Object.getOwnPropertyDescriptor(Connection.prototype, 'writeCommand')?.value as
    DriverConnection['writeCommand'] | undefined;
  if (!write) return;
  Connection.prototype.writeCommand = function (this: DriverConnection, ...sent) {
    return whileOpen(this, () => write.apply(this, sent));
  };
}

/** What fails the command that a connection writes, or that it wrote last: it writes one at a time. */
const failing = new WeakMap<DriverConnection, (error: Error) => void>();

/** Promises are what a command costs most, so that there are as few as can be, and one listener for each connection. */
function whileOpen(connection: DriverConnection, write: () => Promise<void>): Promise<void> {
  if (!failing.has(connection)) {
    connection.once('close', () => {
      failing.get(connection)?.(connection.error ?? new Error('The connection to the database was closed'));
    });
  }
  return new Promise((resolve, reject) => {
    failing.set(connection, reject);
    write().then(resolve, reject);
  });
}
