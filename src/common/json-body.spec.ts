import { connect } from 'node:net';
import { createServer } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import request from 'supertest';
import { jsonBody } from './json-body.js';

const LIMIT = 100;

/** Answers what was read of the body, or the status of what went wrong. */
const app = express()
  .use(...jsonBody(LIMIT))
  .use((incoming: Request, outgoing: Response) => {
    outgoing.json({ body: incoming.body as unknown });
  })
  .use((error: { status: number }, _incoming: Request, outgoing: Response, _next: NextFunction) => {
    outgoing.status(error.status).json({ failed: error.status });
  });
const server = createServer((incoming, outgoing) => {
  app(incoming, outgoing);
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const send = (type: string, body: string, path = '/'): request.Test =>
  request(server).post(path).set('Content-Type', type).send(body);

const bodyOf = async (test: request.Test): Promise<unknown> => {
  const answer = await test.expect(200);
  return (answer.body as { body?: unknown }).body;
};

/** The first line of the answer to a request that is sent byte for byte. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server does not listen');
    const socket = connect(address.port, '127.0.0.1', () => socket.end(text));
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    socket.on('end', () => {
      resolve(answer);
    });
    socket.on('error', reject);
  });
}

describe('jsonBody', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; profile=x',
  ])('reads %s', async (type) => {
    expect(await bodyOf(send(type, '{"a":"ü"}'))).toEqual({ a: 'ü' });
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/problem+json',
    'application/merge-patch+json',
    'multipart/form-data; boundary=x',
    'text/html, application/json',
  ])('refuses %s, and says what it takes', async (type) => {
    const answer = await send(type, '{"a":1}', '/no/such/path').expect(415);
    expect(answer.body).toEqual({
      error: { code: 415, message: `Send the body as Content-Type: application/json, not ${type}` },
    });
  });

  it('refuses a body without a type', async () => {
    const answer = await raw('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}');
    expect(answer).toMatch(/^HTTP\/1.1 415 /);
    expect(answer).toContain('not none');
  });

  it('refuses a body of unknown length and another type', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n';
    const chunks = '\r\n2\r\n{}\r\n0\r\n\r\n';
    expect(await raw(`${head}Content-Type: text/plain\r\n${chunks}`)).toMatch(/^HTTP\/1.1 415 /);
    expect(await raw(`${head}Content-Type: application/json\r\n${chunks}`)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('does not mind the type of a request without a body', async () => {
    expect(await bodyOf(request(server).get('/').set('Content-Type', 'text/plain'))).toBeUndefined();
    expect(await bodyOf(request(server).post('/').set('Content-Type', 'text/plain').set('Content-Length', '0'))).toBe(
      undefined,
    );
    expect(await bodyOf(request(server).delete('/'))).toBeUndefined();
  });

  it('reads up to its limit, in bytes', async () => {
    const text = (length: number): string => JSON.stringify({ a: 'x'.repeat(length - 8) });
    expect(await bodyOf(send('application/json', text(LIMIT)))).toHaveProperty('a');
    await send('application/json', text(LIMIT + 1)).expect(413);
    await send('application/json', `{"a":"${'ü'.repeat(47)}"}`).expect(413);
  });

  it.each(['{', '{"a":1}x', "{'a':1}", 'true', '"text"', '5', 'null', 'undefined'])(
    'reads %j as no object',
    async (text) => {
      await send('application/json', text).expect(400);
    },
  );
});
