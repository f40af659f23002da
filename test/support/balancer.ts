import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { send } from './load.js';

/** How often the balancer asks each process whether it is ready, ms. */
const INTERVAL = 250;

interface Target {
  url: string;
  ready: boolean;
  /** Connections that are kept open for the requests to come. */
  agent: Agent;
}

/**
 * A load balancer as simple as they come: each request goes to the next process that was ready when it was asked last, over a connection
 * that is kept, and is not sent again where that fails (502; where nobody is ready, 504).
 */
export class Balancer {
  private readonly server = createServer((incoming, outgoing) => {
    this.forward(incoming, outgoing);
  });
  private readonly targets: Target[];
  private readonly asking: NodeJS.Timeout;
  private turn = 0;

  private constructor(urls: readonly string[]) {
    this.targets = urls.map((url) => ({ url, ready: false, agent: new Agent({ keepAlive: true }) }));
    this.asking = setInterval(() => {
      for (const target of this.targets) void this.ask(target);
    }, INTERVAL);
  }

  /** Listens in front of the processes at `urls`, each without a trailing slash. */
  static async start(urls: readonly string[]): Promise<Balancer> {
    const balancer = new Balancer(urls);
    await new Promise<void>((resolve) => balancer.server.listen(0, '127.0.0.1', resolve));
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  /** How many processes it sends requests to. */
  get ready(): number {
    return this.targets.filter(({ ready }) => ready).length;
  }

  close(): Promise<void> {
    clearInterval(this.asking);
    for (const { agent } of this.targets) agent.destroy();
    return new Promise((resolve) => {
      this.server.closeAllConnections();
      this.server.close(() => {
        resolve();
      });
    });
  }

  private async ask(target: Target): Promise<void> {
    const { status } = await send(['GET', `${target.url}/health/ready`]);
    target.ready = status === 200;
  }

  private forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const ready = this.targets.filter((target) => target.ready);
    const target = ready[this.turn++ % ready.length];
    if (!target) {
      outgoing.writeHead(504).end('nobody is ready');
      return;
    }
    const { method, headers, url = '' } = incoming;
    const sent = request(target.url + url, { method, headers, agent: target.agent }, (answer) => {
      const { connection: _connection, 'keep-alive': _keepAlive, ...rest } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 0, rest);
      answer.once('error', () => outgoing.destroy()).pipe(outgoing);
    });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end(`${target.url}: ${error.code ?? error.message}`);
    });
    incoming.pipe(sent);
  }
}
