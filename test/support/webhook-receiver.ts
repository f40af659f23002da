import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Connection } from 'mongoose';
import { WebhookDeliverer } from '../../src/webhooks/index.js';
import type { TestApp } from './app.js';
import { until } from './until.js';

/** A delivery as it came. */
export interface Arrival {
  id: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** Exactly as it was sent. */
  body: string;
  type: string;
  timestamp: string;
  data: Record<string, string>;
}

/** What a receiver does with an arrival: a status, with or without a body, or nothing but to break the connection off. */
export type Reaction = number | { status: number; body?: string; headers?: Record<string, string> } | 'break';

/** A foreign server that takes deliveries. */
export class WebhookReceiver {
  /** What came, in order, whatever was answered. */
  readonly arrivals: Arrival[] = [];
  /** What it does; may wait. */
  react: (arrival: Arrival) => Reaction | Promise<Reaction> = () => 204;
  private readonly server = createServer((request, response) => void this.take(request, response));

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  /** What came to `path`. */
  at(path: string): Arrival[] {
    return this.arrivals.filter((arrival) => arrival.path === path);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.closeAllConnections();
      this.server.close(() => {
        resolve();
      });
    });
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { type, timestamp, data } = JSON.parse(body) as Pick<Arrival, 'type' | 'timestamp' | 'data'>;
    const id = String(request.headers['webhook-id']);
    const arrival = { id, path: request.url ?? '', headers: request.headers, body, type, timestamp, data };
    this.arrivals.push(arrival);
    const reaction = await this.react(arrival);
    if (reaction === 'break') {
      request.socket.destroy();
      return;
    }
    const answer = typeof reaction === 'number' ? { status: reaction } : reaction;
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }
}

/** Whether `arrival` was signed with `secret`, found out as receivers do. */
export function isSigned({ headers, body }: Arrival, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

/** Lets all time go by that deliveries wait for, and has `app` take them up. Deliveries under way come to their end first. */
export async function letTimePass(app: TestApp): Promise<void> {
  // what became of an attempt is written before its lane is let go of, with the time of the next
  const held = { holder: { $ne: null } };
  await until('no lane is held', async () => !(await app.connection.collection('webhook_lanes').findOne(held)));
  const waiting = { dueAt: { $ne: null }, holder: null };
  await app.connection.collection('webhook_lanes').updateMany(waiting, { $set: { dueAt: new Date() } });
  app.nest.get(WebhookDeliverer, { strict: false }).wake();
}

/** Lets the time go by after which others may take what processes held that are dead by now: all there are. */
export async function letLeasesEnd(connection: Connection): Promise<void> {
  const waiting = { dueAt: { $ne: null } };
  await connection.collection('webhook_lanes').updateMany(waiting, { $set: { dueAt: new Date() } });
}
