import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { TOKEN } from '../scripts/service.mjs';
import { ConfigError, loadConfig } from '../src/config/index.js';
import { Processes } from './support/processes.js';

const KEY = 'a key for tests that is long enough to be one';

/** Longest that a test of several starts may take on a busy machine, ms. */
const PATIENCE = 90_000;

const processes = new Processes();
afterEach(() => processes.clear());

describe('a setting that cannot be used', () => {
  const SIZE = 'BODY_LIMIT must be a size of at least 1kb: a number of bytes, or one such as 512kb or 10mb';
  const PORT = 'PORT must be a whole number from 0 to 65535';
  const PROXY = 'TRUST_PROXY must be true, false, a number of proxies, or their addresses such as 10.0.0.0/8, loopback';
  const EMAIL = 'BOOTSTRAP_ADMIN_EMAIL must be an e-mail address';
  const MISSING_KEY =
    'SECRET_KEY must be set when MONGODB_URI is: 32 random characters or more, the same for every process';
  const cases: [Record<string, string>, string][] = [
    [{ PORT: 'abc' }, PORT],
    [{ PORT: '70000' }, PORT],
    [{ PORT: '-1' }, PORT],
    [{ RATE_LIMIT: '-1' }, 'RATE_LIMIT must be a whole number, 0 for no limit'],
    [{ SIGN_IN_RATE_LIMIT: '1.5' }, 'SIGN_IN_RATE_LIMIT must be a whole number, 0 for no limit'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent'],
    [{ REGISTRATION: 'maybe' }, 'REGISTRATION must be one of closed, invited, open'],
    [{ BODY_LIMIT: 'big' }, SIZE],
    [{ BODY_LIMIT: '12' }, SIZE],
    [{ PUBLIC_URL: 'ftp://x' }, 'PUBLIC_URL must be an http or https address, not "ftp://x"'],
    [{ TRUST_PROXY: 'nonsense' }, PROXY],
    [{ TRUST_PROXY: '10.0.0.0/0' }, PROXY],
    [
      { MONGODB_URI: 'http://x', SECRET_KEY: KEY },
      'MONGODB_URI must be an address such as mongodb://host:27017/colophon?replicaSet=rs0',
    ],
    [{ MONGODB_URI: 'mongodb://127.0.0.1:1/x' }, MISSING_KEY],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY must be at least 32 characters long'],
    [
      { OUTBOUND_ALLOW: '10.0.0.0/99' },
      'OUTBOUND_ALLOW must list networks such as 10.1.0.0/16, addresses or names of hosts; "10.0.0.0/99" is none',
    ],
    [
      { CORS_ORIGINS: 'https://fine.example,nonsense' },
      'CORS_ORIGINS must list origins such as https://docs.example.org, or be *; "nonsense" is none',
    ],
    [{ BOOTSTRAP_ADMIN_EMAIL: 'nobody' }, EMAIL],
    [
      { BOOTSTRAP_ADMIN_EMAIL: '', BOOTSTRAP_ADMIN_TOKEN: TOKEN },
      'BOOTSTRAP_ADMIN_EMAIL must be set too when another BOOTSTRAP_ variable is',
    ],
    [
      { BOOTSTRAP_ADMIN_TOKEN: 'short' },
      'BOOTSTRAP_ADMIN_TOKEN must be 32 to 200 characters that a bearer token may have: letters, digits and -._~+/',
    ],
    [{ BOOTSTRAP_ORGANIZATION: 'x' }, 'BOOTSTRAP_ORGANIZATION must be a title of 2 to 255 characters'],
  ];

  it.each(cases)('is told in a sentence: %j', (environment, sentence) => {
    const given = { BOOTSTRAP_ADMIN_EMAIL: 'admin@example.org', ...environment };
    expect(() => loadConfig(given)).toThrow(new ConfigError(sentence));
  });

  it(
    'ends the start with nothing but such sentences, all that can be told at once',
    async () => {
      const data = join(await processes.folder(), 'data');
      const end = async (environment: Record<string, string>) => processes.serve(data, environment).ended;
      const [one, several, unknown, unreachable] = await Promise.all([
        end({ PORT: 'abc' }),
        end({ RATE_LIMIT: '-1', LOG_LEVEL: 'loud', BODY_LIMIT: 'big', SECRET_KEY: 'short', CORS_ORIGINS: 'nonsense' }),
        end({ MONGODB_URI: 'mongodb://127.0.0.1:1/x' }),
        end({ MONGODB_URI: 'mongodb://ann:password@127.0.0.1:1/x', SECRET_KEY: KEY }),
      ]);
      const said = (...sentences: string[]) => `Colophon cannot start: ${sentences.join('\n')}\n`;
      expect(one).toEqual({ code: 1, stdout: '', stderr: said(PORT) });
      expect(unknown).toEqual({ code: 1, stdout: '', stderr: said(MISSING_KEY) });
      expect([several.code, several.stdout]).toEqual([1, '']);
      const [, sentences = ''] = /^Colophon cannot start: ([^]*)\n$/.exec(several.stderr) ?? [];
      expect(sentences.split('\n').sort()).toEqual([
        SIZE,
        'CORS_ORIGINS must list origins such as https://docs.example.org, or be *; "nonsense" is none',
        'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
        'RATE_LIMIT must be a whole number, 0 for no limit',
        'SECRET_KEY must be at least 32 characters long',
      ]);
      expect([unreachable.code, unreachable.stderr]).toEqual([
        1,
        said('MONGODB_URI cannot be used: connect ECONNREFUSED 127.0.0.1:1'),
      ]);
      expect(unreachable.stdout).not.toContain('password');
      expect(existsSync(data)).toBe(false);
    },
    PATIENCE,
  );

  it(
    'may be a port that is taken, an address of another machine, or a folder that is none',
    async () => {
      const other = createServer();
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const address = other.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      const data = await processes.folder();
      const file = join(data, 'file');
      await writeFile(file, '');
      try {
        const [taken, foreign, none] = await Promise.all([
          processes.serve(join(data, 'one'), { PORT: String(port) }).ended,
          processes.serve(join(data, 'two'), { HOST: '203.0.113.7' }).ended,
          processes.serve(file).ended,
        ]);
        const listen = 'Colophon cannot start: HOST and PORT cannot be used: listen';
        expect([taken.code, taken.stderr]).toEqual([
          1,
          `${listen} EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
        ]);
        expect([foreign.code, foreign.stderr.replace(/\d+\n$/, 'PORT')]).toEqual([
          1,
          `${listen} EADDRNOTAVAIL: address not available 203.0.113.7:PORT`,
        ]);
        expect([none.code, none.stderr]).toEqual([
          1,
          `Colophon cannot start: DATA_DIR cannot be used: ENOTDIR: not a directory, mkdir '${file}/database'\n`,
        ]);
      } finally {
        other.close();
      }
    },
    PATIENCE,
  );
});
