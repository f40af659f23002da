import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { holdPort } from './held-port.js';

const listening = async (port: number): Promise<unknown> => {
  const server = createServer().listen(port, '127.0.0.1');
  const outcome = await once(server, 'listening').then(
    () => 'listening',
    (error: unknown) => (error as NodeJS.ErrnoException).code,
  );
  server.close();
  return outcome;
};

describe('a port that is held', () => {
  it('can be listened on by nobody else, and by anybody once it is let go', async () => {
    const { port, release } = await holdPort();
    const held = await listening(port);
    await release();
    expect([held, await listening(port)]).toEqual(['EADDRINUSE', 'listening']);
  });

  it('is let go although somebody has connected to it', async () => {
    const { port, release } = await holdPort();
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await release();
    expect(await listening(port)).toBe('listening');
    socket.destroy();
  });

  it('is another one each time', async () => {
    const [one, other] = [await holdPort(), await holdPort()];
    expect(one.port).not.toBe(other.port);
    await Promise.all([one.release(), other.release()]);
  });
});
