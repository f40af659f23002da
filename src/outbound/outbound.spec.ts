import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { redirectTo, type Route, startWebServer, type WebServer } from '../../test/support/web-server.js';
import { loadConfig } from '../config/index.js';
import { type FetchOptions, Outbound } from './outbound.js';
import { OutboundError } from './outbound-error.js';

const MB = 1024 * 1024;

const outbound = (OUTBOUND_ALLOW = '127.0.0.1'): Outbound =>
  new Outbound(loadConfig({ OUTBOUND_ALLOW, PUBLIC_URL: 'https://docs.example.org' }));

/** A body in the coding `encoding`. */
const coded =
  (encoding: string, body: Buffer): Route =>
  (_request, response) => {
    response.writeHead(200, { 'Content-Encoding': encoding, 'Content-Type': 'text/plain' }).end(body);
  };

describe('sending something to a foreign address', () => {
  let web: WebServer;
  const bodies: string[] = [];
  const options = { body: '{"a":"é"}', headers: { 'Content-Type': 'application/json' }, timeout: 500, keep: 4 };

  beforeAll(async () => {
    web = await startWebServer({
      '/take': (request, response) => {
        void text(request).then((body) => {
          bodies.push(body);
          response.writeHead(202).end('taken, with thanks');
        });
      },
      '/moved': redirectTo('/take', 307),
      '/slow': (_request, response) => {
        response.writeHead(200).write('ab');
      },
      '/silent': () => undefined,
    });
  });
  afterAll(() => web.close());

  it('sends what was given as it is, and answers the status and how the body begins', async () => {
    expect(await outbound().post(`${web.url}/take`, options)).toEqual({ status: 202, body: Buffer.from('take') });
    expect(bodies).toEqual([options.body]);
    expect(web.requests.at(-1)?.method).toBe('POST');
    expect(web.requests.at(-1)?.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '10' });
  });

  it('follows no redirect, and keeps what came of a body that does not end', async () => {
    expect(await outbound().post(`${web.url}/moved`, options)).toEqual({ status: 307, body: Buffer.alloc(0) });
    expect(await outbound().post(`${web.url}/slow`, options)).toEqual({ status: 200, body: Buffer.from('ab') });
    expect(bodies).toHaveLength(1);
  });

  it('refuses what may not be reached, and gives up when time is over', async () => {
    const reasonOf = (address: string, from = outbound()): Promise<unknown> =>
      from.post(address, options).catch((error: unknown) => (error as OutboundError).reason);
    expect(await reasonOf(`${web.url}/take`, outbound('10.0.0.0/8'))).toBe('refused');
    expect(await reasonOf('http://ann:secret@127.0.0.1/')).toBe('refused');
    expect(await reasonOf(`${web.url}/silent`)).toBe('timeout');
    expect(bodies).toHaveLength(1);
  });
});

describe('fetching a foreign address', () => {
  let web: WebServer;

  const refusal = async (path: string, options?: FetchOptions, from = outbound()): Promise<[string, string]> => {
    const error: unknown = await from.fetch(new URL(path, web.url), options).catch((thrown: unknown) => thrown);
    if (!(error instanceof OutboundError)) throw new Error(`It was fetched: ${path}`, { cause: error });
    return [error.reason, error.message];
  };
  const reasonFor = async (...given: Parameters<typeof refusal>): Promise<string> => (await refusal(...given))[0];

  beforeAll(async () => {
    web = await startWebServer({
      '/plain': (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Set-Cookie': 'a=b' }).end('<p>hello');
      },
      '/empty': '',
      '/moved': redirectTo('/plain#part', 301),
      '/twice': redirectTo('moved', 307),
      '/loop': redirectTo('/loop'),
      '/to-metadata': redirectTo('http://169.254.169.254/latest/meta-data/'),
      '/to-loopback': (_request, response) => {
        response.writeHead(302, { Location: `${web.url}/plain` }).end();
      },
      '/to-file': redirectTo('file:///etc/passwd'),
      '/to-nowhere': redirectTo('http://'),
      '/to-password': redirectTo('http://u:p@127.0.0.1/'),
      '/gzip': coded('gzip', gzipSync('squeezed')),
      '/br': coded('br', brotliCompressSync('squeezed')),
      '/bomb': coded('gzip', gzipSync(Buffer.alloc(60 * MB))),
      '/br-bomb': coded('br', brotliCompressSync(Buffer.alloc(30 * MB))),
      '/bomb-in-bomb': coded('gzip, gzip', gzipSync(gzipSync(Buffer.alloc(MB)))),
      '/broken': coded('gzip', gzipSync(Buffer.alloc(1000)).subarray(0, 20)),
      '/large': Buffer.alloc(30 * MB),
      '/endless': (_request, response) => {
        const more = (): void => {
          if (response.write(Buffer.alloc(MB))) setImmediate(more);
          else response.once('drain', more);
        };
        more();
      },
      '/silent': () => undefined,
      '/slow': (_request, response) => {
        const timer = setInterval(() => response.write('.'), 20);
        response.on('close', () => {
          clearInterval(timer);
        });
      },
      '/headers': (_request, response) => {
        response.writeHead(200, { 'X-Long': 'x'.repeat(40_000) }).end();
      },
    });
  });

  afterAll(() => web.close());

  it('answers final address, status, type, headers and body', async () => {
    const fetched = await outbound().fetch(`${web.url}/twice#there`, {
      accept: 'text/html',
      headers: { 'X-Own': 'yes' },
    });
    expect(fetched).toEqual({
      url: `${web.url}/plain`,
      status: 200,
      contentType: 'text/html; charset=utf-8',
      headers: expect.objectContaining({ 'set-cookie': ['a=b'] }) as unknown,
      body: Buffer.from('<p>hello'),
    });
    const { headers } = web.requests.at(-1) ?? {};
    expect(headers).toEqual({
      host: `127.0.0.1:${String(web.port)}`,
      accept: 'text/html',
      'accept-encoding': 'gzip, br',
      'user-agent': expect.stringMatching(/^Colophon\/\d+\.\d+\.\d+\S* \(\+https:\/\/docs\.example\.org\)$/) as unknown,
      'x-own': 'yes',
      connection: 'close',
    });
  });

  it('keeps headers for the origin that they were given for', async () => {
    const other = await startWebServer({ '/': redirectTo(`${web.url}/plain`) });
    await outbound().fetch(other.url, { headers: { Authorization: 'Bearer secret' } });
    await other.close();
    expect(other.requests[0]?.headers.authorization).toBe('Bearer secret');
    expect(web.requests.at(-1)?.headers.authorization).toBeUndefined();
  });

  it('answers statuses that are no success, and bodies of no bytes', async () => {
    expect(await outbound().fetch(`${web.url}/gone`)).toMatchObject({ status: 404, contentType: '' });
    expect((await outbound().fetch(`${web.url}/empty`)).body).toHaveLength(0);
  });

  it.each(['/gzip', '/br'])('decompresses: %s', async (path) => {
    expect((await outbound().fetch(web.url + path)).body.toString()).toBe('squeezed');
  });

  it.each([
    'http://127.0.0.1:1/',
    'http://127.0.0.2/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]:1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://2130706434/',
    'http://0x7f.2/',
    'http://0/',
    'ftp://example.org/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'http://user@example.org/',
    'http://:secret@example.org/',
    'http://example.org:25/',
  ])('refuses %s', async (address) => {
    expect(await reasonFor(address)).toBe('refused');
  });

  it('refuses names that lead to a private address, and says what would allow them', async () => {
    const address = `http://localhost:${String(web.port)}/plain`;
    const [reason, message] = await refusal(address, {}, outbound('10.0.0.0/8'));
    expect(reason).toBe('refused');
    expect(message).toBe(
      'The address is not fetched: it leads into a private or reserved network; OUTBOUND_ALLOW names those that are allowed',
    );
    expect((await outbound('localhost').fetch(address)).status).toBe(200);
    expect((await outbound('127.0.0.0/8,::1').fetch(address)).status).toBe(200);
  });

  it.each(['/to-metadata', '/to-file', '/to-password'])('refuses a redirect: %s', async (path) => {
    expect(await reasonFor(path)).toBe('refused');
  });

  it('refuses a redirect from a host that is allowed to the same machine under an address that is not', async () => {
    const address = `http://localhost:${String(web.port)}/to-loopback`;
    expect(await reasonFor(address, {}, outbound('localhost'))).toBe('refused');
  });

  it('follows so many redirects and no more', async () => {
    const before = web.requests.length;
    expect(await refusal('/loop')).toEqual(['redirects', 'The address redirects more than 5 times']);
    expect(web.requests.length - before).toBe(6);
    expect(await reasonFor('/moved', { maxRedirects: 0 })).toBe('redirects');
    expect(await reasonFor('/to-nowhere')).toBe('failed');
  });

  it('takes no more bytes than allowed, announced or not, compressed or not', async () => {
    const limit = { maxBytes: 20 * MB };
    for (const path of ['/large', '/endless', '/bomb', '/br-bomb'])
      expect(await reasonFor(path, limit)).toBe('too-large');
    expect(await reasonFor('/gzip', { maxBytes: 7 })).toBe('too-large');
    expect((await outbound().fetch(`${web.url}/br`, { maxBytes: 8 })).body.toString()).toBe('squeezed');
  });

  it('takes no more time than allowed, whatever it is spent on', async () => {
    for (const path of ['/silent', '/slow']) {
      expect(await refusal(path, { timeout: 150 })).toEqual([
        'timeout',
        'The address did not answer within 150 ms; try again later',
      ]);
    }
  });

  it('ends when the caller says so', async () => {
    const stop = new AbortController();
    const reason = reasonFor('/silent', { signal: stop.signal });
    await wait(30);
    stop.abort();
    expect(await reason).toBe('failed');
    expect(await reasonFor('/plain', { signal: AbortSignal.abort() })).toBe('failed');
  });

  it('fails on what cannot be read, and says why', async () => {
    expect(await reasonFor('/bomb-in-bomb')).toBe('failed');
    expect(await reasonFor('/broken')).toBe('failed');
    expect(await reasonFor('/headers')).toBe('failed');
    const closed = await startWebServer({});
    await closed.close();
    expect(await refusal(closed.url)).toEqual(['failed', 'Nobody answers at the address']);
    const error: unknown = await outbound()
      .fetch('no address')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: 'failed', message: expect.stringContaining('malformed') as unknown });
  });

  it('fails on what speaks another protocol', async () => {
    const other = createServer((socket) => socket.resume().end('220 smtp ready\r\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    expect(await reasonFor(`http://127.0.0.1:${String(port)}/`)).toBe('failed');
    expect(await reasonFor(`https://127.0.0.1:${String(port)}/`)).toBe('failed');
    await new Promise((resolve) => other.close(resolve));
  });
});
