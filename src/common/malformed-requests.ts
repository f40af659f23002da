import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { envelope } from './error.filter.js';

/** What is told of requests that come to no route, by the code of the parser's error. */
const FAILURES: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The address and the headers of the request are too long' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The extensions of the chunks of the body are too long' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not come to its end in time' },
};
const MALFORMED = { status: 400, message: 'The request is not HTTP as it should be' };

/**
 * Answers what `server` cannot read as a request, or is not able to do what it expects, as every failed request is answered
 * (decisions, section 8): 400, 408, 413, 417 or 431 with the envelope. The connection ends with that.
 */
export function answerMalformed(server: Server): void {
  const last = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    last.set(request.socket, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const before = last.get(socket);
    // into an answer that has begun, no other is written
    const writing = before !== undefined && before.headersSent && !before.writableFinished;
    if (socket.writable && !writing && error.code !== 'ECONNRESET') {
      const { status, message } = FAILURES[error.code ?? ''] ?? MALFORMED;
      socket.write(written(status, message));
    }
    socket.destroy();
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { headers, body } = answerOf(417, 'The only expectation that is met is "Expect: 100-continue"');
    response.writeHead(417, headers).end(body);
  });
}

function answerOf(status: number, message: string): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(envelope(status, message));
  const headers = {
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return { headers, body };
}

function written(status: number, message: string): string {
  const { headers, body } = answerOf(status, message);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n');
}
