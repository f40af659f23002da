import { deserialize, serialize, type Document } from 'bson';
import { connect, type Socket } from 'node:net';
import { startTestEngine, type TestEngine } from '../../../../test/support/embedded-engine.js';
import { Frames } from './frames.js';

const OP_MSG = 2013;
const OP_QUERY = 2004;

interface Options {
  flags?: number;
  sequences?: Record<string, Document[]>;
  id?: number;
}

function opMsg(command: Document, { flags = 0, sequences = {}, id = 7 }: Options = {}): Buffer {
  const parts: Uint8Array[] = [Buffer.from([0]), serialize(command)];
  for (const [name, documents] of Object.entries(sequences)) {
    const content = Buffer.concat([Buffer.from(`${name}\0`), ...documents.map((doc) => serialize(doc))]);
    const size = Buffer.alloc(4);
    size.writeInt32LE(content.length + 4);
    parts.push(Buffer.from([1]), size, content);
  }
  if (flags & 1) parts.push(Buffer.alloc(4));
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(20);
  header.writeInt32LE(20 + body.length, 0);
  header.writeInt32LE(id, 4);
  header.writeInt32LE(OP_MSG, 12);
  header.writeUInt32LE(flags, 16);
  return Buffer.concat([header, body]);
}

function opQuery(command: Document): Buffer {
  const name = Buffer.from('admin.$cmd\0');
  const body = serialize(command);
  const out = Buffer.alloc(20 + name.length + 8);
  out.writeInt32LE(out.length + body.length, 0);
  out.writeInt32LE(3, 4);
  out.writeInt32LE(OP_QUERY, 12);
  name.copy(out, 20);
  return Buffer.concat([out, body]);
}

describe('frames', () => {
  const message = (size: number): Buffer => {
    const bytes = Buffer.alloc(size, size);
    bytes.writeInt32LE(size, 0);
    return bytes;
  };

  it('cuts the stream into messages, however it is chunked', () => {
    const messages = [20, 37, 1000, 21].map(message);
    const stream = Buffer.concat(messages);
    for (const size of [1, 2, 3, 7, 19, 64, 500, 2000]) {
      const frames = new Frames(2000);
      const found: Buffer[] = [];
      for (let at = 0; at < stream.length; at += size) found.push(...frames.push(stream.subarray(at, at + size)));
      expect(found).toEqual(messages);
    }
  });

  it.each([0, 15, -1, 2001])('refuses a length of %d', (length) => {
    const bytes = Buffer.alloc(20);
    bytes.writeInt32LE(length, 0);
    expect(() => new Frames(2000).push(bytes)).toThrow(`${length} bytes`);
  });
});

describe('wire protocol', () => {
  let test: TestEngine;
  let socket: Socket;
  let received: Buffer;

  beforeAll(async () => {
    test = await startTestEngine();
  });
  afterAll(() => test.stop());
  beforeEach(() => {
    received = Buffer.alloc(0);
    socket = connect(test.engine.port, '127.0.0.1');
    socket.on('data', (chunk: Buffer) => (received = Buffer.concat([received, chunk])));
    socket.on('error', () => undefined);
  });
  afterEach(() => socket.destroy());

  /** The next reply: what it answers, and which request. */
  async function reply(prefix = 21): Promise<{ to: number; body: Document }> {
    for (;;) {
      if (received.length >= 4 && received.length >= received.readInt32LE(0)) {
        const message = received.subarray(0, received.readInt32LE(0));
        received = received.subarray(message.length);
        return { to: message.readInt32LE(8), body: deserialize(message.subarray(prefix)) };
      }
      await new Promise((resolve) => socket.once('data', resolve));
    }
  }

  it('answers an old handshake in its own form', async () => {
    socket.write(opQuery({ isMaster: 1, helloOk: true }));
    const { to, body } = await reply(36);
    expect(to).toBe(3);
    expect(body).toMatchObject({
      ismaster: true,
      helloOk: true,
      setName: 'rs0',
      hosts: [`127.0.0.1:${test.engine.port}`],
      me: `127.0.0.1:${test.engine.port}`,
      maxWireVersion: 21,
      logicalSessionTimeoutMinutes: 30,
      readOnly: false,
      ok: 1,
    });
    expect(body).not.toHaveProperty('topologyVersion');
  });

  it('answers messages in order, also when they come in one chunk or in many', async () => {
    const messages = [1, 2, 3].map((id) => opMsg({ PING: 1, $db: 'x' }, { id }));
    socket.write(Buffer.concat(messages));
    expect([(await reply()).to, (await reply()).to, (await reply()).to]).toEqual([1, 2, 3]);
    for (const byte of opMsg({ ping: 1, $db: 'x' }, { id: 9 })) {
      socket.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { to, body } = await reply();
    expect(to).toBe(9);
    expect(body).toMatchObject({ ok: 1 });
    expect(body).toHaveProperty('operationTime');
  });

  it('reads document sequences and ignores a checksum', async () => {
    const documents = [{ _id: 1 }, { _id: 2 }];
    socket.write(opMsg({ insert: 'wire', $db: 'x' }, { sequences: { documents }, flags: 1 }));
    expect((await reply()).body).toMatchObject({ n: 2, ok: 1 });
    socket.write(opMsg({ insert: 'wire', documents: [{ _id: 3 }], $db: 'x' }));
    expect((await reply()).body).toMatchObject({ n: 1, ok: 1 });
  });

  it('does not answer what wants no answer', async () => {
    socket.write(opMsg({ endSessions: [], $db: 'admin' }, { flags: 2, id: 1 }));
    socket.write(opMsg({ ping: 1, $db: 'admin' }, { id: 2 }));
    expect((await reply()).to).toBe(2);
  });

  it('breaks the connection of who speaks another protocol', async () => {
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await closed;
    expect((await test.db.command({ ping: 1 })).ok).toBe(1);
  });

  it('answers broken BSON with an error, and goes on', async () => {
    const broken = opMsg({ find: 'a', filter: { a: 'text' }, $db: 'x' }, { id: 1 });
    broken.writeInt32LE(0x7fff, broken.indexOf('text') - 4);
    socket.write(broken);
    expect((await reply()).body).toMatchObject({ ok: 0, code: 9 });
    socket.write(opMsg({ ping: 1, $db: 'x' }, { id: 2 }));
    expect((await reply()).body.ok).toBe(1);
  });

  it('refuses what is nested too deeply, and goes on', async () => {
    let deep = serialize({});
    for (let n = 0; n < 3000; n++) {
      const out = Buffer.concat([Buffer.alloc(4), Buffer.from('\x03a\0', 'latin1'), deep, Buffer.from([0])]);
      out.writeInt32LE(out.length, 0);
      deep = out;
    }
    const message = opMsg({ insert: 'deep', $db: 'x' }, { sequences: { documents: [] } });
    const sequence = Buffer.concat([message, deep]);
    sequence.writeInt32LE(sequence.length, 0);
    const sizeAt = message.length - Buffer.byteLength('documents\0') - 4;
    sequence.writeInt32LE(sequence.readInt32LE(sizeAt) + deep.length, sizeAt);
    socket.write(sequence);
    expect((await reply()).body).toMatchObject({ n: 0, writeErrors: [{ code: 15 }] });
  });
});
