import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { connect, createServer, type Socket } from 'node:net';
import { failOnBrokenConnections } from './broken-connections.js';

/** What is needed of the driver's class for a connection. */
interface Wire {
  readonly description: { compressor?: string };
  command(namespace: unknown, command: object, options: object): Promise<unknown>;
}

const driver = createRequire(createRequire(import.meta.url).resolve('mongoose'));
const { Connection } = driver('mongodb/lib/cmap/connection.js') as { Connection: new (...given: unknown[]) => Wire };
const { ns } = driver('mongodb/lib/utils.js') as { ns: (name: string) => unknown };

failOnBrokenConnections();

/** A connection of the driver to a server that takes everything and says nothing; `socket` is that of the driver. */
async function connection(): Promise<{ wire: Wire; socket: Socket; close: () => void }> {
  const server = createServer((taken) => taken.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  const wire = new Connection(socket, { hostAddress: { toString: () => 'database' }, id: 1, generation: 0 });
  return { wire, socket, close: () => server.close() };
}

describe('a command of the driver', () => {
  it('fails where its socket is gone and nobody has heard of that yet', async () => {
    const { wire, socket, close } = await connection();
    socket.destroy();
    await expect(wire.command(ns('test.$cmd'), { ping: 1 }, {})).rejects.toThrow('closed');
    close();
  });

  it('fails where its socket is closed before all of it is taken', async () => {
    const { wire, socket, close } = await connection();
    const sent = wire.command(ns('test.$cmd'), { ping: 1, text: 'x'.repeat(12_000_000) }, {});
    setTimeout(() => socket.destroy(), 20);
    await expect(sent).rejects.toThrow('closed');
    close();
  });

  it('fails where its connection is closed while it is compressed', async () => {
    const { wire, socket, close } = await connection();
    wire.description.compressor = 'zlib';
    const sent = wire.command(ns('test.$cmd'), { ping: 1, text: randomBytes(6_000_000).toString('hex') }, {});
    socket.destroy();
    await expect(sent).rejects.toThrow('unexpected error writing to socket');
    close();
  });
});
