import type { Type } from '@nestjs/common';
import { InputPipe } from './input.pipe.js';
import {
  Email,
  Emoji,
  lengthOf,
  Nullable,
  OneOf,
  Optional,
  QueryBoolean,
  QueryInteger,
  QueryOneOf,
  QueryText,
  Text,
  WebAddress,
} from './validation.js';

class TextBody {
  @Text(2, 5)
  value!: string;
}

class AnyTextBody {
  @Text(0, 3)
  value!: string;
}

class OptionalBody {
  @Optional()
  @Text(1, 5)
  value?: string;
}

class NullableBody {
  @Nullable()
  @Text(1, 5)
  value?: string | null;
}

class OneOfBody {
  @OneOf(['live', 'locked', null])
  value!: string | null;
}

class AddressBody {
  @WebAddress(40)
  value!: string;
}

class EmailBody {
  @Email()
  value!: string;
}

class EmojiBody {
  @Emoji()
  value!: string;
}

class IntegerQuery {
  @QueryInteger(0, 1000, 50)
  value?: number;
}

class BooleanQuery {
  @QueryBoolean()
  value?: boolean;
}

class OneOfQuery {
  @QueryOneOf(['asc', 'desc'])
  value?: string;
}

class TextQuery {
  @QueryText(5)
  value?: string;
}

const pipe = new InputPipe();

/** What becomes of `value`: the value that the checked instance holds, or the refusal. */
async function check(metatype: Type<{ value?: unknown }>, ...value: unknown[]): Promise<unknown> {
  const type = metatype.name.endsWith('Query') ? 'query' : 'body';
  const given = value.length > 0 ? { value: value[0] } : {};
  try {
    return ((await pipe.transform(given, { type, metatype })) as { value?: unknown }).value;
  } catch (error) {
    return String(error);
  }
}

const refused = (message: string): string => `BadRequestException: value ${message}`;

/** Values that are no strings, however much like one they look. */
const NO_STRINGS: unknown[] = [5, 0, true, null, ['abc'], {}, { length: 3 }, { $gt: '' }, { toString: 'abc' }];
/** Half a surrogate pair, alone, in front of and behind text, and the halves in the wrong order; and NUL. */
const NOT_STORABLE = ['\ud800', 'a\udc00', '\ud83da', '\udc00\ud800', 'a\0b', '\0\0'];

describe('lengthOf', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['📘📘', 2],
    ['👩‍👩‍👧', 5],
    ['e\u0301', 2],
  ])('of %j is %i', (text, length) => {
    expect(lengthOf(text)).toBe(length);
  });
});

describe('Text', () => {
  it.each(['ab', 'abcde', '📘📘', '📘📘📘📘📘', '  ', 'a\nb', '$gt', '..'])('takes %j as it is', async (value) => {
    expect(await check(TextBody, value)).toBe(value);
  });

  it.each(['', 'a', '📘', 'abcdef', '📘📘📘📘📘📘', 'x'.repeat(100_000)])('refuses the length of %#', async (value) => {
    expect(await check(TextBody, value)).toBe(refused('must be 2 to 5 characters long'));
  });

  it.each(NO_STRINGS)('refuses %j, which is no string', async (value) => {
    expect(await check(TextBody, value)).toBe(refused('must be a string'));
  });

  it('refuses what is absent', async () => {
    expect(await check(TextBody)).toBe(refused('must be a string'));
    expect(await check(TextBody, undefined)).toBe(refused('must be a string'));
  });

  it.each(NOT_STORABLE)('refuses %j, which cannot be stored', async (value) => {
    expect(await check(TextBody, value)).toBe(refused('must be well-formed text without NUL characters'));
  });

  it('may be empty where it says so', async () => {
    expect(await check(AnyTextBody, '')).toBe('');
    expect(await check(AnyTextBody, 'abcd')).toBe(refused('must be 0 to 3 characters long'));
  });
});

describe('Optional and Nullable', () => {
  it('let a value be absent', async () => {
    expect(await check(OptionalBody)).toBeUndefined();
    expect(await check(NullableBody)).toBeUndefined();
  });

  it('differ about null', async () => {
    expect(await check(OptionalBody, null)).toBe(refused('must be a string'));
    expect(await check(NullableBody, null)).toBeNull();
  });

  it.each(['', 0, false, {}, []])('let %j pass for neither', async (value) => {
    expect(await check(OptionalBody, value)).toMatch(/^BadRequestException: value must be/);
    expect(await check(NullableBody, value)).toMatch(/^BadRequestException: value must be/);
  });
});

describe('OneOf', () => {
  it.each(['live', 'locked', null])('takes %j', async (value) => {
    expect(await check(OneOfBody, value)).toBe(value);
  });

  it.each(['', 'Live', 'live ', 'null', undefined, 0, false, ['live'], { live: 1 }, 'constructor', '__proto__'])(
    'refuses %j and names the values',
    async (value) => {
      expect(await check(OneOfBody, value)).toBe(refused('must be one of: live, locked, null'));
    },
  );
});

describe('WebAddress', () => {
  const message = refused('must be an absolute http or https address of at most 40 characters');

  it.each([
    'http://a',
    'https://example.org',
    'HTTPS://EXAMPLE.ORG/Path?q=1#f',
    'http://127.0.0.1:8080/',
    'http://[::1]/',
    'https://bücher.example/ü',
    `https://a/${'x'.repeat(30)}`,
    `https://a/${'📘'.repeat(30)}`,
  ])('takes %j as it is', async (value) => {
    expect(await check(AddressBody, value)).toBe(value);
  });

  it.each([
    '',
    'example.org',
    '//example.org',
    '/path',
    'http://',
    'https:example.org',
    'http:/example.org',
    'http:///example.org',
    'http:\\\\example.org',
    'ftp://example.org',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://exa mple.org',
    ' https://a',
    'https://a ',
    'https://a/\n',
    'https://a/\t',
    '\u0001https://a',
    'https://a/\u0001',
    'https://a/\0',
    'https://a/\ud800',
    'https://a:99999/',
    `https://a/${'x'.repeat(31)}`,
    `https://a/${'📘'.repeat(31)}`,
    ...NO_STRINGS,
    undefined,
  ])('refuses %j', async (value) => {
    expect(await check(AddressBody, value)).toBe(message);
  });
});

describe('Email', () => {
  it.each([
    'ann@example.org',
    'Ann.Author+tag@Mail.Example.ORG',
    "o'brien@example.org",
    'ünïcödé@bücher.example',
    `${'x'.repeat(64)}@example.org`,
    `a@${'x'.repeat(248)}.org`,
  ])('takes %j as it is', async (value) => {
    expect(await check(EmailBody, value)).toBe(value);
  });

  it.each([
    '',
    'ann',
    'ann@',
    '@example.org',
    'ann@localhost',
    'ann@example.',
    'ann@.org',
    'ann@example..org',
    'ann@@example.org',
    'ann @example.org',
    'ann@example.org\n',
    ' ann@example.org',
    '<ann@example.org>',
    'ann,bob@example.org',
    'ann\0@example.org',
    'ann\u0007@example.org',
    'nna\u202e@example.org',
    'ann@exam\u200bple.org',
    'ann\ud800@example.org',
    `${'x'.repeat(65)}@example.org`,
    `a@${'x'.repeat(249)}.org`,
    `${'a@'.repeat(50_000)}b.c`,
    ...NO_STRINGS,
    undefined,
  ])('refuses %#', async (value) => {
    expect(await check(EmailBody, value)).toBe(refused('must be an e-mail address'));
  });
});

describe('Emoji', () => {
  it.each(['📘', '👩‍👩‍👧', '🇩🇪', '1️⃣', '#⃣', '❤', '❤️', '👍🏽', '1f600', '1F468-200d-1F469', '2764-fe0f'])(
    'takes %j as it is',
    async (value) => {
      expect(await check(EmojiBody, value)).toBe(value);
    },
  );

  it.each([
    '',
    ' ',
    'a',
    '1',
    'smile',
    ':smile:',
    '1f600-',
    '-1f600',
    '1f600--1f601',
    '1f600 ',
    '1234567',
    '<b>',
    '\ufe0f',
    '📘'.repeat(51),
    '📘\ud83d',
    '📘\0',
    ...NO_STRINGS,
    undefined,
  ])('refuses %j', async (value) => {
    const message = 'must be an emoji, or its code points in hexadecimal joined by "-" (as "1f600")';
    expect(await check(EmojiBody, value)).toBe(refused(message));
  });
});

describe('queries', () => {
  it.each([IntegerQuery, BooleanQuery, OneOfQuery, TextQuery])('may leave out %p', async (metatype) => {
    expect(await check(metatype)).toBeUndefined();
  });

  it.each([
    ['0', 0],
    ['1', 1],
    ['0007', 7],
    ['1000', 1000],
  ])('QueryInteger takes %j for %j', async (text, value) => {
    expect(await check(IntegerQuery, text)).toBe(value);
  });

  it.each(['', ' ', '-1', '+1', '1001', '1.5', '1e2', '0x10', '١', ' 1', '1 ', '1\n', 'NaN', '9'.repeat(400)])(
    'QueryInteger refuses %j, and clamps nothing',
    async (text) => {
      expect(await check(IntegerQuery, text)).toBe(refused('must be a whole number from 0 to 1000'));
    },
  );

  it.each([[['1', '2']], [{ a: '1' }], [null], [true]])('QueryInteger refuses %j', async (value) => {
    expect(await check(IntegerQuery, value)).toBe(refused('must be a whole number from 0 to 1000'));
  });

  it('QueryBoolean takes true and false, spelled just so', async () => {
    expect(await check(BooleanQuery, 'true')).toBe(true);
    expect(await check(BooleanQuery, 'false')).toBe(false);
    for (const text of ['', 'TRUE', 'True', '1', '0', 'yes', 'null', ' true', ['true', 'true'], null]) {
      expect(await check(BooleanQuery, text)).toBe(refused('must be true or false'));
    }
  });

  it('QueryOneOf takes its values, given once', async () => {
    expect(await check(OneOfQuery, 'asc')).toBe('asc');
    for (const text of ['', 'ASC', 'asc,desc', ['asc', 'asc'], 'constructor', null]) {
      expect(await check(OneOfQuery, text)).toBe(refused('must be one of: asc, desc'));
    }
  });

  it('QueryText takes text up to its length, given once', async () => {
    for (const text of ['', 'abcde', '📘📘📘📘📘', '$ne', '.*']) expect(await check(TextQuery, text)).toBe(text);
    for (const text of ['abcdef', '📘📘📘📘📘📘', ...NOT_STORABLE]) {
      expect(await check(TextQuery, text)).toBe(refused('must be well-formed text of at most 5 characters'));
    }
    for (const value of [['a', 'b'], { $ne: '' }, null, 5]) {
      expect(await check(TextQuery, value)).toBe(refused('must be given once, as text'));
    }
  });
});
