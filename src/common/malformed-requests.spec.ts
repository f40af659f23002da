import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { answerMalformed } from './malformed-requests.js';

let server: Server;

beforeAll(async () => {
  server = createServer({ connectionsCheckingInterval: 20, headersTimeout: 200 }, (request, response) => {
    if (request.url === '/slow') {
      response.write('half an ans');
      return;
    }
    request.resume().on('end', () => response.end('well'));
  });
  answerMalformed(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Everything that comes back on a connection on which `parts` are sent, each when something came for the one before. */
function exchange(...parts: string[]): Promise<string> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(parts.shift() ?? ''));
    socket
      .on('data', (data) => {
        received += data.toString();
        const next = parts.shift();
        if (next !== undefined) socket.write(next);
      })
      .on('error', () => undefined)
      .on('close', () => {
        resolve(received);
      });
  });
}

/** Status and body of the last answer in `received`, which has to be JSON that ends the connection. */
function lastOf(received: string): [number, unknown] {
  const answer = received.slice(received.lastIndexOf('HTTP/1.1 '));
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/^Content-Type: application\/json; charset=utf-8$/m);
  expect(head).toMatch(/^Connection: close$/m);
  return [Number(head.split(' ')[1]), JSON.parse(body)];
}

const MALFORMED = 'The request is not HTTP as it should be';
const HEAD = 'Host: x\r\n';

describe('what is no request', () => {
  it.each<[string, string, number, string]>([
    ['nonsense', 'NONSENSE\r\n\r\n', 400, MALFORMED],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, MALFORMED],
    ['a control character in a header', `GET / HTTP/1.1\r\n${HEAD}A: b\u0000c\r\n\r\n`, 400, MALFORMED],
    ['two lengths', `POST / HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400, MALFORMED],
    ['a chunk without a size', `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nz\r\n`, 400, MALFORMED],
    [
      'long headers',
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${HEAD}\r\n`,
      431,
      'The address and the headers of the request are too long',
    ],
    [
      'long extensions of chunks',
      `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(20_000)}\r\n`,
      413,
      'The extensions of the chunks of the body are too long',
    ],
    ['no end', `GET / HTTP/1.1\r\n${HEAD}`, 408, 'The request did not come to its end in time'],
    [
      'an expectation',
      `GET / HTTP/1.1\r\n${HEAD}Expect: nonsense\r\n\r\n`,
      417,
      'The only expectation that is met is "Expect: 100-continue"',
    ],
  ])('is answered with the envelope: %s', async (_name, sent, code, message) => {
    expect(lastOf(await exchange(sent))).toEqual([code, { error: { code, message } }]);
  });

  it('is answered after the request before it', async () => {
    const received = await exchange(`GET / HTTP/1.1\r\n${HEAD}\r\n`, 'NONSENSE\r\n\r\n');
    expect(received).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(lastOf(received)).toEqual([400, { error: { code: 400, message: MALFORMED } }]);
  });

  it('is not answered in the middle of another answer', async () => {
    const received = await exchange(`GET /slow HTTP/1.1\r\n${HEAD}\r\n`, 'NONSENSE\r\n\r\n');
    expect(received).toMatch(/half an ans\r\n$/);
  });
});
