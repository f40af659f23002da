import { createServer, type Server, type Socket } from 'node:net';
import { Frames } from './frames.js';
import { encodeReply, MAX_MESSAGE_SIZE, parseMessage, type Message, type Reply } from './message.js';

/** One client's connection. */
export interface Connection {
  readonly id: number;
  /** What the client says of itself; the connections of one process share it. */
  client: string;
  /** Breaks it, without a reply. */
  close(): void;
}

/** Answers commands. */
export interface Service {
  /** The reply to one message; it does not throw. */
  answer(message: Message, connection: Connection): Reply | Promise<Reply>;
  /** The reply that reports a failure. */
  failure(error: unknown): Reply;
  /** A connection is gone. */
  closed(connection: Connection): void;
}

/** Listens on the loopback address and hands over messages, those of one connection one after the other. */
export class WireServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #lastId = 0;

  constructor(readonly service: Service) {
    this.#server = createServer({ noDelay: true }, (socket) => {
      this.#accept(socket);
    });
  }

  /** Starts listening; `port` 0 takes any free one. Answers the port. */
  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', () => {
        const address = this.#server.address();
        resolve(typeof address === 'object' && address ? address.port : port);
      });
    });
  }

  /** Takes no more connections and breaks those there are. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #accept(socket: Socket): void {
    const id = ++this.#lastId;
    const connection: Connection = { id, client: '', close: () => socket.destroy() };
    const frames = new Frames(MAX_MESSAGE_SIZE);
    const queue = new AnswerQueue(this.service, connection, socket);
    this.#sockets.add(socket);
    socket.on('data', (chunk) => {
      try {
        for (const bytes of frames.push(chunk)) queue.push(parseMessage(bytes));
      } catch {
        // whoever sends such bytes speaks another protocol: there is nothing to answer
        socket.destroy();
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.service.closed(connection);
    });
  }
}

class AnswerQueue {
  readonly #waiting: Message[] = [];
  #busy = false;

  constructor(
    readonly service: Service,
    readonly connection: Connection,
    readonly socket: Socket,
  ) {}

  push(message: Message): void {
    this.#waiting.push(message);
    if (!this.#busy) this.#work();
  }

  #work(): void {
    for (let message = this.#waiting.shift(); message; message = this.#waiting.shift()) {
      const reply = this.service.answer(message, this.connection);
      if (reply instanceof Promise) {
        this.#await(message, reply);
        return;
      }
      this.#send(message, reply);
    }
  }

  #await(message: Message, pending: Promise<Reply>): void {
    this.#busy = true;
    void pending.then((reply) => {
      this.#busy = false;
      this.#send(message, reply);
      this.#work();
    });
  }

  #send(message: Message, reply: Reply): void {
    if (message.silent || !this.socket.writable) return;
    let bytes: Buffer;
    try {
      bytes = encodeReply(message, reply);
    } catch (error) {
      bytes = encodeReply(message, this.service.failure(error));
    }
    this.socket.write(bytes);
  }
}
