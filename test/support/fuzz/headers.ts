import fc from 'fast-check';

/** Headers of which each is sent with strange values; references stand for things, `~token-of-admin~` for the token. */
const VALUES: Record<string, readonly string[]> = {
  Authorization: [
    ...[
      '',
      'Bearer',
      'Bearer ',
      'bearer x',
      'BEARER',
      'Basic YTpi',
      'Bearer x y',
      `Bearer ${'x'.repeat(4_000)}`,
      'Bearer \xff\xfe',
    ],
    ...[
      'Bearer null',
      'Bearer [object Object]',
      'Bearer {"$gt":""}',
      'Digest username="a"',
      'Bearer a,Bearer b',
      'Bearer ../../x',
    ],
    'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.',
  ],
  Accept: [
    '',
    '*/*',
    'text/html',
    'application/json;q=0',
    'application/xml',
    ';;;',
    ',',
    '\xff',
    `${'text/html,'.repeat(500)}*/*`,
  ],
  'If-None-Match': [
    '*',
    '"x"',
    'W/"x"',
    '"',
    '',
    'x',
    '"a", "b", W/"c"',
    `"${'x'.repeat(4_000)}"`,
    `${'"a",'.repeat(1_000)}"b"`,
  ],
  'If-Match': ['*', '"x"', 'x'],
  'If-Modified-Since': ['Thu, 01 Jan 2099 00:00:00 GMT', 'yesterday', '-1'],
  Range: [
    ...[
      'bytes=0-',
      'bytes=0-0',
      'bytes=-1',
      'bytes=5-1',
      'bytes=0-0,2-3',
      'bytes=99999999999999999999-',
      'bytes=-0',
      'bytes=',
      'bytes',
      '=',
    ],
    ...['lines=1-2', 'bytes=a-b', 'bytes=0-18446744073709551616', `bytes=${'0-0,'.repeat(500)}0-0`],
  ],
  'If-Range': ['"x"', 'yesterday'],
  'Accept-Encoding': ['gzip;q=0', '*;q=0', 'br', 'identity;q=0, *;q=0', 'x', ''],
  'Accept-Language': ['*', 'xx-YY;q=9', '\xff'],
  'X-Forwarded-For': ['127.0.0.1', 'unknown', '::1, 10.0.0.1', "' OR 1=1", ',,,', '999.1.1.1', '1.1.1.1,'.repeat(500)],
  'X-Forwarded-Host': ['evil.invalid', '[', 'a,b', '\xff'],
  'X-Forwarded-Proto': ['https', 'javascript', 'https,http'],
  Forwarded: ['for=127.0.0.1;host=evil.invalid;proto=https', ';;;='],
  Host: ['evil.invalid', 'a:b:c', '[', '', 'localhost:99999', 'user@host'],
  'Content-Encoding': ['gzip', 'deflate', 'br', 'x', 'identity', 'gzip, gzip', ''],
  'X-Request-Id': ['x'.repeat(500), '../..', '\xff', '', '$(x)'],
  'X-HTTP-Method-Override': ['DELETE', 'TRACE'],
  Origin: ['null', 'https://evil.invalid', 'x', '\xff'],
  'Access-Control-Request-Method': ['DELETE', 'x'],
  Cookie: ['a=b', '__proto__=x', ';;=', 'x'.repeat(4_000)],
  Expect: ['100-continue', 'nonsense'],
  Upgrade: ['websocket', 'h2c'],
  Connection: ['close', 'keep-alive, X-Request-Id', 'x'],
  Te: ['trailers', 'gzip'],
  Referer: ['javascript:alert(1)', '\xff'],
  'User-Agent': ['', '${jndi:ldap://127.0.0.1/x}', '\xff'.repeat(200)],
  __proto__x: ['1'],
  constructor: ['1'],
};

const one = fc
  .constantFrom(...Object.keys(VALUES))
  .chain((name) => fc.constantFrom(...(VALUES[name] ?? [])).map((value) => [name, value] as const));

/** One strange header, or a few. */
export const hostileHeaders = fc
  .array(one, { minLength: 1, maxLength: 3 })
  .map((headers): Record<string, string> => Object.fromEntries(headers));
