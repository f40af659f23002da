import { Config, ConfigError, loadConfig } from './config.js';

type Variable = Exclude<keyof Config, 'embedded'>;

const KEY = 'a key that is made of 32 characters';

/** What `loadConfig` says against `environment`, a sentence a line. */
function complaint(environment: Record<string, string>): string {
  try {
    loadConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message;
  }
  throw new Error(`nothing is wrong with ${JSON.stringify(environment)}`);
}

describe('an empty environment', () => {
  it('gives the defaults', () => {
    expect({ ...loadConfig({}) }).toEqual({
      HOST: '127.0.0.1',
      PORT: 3000,
      PUBLIC_URL: 'http://localhost:3000',
      APP_URL: 'http://localhost:3000',
      PUBLISHED_URL: 'http://localhost:3000/published',
      TRUST_PROXY: false,
      CORS_ORIGINS: [],
      DATA_DIR: './data',
      DATABASE_PORT: 27018,
      DATABASE_MAX_BYTES: 0,
      LOG_LEVEL: 'info',
      RATE_LIMIT: 6000,
      SIGN_IN_RATE_LIMIT: 20,
      BODY_LIMIT: 10_485_760,
      REGISTRATION: 'invited',
      OUTBOUND_ALLOW: [],
      IMPORT_MAX_PAGES: 200,
      IMPORT_MAX_FILES: 200,
      IMPORT_TIMEOUT: 60,
      IMPORT_MAX_BYTES: 20_971_520,
      ARCHIVE_MAX_BYTES: 536_870_912,
      AUDIT_RETENTION: 400,
      OPENAPI_TIMEOUT: 15,
      SHUTDOWN_DELAY: 500,
    });
    expect(loadConfig({}).embedded).toBe(true);
  });

  it('is one whose values are empty or blank', () => {
    const names = Object.keys(loadConfig({})).concat('MONGODB_URI', 'SECRET_KEY', 'BOOTSTRAP_ADMIN_EMAIL');
    for (const blank of ['', '  ', '\t']) {
      expect(loadConfig(Object.fromEntries(names.map((name) => [name, blank])))).toEqual(loadConfig({}));
    }
  });

  it('is one that names other things', () => {
    expect(loadConfig({ embedded: 'x', __proto__: 'x', PATH: '/bin', host: 'x' })).toEqual(loadConfig({}));
  });
});

describe('a valid value', () => {
  it.each<[Variable, string, unknown]>([
    ['HOST', '0.0.0.0', '0.0.0.0'],
    ['HOST', '  ::  ', '::'],
    ['PORT', '0', 0],
    ['PORT', '65535', 65535],
    ['PUBLIC_URL', 'https://docs.example.org', 'https://docs.example.org'],
    ['PUBLIC_URL', 'https://example.org/docs//', 'https://example.org/docs'],
    ['APP_URL', 'http://app.example.org/', 'http://app.example.org'],
    ['PUBLISHED_URL', 'https://sites.example.org', 'https://sites.example.org'],
    ['TRUST_PROXY', 'true', true],
    ['TRUST_PROXY', 'false', false],
    ['TRUST_PROXY', '2', 2],
    ['TRUST_PROXY', '0', 0],
    ['TRUST_PROXY', 'loopback, 10.0.0.0/8, ::1', 'loopback, 10.0.0.0/8, ::1'],
    ['CORS_ORIGINS', '*', ['*']],
    ['CORS_ORIGINS', ' https://a.example , http://b.example:8080,', ['https://a.example', 'http://b.example:8080']],
    ['DATA_DIR', '/var/lib/colophon', '/var/lib/colophon'],
    ['SECRET_KEY', KEY, KEY],
    ['SECRET_KEY_FORMER', KEY, KEY],
    ['LOG_LEVEL', 'silent', 'silent'],
    ['DATABASE_PORT', '0', 0],
    ['DATABASE_MAX_BYTES', '0', 0],
    ['DATABASE_MAX_BYTES', '20gb', 21_474_836_480],
    ['RATE_LIMIT', '0', 0],
    ['RATE_LIMIT', '100', 100],
    ['SIGN_IN_RATE_LIMIT', '5', 5],
    ['BODY_LIMIT', '1024', 1024],
    ['BODY_LIMIT', '1kb', 1024],
    ['BODY_LIMIT', '2 MB', 2_097_152],
    ['BODY_LIMIT', '1Gb', 1_073_741_824],
    ['REGISTRATION', 'open', 'open'],
    ['REGISTRATION', 'closed', 'closed'],
    ['IMPORT_MAX_BYTES', '5mb', 5_242_880],
    ['ARCHIVE_MAX_BYTES', '5mb', 5_242_880],
    ['AUDIT_RETENTION', '0', 0],
    ['SHUTDOWN_DELAY', '20000', 20_000],
    ['IMPORT_MAX_PAGES', '1', 1],
    ['IMPORT_MAX_FILES', '0', 0],
    ['IMPORT_TIMEOUT', '3600', 3600],
    ['OPENAPI_TIMEOUT', '300', 300],
    ['OUTBOUND_ALLOW', '10.0.0.0/8, ::1,wiki.internal', ['10.0.0.0/8', '::1', 'wiki.internal']],
    ['BOOTSTRAP_ADMIN_EMAIL', 'ann@example.org', 'ann@example.org'],
  ])('%s=%j is read as %j', (name, text, value) => {
    expect(loadConfig({ [name]: text })[name]).toEqual(value);
  });

  it('of PORT is where the other addresses begin, and PUBLIC_URL in turn', () => {
    const addresses = ({ PUBLIC_URL, APP_URL, PUBLISHED_URL }: Config): string[] => [
      PUBLIC_URL,
      APP_URL,
      PUBLISHED_URL,
    ];
    expect(addresses(loadConfig({ PORT: '8080' }))).toEqual([
      'http://localhost:8080',
      'http://localhost:8080',
      'http://localhost:8080/published',
    ]);
    expect(addresses(loadConfig({ PORT: '8080', PUBLIC_URL: 'https://x.org/' }))).toEqual([
      'https://x.org',
      'https://x.org',
      'https://x.org/published',
    ]);
  });

  it.each(['mongodb://h/colophon', 'mongodb://u:p@a:1,b:2/?replicaSet=rs0', 'mongodb+srv://cluster.example.org/x'])(
    'of MONGODB_URI, with a key, makes the service use that server: %s',
    (uri) => {
      const config = loadConfig({ MONGODB_URI: uri, SECRET_KEY: KEY });
      expect(config.MONGODB_URI).toBe(uri);
      expect(config.embedded).toBe(false);
    },
  );

  it('of the BOOTSTRAP_ variables is taken with the others', () => {
    const given = {
      BOOTSTRAP_ADMIN_EMAIL: 'ann@example.org',
      BOOTSTRAP_ADMIN_TOKEN: `${'aA0-._~+/'.repeat(4)}==`,
      BOOTSTRAP_ORGANIZATION: 'Örganization 📘',
    };
    expect(loadConfig(given)).toMatchObject(given);
  });
});

describe('a value that cannot be used', () => {
  it.each<[Variable, string[], RegExp]>([
    ['PORT', ['abc', '-1', '1.5', '65536', '70000', '0x50', '1e3', '3000 3001'], /a whole number from 0 to 65535/],
    ['PUBLIC_URL', ['ftp://x', 'example.org', 'http:x', '//x', 'http://'], /must be an http or https address, not "/],
    ['APP_URL', ['javascript:alert(1)', 'https://a b'], /must be an http or https address, not "/],
    ['PUBLISHED_URL', ['file:///x'], /must be an http or https address, not "/],
    ['TRUST_PROXY', ['nonsense', 'True', '-1', '10.0.0.0/33', '1.2.3', 'a.example'], /TRUST_PROXY must be/],
    [
      'CORS_ORIGINS',
      ['nonsense', 'https://a.example/', 'https://a.example/x', 'a.example', 'https://a,b', 'null'],
      /must list origins such as .*, or be \*; ".+" is none/,
    ],
    ['DATABASE_PORT', ['x', '65536'], /a whole number from 0 to 65535/],
    ['DATABASE_MAX_BYTES', ['much', '1000', '-1', '0.5gb'], /must be a size of at least 1mb/],
    ['SECRET_KEY', ['short', 'x'.repeat(31)], /must be at least 32 characters long/],
    ['SECRET_KEY_FORMER', ['short'], /must be at least 32 characters long/],
    [
      'LOG_LEVEL',
      ['loud', 'INFO', 'log', '__proto__'],
      /must be one of fatal, error, warn, info, debug, trace, silent/,
    ],
    ['RATE_LIMIT', ['-1', 'none', '1.5', 'Infinity'], /must be a whole number, 0 for no limit/],
    ['SIGN_IN_RATE_LIMIT', ['-1', 'x'], /must be a whole number, 0 for no limit/],
    ['IMPORT_MAX_BYTES', ['much', '1000'], /must be a size of at least 1kb/],
    ['ARCHIVE_MAX_BYTES', ['much', '1000'], /must be a size of at least 1kb/],
    ['AUDIT_RETENTION', ['ever', '-1', '36501'], /must be a whole number of days/],
    ['SHUTDOWN_DELAY', ['soon', '-1', '600001', '1s'], /must be a whole number of milliseconds up to 600000/],
    ['IMPORT_MAX_PAGES', ['0', 'all', '1.5'], /must be a whole number from 1/],
    ['IMPORT_MAX_FILES', ['-1', 'all'], /must be a whole number, 0 for none/],
    ['IMPORT_TIMEOUT', ['0', '3601', '1m'], /must be a whole number of seconds from 1 to 3600/],
    ['OPENAPI_TIMEOUT', ['0', '301', '1m'], /must be a whole number of seconds from 1 to 300/],
    ['BODY_LIMIT', ['big', '10tb', '-1', '1.5mb', '1023', '0', 'kb', '1kb 2kb'], /must be .*at least 1kb|a size/],
    ['REGISTRATION', ['maybe', 'Open', 'constructor'], /must be one of closed, invited, open/],
    [
      'OUTBOUND_ALLOW',
      ['10.0.0.0/33', '1.2.3', 'host:80', 'http://x', '*', 'a/8', '-'],
      /must list networks such as .*; ".+" is none/,
    ],
    ['BOOTSTRAP_ADMIN_EMAIL', ['nobody', 'a@b', 'a b@c.d', '@x.org'], /must be an e-mail address/],
  ])('of %s is refused by name: %j', (name, texts, sentence) => {
    for (const text of texts) {
      const said = complaint({ [name]: text });
      expect(said).toMatch(sentence);
      expect(said.startsWith(`${name} `)).toBe(true);
      expect(said).not.toContain('\n');
    }
  });

  it.each(['http://x', 'localhost:27017', 'mongodb://', 'mongodb://a b'])('of MONGODB_URI is refused: %s', (uri) => {
    expect(complaint({ MONGODB_URI: uri, SECRET_KEY: KEY })).toMatch(
      /^MONGODB_URI must be an address such as mongodb:/,
    );
  });

  it.each(['short', 'has a space in between so that it is long enough', `${'x'.repeat(40)}ü`, 'x'.repeat(201)])(
    'of BOOTSTRAP_ADMIN_TOKEN is refused: %s',
    (token) => {
      const said = complaint({ BOOTSTRAP_ADMIN_EMAIL: 'a@b.c', BOOTSTRAP_ADMIN_TOKEN: token });
      expect(said).toMatch(/^BOOTSTRAP_ADMIN_TOKEN must be 32 to 200 characters/);
      expect(said).not.toContain(token);
    },
  );

  it.each(['x', 'x'.repeat(256), 'a\nb'])('of BOOTSTRAP_ORGANIZATION is refused: %j', (title) => {
    const said = complaint({ BOOTSTRAP_ADMIN_EMAIL: 'a@b.c', BOOTSTRAP_ORGANIZATION: title });
    expect(said).toBe('BOOTSTRAP_ORGANIZATION must be a title of 2 to 255 characters');
  });

  it('is told together with the others', () => {
    const said = complaint({ LOG_LEVEL: 'loud', RATE_LIMIT: 'x', REGISTRATION: 'maybe', CORS_ORIGINS: 'a,b' });
    expect(said.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'LOG_LEVEL',
      'RATE_LIMIT',
      'REGISTRATION',
      'CORS_ORIGINS',
      'CORS_ORIGINS',
    ]);
  });

  it('never shows a secret', () => {
    expect(complaint({ SECRET_KEY: 'hunter2' })).not.toContain('hunter2');
    expect(complaint({ MONGODB_URI: 'http://user:hunter2@h', SECRET_KEY: KEY })).not.toContain('hunter2');
  });
});

describe('values that do not go together', () => {
  it('are a database of several processes and no key for all of them', () => {
    expect(complaint({ MONGODB_URI: 'mongodb://h/x' })).toMatch(/^SECRET_KEY must be set when MONGODB_URI is/);
  });

  it.each(['BOOTSTRAP_ADMIN_TOKEN', 'BOOTSTRAP_ORGANIZATION'])('are %s and no administrator', (name) => {
    expect(complaint({ [name]: 'x'.repeat(40) })).toBe(
      'BOOTSTRAP_ADMIN_EMAIL must be set too when another BOOTSTRAP_ variable is',
    );
  });
});
