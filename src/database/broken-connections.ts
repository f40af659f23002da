import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/** What of the driver's own class for a connection is needed here; it is none of what the driver publishes. */
interface DriverConnection {
  readonly socket: Socket;
  readonly closed: boolean;
  cleanup(error: Error): void;
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
  const close = Object.getOwnPropertyDescriptor(Connection.prototype, 'cleanup')?.value as
    DriverConnection['cleanup'] | undefined;
  if (!close) return;
  Connection.prototype.cleanup = function (this: DriverConnection, error) {
    const { closed, socket } = this;
    close.call(this, error);
    if (closed) return;
    // what is compressed meanwhile is written later; the driver takes an error of writing for one of the connection
    socket.write = () => {
      throw error;
    };
    failWriting(socket, error);
  };
}

/** Fails what waits until `socket` takes more: whoever waits for that listens to errors as well, and so does the driver always. */
function failWriting(socket: Socket, error: Error): void {
  // a command that was written already may begin to wait within this turn
  setImmediate(() => {
    if (socket.listenerCount('drain') > 0 && socket.listenerCount('error') > 0) socket.emit('error', error);
  });
}
