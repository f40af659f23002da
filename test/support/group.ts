import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { TOKEN } from '../../scripts/service.mjs';
import type { Processes, Running } from './processes.js';

/** An answer, and what it says of itself. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** What a request is sent with: the administrator's token unless it says otherwise, none where that is empty. */
export interface Asking {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Several processes of the service on one database, as they stand behind a balancer. */
export class Group {
  private turn = 0;

  private constructor(
    readonly processes: readonly Running[],
    /** Their addresses, without a trailing slash. */
    readonly addresses: readonly string[],
  ) {}

  /** Starts `count` of them at the same moment, on the database `uri`, and waits until all are ready. */
  static async start(
    processes: Processes,
    uri: string,
    count: number,
    environment: Record<string, string> = {},
  ): Promise<Group> {
    const folder = await processes.folder();
    const ports = await freePorts(count);
    const shared = {
      MONGODB_URI: uri,
      SECRET_KEY: 'a key for tests that is long enough to be one',
      PUBLIC_URL: 'http://docs.test',
      ...environment,
    };
    const services = await Promise.all(ports.map((PORT) => processes.ready(folder, { ...shared, PORT })));
    return new Group(
      services,
      ports.map((port) => `http://127.0.0.1:${port}`),
    );
  }

  /** Asks the `number`-th process, counted on from the first again, for `call`, such as `GET /user`. */
  async ask(number: number, call: string, { token = TOKEN, body, headers }: Asking = {}): Promise<Answer> {
    const [method, path = ''] = call.split(' ');
    const response = await fetch(`${this.addresses[number % this.addresses.length] ?? ''}/v1${path}`, {
      method,
      headers: {
        ...(token !== '' && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = (text === '' ? {} : JSON.parse(text)) as Answer['body'];
    return { status: response.status, headers: response.headers, body: parsed };
  }

  /** Asks each process for the same, at once. */
  askAll(call: string, asking: Asking = {}): Promise<Answer[]> {
    return Promise.all(this.addresses.map((_, number) => this.ask(number, call, asking)));
  }

  /** Asks one process after the other. @throws Error for what is no success. */
  async call(call: string, body?: unknown, token?: string): Promise<Answer['body']> {
    const answer = await this.ask((this.turn += 1), call, { body, ...(token !== undefined && { token }) });
    if (answer.status >= 300) throw new Error(`${call}: ${String(answer.status)} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** A figure of their metrics, of all of them together. */
  async figure(name: string): Promise<number> {
    const told = await Promise.all(
      this.addresses.map(async (address) => {
        const response = await fetch(`${address}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } });
        const line = (await response.text()).split('\n').find((one) => one.startsWith(`${name} `));
        return Number(line?.slice(name.length + 1) ?? 0);
      }),
    );
    return told.reduce((sum, value) => sum + value, 0);
  }

  /** Stops them; answers how each of them ended, its status and what it said of errors. */
  async stop(): Promise<[number | null, string][]> {
    const endings = await Promise.all(this.processes.map(({ stop }) => stop()));
    return endings.map(({ code, stderr }) => [code, stderr]);
  }
}

/** `count` ports that nobody listens on. */
async function freePorts(count: number): Promise<string[]> {
  const probes = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(probes.map((probe) => once(probe, 'listening')));
  const ports = probes.map((probe) => String((probe.address() as AddressInfo).port));
  await Promise.all(probes.map((probe) => once(probe.close(), 'close')));
  return ports;
}
