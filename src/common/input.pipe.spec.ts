import { type ArgumentMetadata, BadRequestException, type Type as Class } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, ValidateNested } from 'class-validator';
import { InputPipe, OptionalBody } from './input.pipe.js';
import { PageQuery } from './page.dto.js';
import { Optional, Text } from './validation.js';
import { measure } from '../../test/support/spent.js';

class Child {
  @Text(1, 3)
  name!: string;

  @Optional()
  @ValidateNested()
  @Type(() => Child)
  child?: Child;
}

class Body {
  @Text(1, 5)
  title!: string;

  @Optional()
  @Text(1, 5)
  note?: string;

  @Optional()
  @ValidateNested()
  @Type(() => Child)
  child?: Child;

  @Optional()
  @IsArray()
  @ArrayMaxSize(3)
  @ValidateNested({ each: true })
  @Type(() => Child)
  children?: Child[];
}

@OptionalBody()
class FreeBody {
  @Optional()
  @Text(1, 5)
  title?: string;
}

const pipe = new InputPipe();

const body = (value: unknown, metatype: Class = Body): Promise<unknown> =>
  pipe.transform(value, { type: 'body', metatype });

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof BadRequestException)) throw new Error(`no refusal, but ${String(error)}`);
  return error.message;
}

describe('a body', () => {
  it('is an instance of its class, with what was sent and no more', async () => {
    const checked = await body({ title: 'a', other: 'x', $where: '1', 'a.b': 1, child: { name: 'c', extra: 1 } });
    expect(checked).toBeInstanceOf(Body);
    expect(checked).toEqual({ title: 'a', child: { name: 'c' } });
    // an absent property is not one whose value is undefined
    expect(Object.keys(checked as object)).toEqual(['title', 'child']);
  });

  it('must be there', async () => {
    expect(await refusal(body(undefined))).toBe(
      'A JSON object is required as the body, with Content-Type: application/json',
    );
  });

  it('may be left out where its class says so', async () => {
    expect(await body(undefined, FreeBody)).toEqual({});
    expect(await body({ title: 'a' }, FreeBody)).toEqual({ title: 'a' });
    expect(await refusal(body({ title: '' }, FreeBody))).toBe('title must be 1 to 5 characters long');
  });

  it.each([null, [], [{ title: 'a' }], 'text', '{"title":"a"}', 5, true])('is no %j', async (value) => {
    expect(await refusal(body(value))).toBe('The body must be a JSON object');
    expect(await refusal(body(value, FreeBody))).toBe('The body must be a JSON object');
  });

  it('is refused with every property at fault, once each', async () => {
    expect(await refusal(body({ note: '' }))).toBe('title must be a string; note must be 1 to 5 characters long');
  });

  it('is refused with the path of what is wrong inside', async () => {
    const value = { title: 'a', child: { name: 'abcd' }, children: [{ name: 'b' }, { child: { name: 5 } }] };
    expect(await refusal(body({ ...value, children: value.children }))).toBe(
      [
        'child.name must be 1 to 3 characters long',
        'children.1.name must be a string',
        'children.1.child.name must be a string',
      ].join('; '),
    );
  });

  it.each([
    { children: 'x' },
    { children: { 0: { name: 'a' } } },
    { children: [5] },
    { children: [null] },
    { child: 5 },
  ])('is refused for %j where objects belong', async (fields) => {
    expect(await refusal(body({ title: 'a', ...fields }))).toMatch(/child/);
  });

  it('shows nothing of what was sent in its refusal', async () => {
    expect(await refusal(body({ title: 'my secret is very long' }))).not.toContain('secret');
  });
});

describe('a hostile body', () => {
  const parsed = (json: string): Promise<unknown> => body(JSON.parse(json));

  it('cannot give itself or others properties through the keys of prototypes', async () => {
    const checked = await parsed(
      '{"title":"a","__proto__":{"note":"b","evil":1},"constructor":{"prototype":{"evil":1}},"toString":5}',
    );
    expect(Object.getPrototypeOf(checked)).toBe(Body.prototype);
    expect(Object.keys(checked as object)).toEqual(['title']);
    expect({}).not.toHaveProperty('evil');
    expect(await refusal(parsed('{"__proto__":{"title":"a"}}'))).toBe('title must be a string');
  });

  it.each(['{"title":{"$gt":""}}', '{"title":["a"]}', '{"title":{"length":3}}', '{"title":null}', '{"title":5}'])(
    'is no text: %s',
    async (json) => {
      expect(await refusal(parsed(json))).toBe('title must be a string');
    },
  );

  it.each([
    ['lists', '['.repeat(200_000), ']'.repeat(200_000)],
    ['objects', '{"a":'.repeat(200_000), '}'.repeat(200_000)],
  ])('is refused when its %s are nested without end', async (_kind, open, close) => {
    const inner = open.startsWith('{') ? '1' : '';
    const deep = `${open}${inner}${close}`;
    expect(await refusal(parsed(`{"title":${deep}}`))).toBe('The body is nested too deeply');
    expect(await refusal(parsed(`{"title":"a","child":{"name":"b","x":${deep}}}`))).toBe(
      'The body is nested too deeply',
    );
    expect(await parsed(`{"title":"a","x":${deep}}`)).toEqual({ title: 'a' });
  });

  it('may be nested as deeply as texts are', async () => {
    const deep = `${'[{"a":'.repeat(150)}1${'}]'.repeat(150)}`;
    expect(await parsed(`{"title":"a","child":{"name":"b","x":${deep}}}`)).toEqual({
      title: 'a',
      child: { name: 'b' },
    });
  });

  it('is refused when it holds too many values, and costs nothing for those that nobody asked for', async () => {
    const many = `[${'0,'.repeat(1_000_000)}0]`;
    const spent = measure();
    expect(await refusal(parsed(`{"title":${many}}`))).toBe('The body holds more than 200000 values');
    expect(await parsed(`{"title":"a","x":${many}}`)).toEqual({ title: 'a' });
    // descending into them takes several seconds
    expect(spent()).toBeLessThan(2);
  });
});

describe('other input', () => {
  it.each([
    [{}, {}],
    [
      { limit: '5', page: 'x', other: '1' },
      { limit: 5, page: 'x' },
    ],
  ])('query %j becomes %j', async (given, checked) => {
    const query = await pipe.transform(given, { type: 'query', metatype: PageQuery });
    expect(query).toBeInstanceOf(PageQuery);
    expect(query).toEqual(checked);
  });

  it('query is refused with every parameter at fault', async () => {
    const given = { limit: '-1', page: ['a', 'b'] };
    expect(await refusal(pipe.transform(given, { type: 'query', metatype: PageQuery }))).toBe(
      'page must be given once, as text; limit must be a whole number from 0 to 1000',
    );
  });

  it('takes a parameter of the path as it is', async () => {
    const parameter: ArgumentMetadata = { type: 'param', metatype: String, data: 'spaceId' };
    expect(await pipe.transform('__proto__', parameter)).toBe('__proto__');
    expect(await pipe.transform('123', parameter)).toBe('123');
  });
});
