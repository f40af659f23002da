import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { TOKEN } from '../../scripts/service.mjs';
import { cases } from './cases.js';
import { until } from './until.js';

/** How long a caller rests after each answer, ms: what is tested is not how many requests a machine can take. */
const REST = cases(50, 10);

/** What became of a request. */
export interface Outcome {
  method: string;
  path: string;
  /** Of the answer; where there was none, the code of the error, such as `ECONNRESET`. */
  status: number | string;
  headers: IncomingHttpHeaders;
  /** As text. */
  body: string;
  /** From when it was sent to the end of the answer, ms. */
  ms: number;
  /** When it was sent, as `performance.now()` tells it. */
  at: number;
}

/** Sends a request over a connection of `agent`, once; does not throw. */
export async function send(
  [method, url, body]: [method: string, url: string, body?: unknown],
  agent?: Agent,
): Promise<Outcome> {
  const at = performance.now();
  const known = { method, path: new URL(url).pathname, at };
  const told = (answer: Pick<Outcome, 'status' | 'headers' | 'body'>): Outcome => ({
    ...known,
    ...answer,
    ms: performance.now() - at,
  });
  return new Promise((resolve) => {
    const headers = {
      Authorization: `Bearer ${TOKEN}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    const failed = ({ code = 'no code' }: NodeJS.ErrnoException): void => {
      resolve(told({ status: code, headers: {}, body: '' }));
    };
    const sent = request(url, { method, agent, headers }, (response) => {
      text(response).then((read) => {
        resolve(told({ status: response.statusCode ?? 0, headers: response.headers, body: read }));
      }, failed);
    });
    sent.once('error', failed).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Callers that write pages to a space and read them, one request after the other and over connections that are kept, until they are stopped. */
export class Load {
  /** What became of all requests so far, in the order of their ends. */
  readonly outcomes: Outcome[] = [];
  /** Titles of the pages of which a success was answered. */
  readonly acknowledged: string[] = [];
  private readonly agent = new Agent({ keepAlive: true });
  private readonly callers: Promise<void>[];
  private stopped = false;

  /** @param url Address of the service. @param space Whose content is written and read. @param name Tells its pages from those of others. */
  constructor(
    private readonly url: string,
    private readonly space: string,
    private readonly name: string,
    { writers = 3, readers = 3 } = {},
  ) {
    this.callers = [
      ...Array.from({ length: writers }, (_, n) => this.write(n)),
      ...Array.from({ length: readers }, () => this.read()),
    ];
  }

  /** Waits until `count` more requests have succeeded. */
  async succeeds(count: number): Promise<void> {
    const enough = this.succeeded + count;
    await until(`${enough} requests succeed`, () => this.succeeded >= enough);
  }

  /** Sends no more, and waits for what was sent. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.callers);
    this.agent.destroy();
  }

  /** What neither succeeded nor was answered in one of the ways of `allowed`. */
  failures(...allowed: (number | string)[]): Outcome[] {
    return this.outcomes.filter(({ status }) => status !== 200 && !allowed.includes(status));
  }

  /** Titles of the pages of `space` that this has written, as they are stored now; each should be there once. */
  async stored(): Promise<string[]> {
    const { body } = await send(['GET', `${this.url}/v1/spaces/${this.space}/content/pages`]);
    const { pages } = JSON.parse(body) as { pages: { title: string }[] };
    return pages.map(({ title }) => title).filter((title) => title.startsWith(`${this.name} `));
  }

  private get succeeded(): number {
    return this.outcomes.filter(({ status }) => status === 200).length;
  }

  private async write(writer: number): Promise<void> {
    for (let n = 0; !this.stopped; n += 1) {
      const title = `${this.name} ${writer}-${n}`;
      const changes = [{ operation: 'insert_page', title, document: { markdown: title } }];
      const { status } = await this.send('POST', `/v1/spaces/${this.space}/content`, { changes });
      if (status === 200) this.acknowledged.push(title);
    }
  }

  private async read(): Promise<void> {
    const paths = [`/v1/spaces/${this.space}`, '/v1/user', `/v1/spaces/${this.space}/search?query=text`];
    for (let n = 0; !this.stopped; n += 1) await this.send('GET', paths[n % paths.length] ?? '');
  }

  private async send(method: string, path: string, body?: unknown): Promise<Outcome> {
    const outcome = await send([method, this.url + path, body], this.agent);
    this.outcomes.push(outcome);
    await wait(REST);
    return outcome;
  }
}
