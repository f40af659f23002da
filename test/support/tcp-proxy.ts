import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** What happens to what passes a {@link TcpProxy}. */
interface Road {
  /** Whether nothing comes through any more, in either direction, and nobody is told. */
  lost: boolean;
}

/** A road between two programs on which things are slow, or are lost. */
export class TcpProxy {
  /** How long what is sent in either direction is under way, ms. */
  delay = 0;
  /** Whether new connections lose everything from their beginning. */
  swallows = false;
  private readonly server: Server;
  private readonly roads = new Map<Socket, Road>();

  private constructor(private readonly port: number) {
    this.server = createServer({ noDelay: true }, (from) => {
      this.open(from);
    });
  }

  /** Leads to `port` on the loopback address. */
  static async start(port: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(port);
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** Where it listens. */
  get address(): string {
    return `127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  /** Loses from now on what is sent over the connections that there are; those that come are not touched. */
  loseConnections(): void {
    for (const road of this.roads.values()) road.lost = true;
  }

  close(): Promise<void> {
    for (const socket of this.roads.keys()) socket.destroy();
    return new Promise((resolve) => {
      this.server.close(() => {
        resolve();
      });
    });
  }

  private open(from: Socket): void {
    const to = connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    const road: Road = { lost: this.swallows };
    this.pass(from, to, road);
    this.pass(to, from, road);
  }

  private pass(from: Socket, to: Socket, road: Road): void {
    // what was sent first comes first, whatever the delay was then
    let last = Promise.resolve();
    this.roads.set(from, road);
    from
      .on('data', (chunk) => {
        const due = performance.now() + this.delay;
        last = last.then(async () => {
          await wait(Math.max(0, due - performance.now()));
          if (!road.lost && to.writable) to.write(chunk);
        });
      })
      .on('error', () => from.destroy())
      .on('close', () => {
        this.roads.delete(from);
        if (!road.lost) to.destroy();
      });
  }
}
