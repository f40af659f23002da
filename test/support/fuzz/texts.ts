import fc from 'fast-check';

/** Where what is executed leaves its mark: nothing may. */
export const MARK = 'fuzzed';

/** Text that can be stored as it is, and that somebody hopes is read as something else. */
const STORABLE = [
  ...[
    '😀',
    'e\u0301',
    '👩‍👩‍👧‍👦',
    '\u202Eabc\u202C',
    'שלום',
    '\uFEFFa',
    'ﬃ',
    'İstanbul',
    'ß',
    '\u200B',
    '\u2028',
    'Z\u0351\u036B\u0343',
  ],
  ...[
    '$gt',
    '$where',
    '$',
    'a.b',
    '.',
    '..',
    '../../etc/passwd',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
  ],
  ...[
    'null',
    'undefined',
    'NaN',
    'true',
    '0',
    '-1',
    '1e400',
    '[object Object]',
    '{}',
    '[]',
    '%',
    '%00',
    '%s%n',
    '\\',
    '\\u0000',
    "'",
    '"',
    '`',
  ],
  ...['(a+)+$', '^(([a-z])+.)+[A-Z]([a-z])+$', `${'a'.repeat(40)}!`, '(', '[', '*', '.*.*.*.*.*=.*', '(?=', '\\1'],
  ...[
    `<script>globalThis.${MARK} = 1</script>`,
    `<img src=x onerror="globalThis.${MARK} = 1">`,
    '[x](javascript:alert(1))',
    '<!--',
    ']]>',
    '<?xml?>',
  ],
  ...[
    `\${globalThis.${MARK} = 1}`,
    `{{globalThis.${MARK} = 1}}`,
    `'; globalThis.${MARK} = 1; //`,
    `function(){globalThis.${MARK} = 1}`,
    '<%= 7 * 7 %>',
  ],
  ...[
    '# Head\n\n- a\n  - b\n',
    '{% hint %}',
    '| a |\n|--|\n| b |',
    '```js\n',
    '[^1]: x',
    '<details>',
    '> > > > > >',
    '---\na: b\n---\n',
  ],
];

/** Text that cannot be stored, or is no text at all. */
const UNSTORABLE = [
  '\0',
  'a\0b',
  '\uD800',
  '\uDC00a',
  'a\uD83D',
  '\uDE00\uD83D',
  '\u0001\u0008\u000B\u001F\u007F',
  '\u0085',
  '\uFFFF',
  '\uFFFE',
];

/** Something ordinary. */
export const word = fc.constantFrom('word', 'Two words', 'guide', 'a', 'Straße', 'API', 'x1', 'en');

/** What is text all the same. */
export const oddText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...STORABLE) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...STORABLE), fc.constantFrom(...STORABLE)).map((two) => two.join('')),
  },
);

/** What may be no text. */
export const hostileText = fc.oneof(
  { weight: 3, arbitrary: oddText },
  { weight: 3, arbitrary: fc.constantFrom(...UNSTORABLE) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.nat(400).map((times) => `a${'\u0301'.repeat(times)}`) },
  { weight: 1, arbitrary: fc.constantFrom(300, 3_000).map((times) => '👩‍👩‍👧‍👦'.repeat(times)) },
);

/** `text` with at most `length` code points. */
export const cut = (text: string, length: number): string => [...text].slice(0, length).join('');

/** Addresses that are none of foreign servers; `~trap~` stands for one inside, which tells of every visit. */
export const ADDRESSES_INSIDE = [
  ...[
    '~trap~/',
    '~trap~/page.md',
    'http://localhost:~trapPort~/',
    'http://[::1]:~trapPort~/',
    'http://2130706433:~trapPort~/',
  ],
  ...['http://0x7f.1:~trapPort~/', 'http://0177.0.0.1:~trapPort~/', 'http://user:pass@127.0.0.1:~trapPort~/'],
  ...[
    'http://[::ffff:127.0.0.1]:~trapPort~/',
    'http://0:~trapPort~/',
    'http://127.1:~trapPort~/',
    'http://a.localhost:~trapPort~/',
  ],
  ...['http://169.254.169.254/latest/meta-data/', 'http://[fd00:ec2::254]/', 'http://10.0.0.1/'],
  ...[
    'file:///etc/passwd',
    'gopher://127.0.0.1:~trapPort~/_x',
    'ftp://127.0.0.1/',
    'javascript:alert(1)',
    'data:text/html,x',
  ],
  ...[
    'http://',
    '//127.0.0.1:~trapPort~/',
    'http:///x',
    'http://a b/',
    'http://%00/',
    'https://hooks.invalid:99999/',
    'http://[::1',
  ],
];
