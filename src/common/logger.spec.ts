import { Logger } from '@nestjs/common';
import { JsonLogger } from './logger.js';

type Line = Record<string, unknown>;

/** A logger, and the lines that it has written, read as JSON. */
function loggerOf(level = 'trace'): { logger: JsonLogger; lines: () => Line[]; text: () => string } {
  let written = '';
  const destination = { write: (line: string) => void (written += line) };
  const lines = (): Line[] =>
    written
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  return { logger: new JsonLogger(level, destination), lines, text: () => written };
}

const METHODS = ['verbose', 'debug', 'log', 'warn', 'error', 'fatal'] as const;
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

describe('JsonLogger', () => {
  it('writes a line of JSON for each message, with its time and nothing about the machine', () => {
    const { logger, lines } = loggerOf();
    logger.log('one\ntwo "three"', 'Http');
    const [{ time, ...line } = { time: undefined }, ...others] = lines();
    expect(others).toEqual([]);
    expect(line).toEqual({ level: 'info', context: 'Http', msg: 'one\ntwo "three"' });
    expect(new Date(String(time)).toISOString()).toBe(time);
  });

  it.each(METHODS.map((method, index) => [method, LEVELS[index]] as const))(
    '%s writes at level %s',
    (method, level) => {
      const { logger, lines } = loggerOf();
      logger[method]('message');
      expect(lines()).toMatchObject([{ level, msg: 'message' }]);
    },
  );

  it.each(LEVELS.map((level, index) => [level, LEVELS.slice(index)] as const))(
    'writes what is at least %s',
    (level, expected) => {
      const { logger, lines } = loggerOf(level);
      for (const method of METHODS) logger[method]('message');
      expect(lines().map((line) => line.level)).toEqual(expected);
    },
  );

  it('writes nothing when it is silent', () => {
    const { logger, text } = loggerOf('silent');
    for (const method of METHODS) logger[method](new Error('no'), 'Http');
    expect(text()).toBe('');
  });

  it('keeps its level whatever Nest sets', () => {
    const { logger, text } = loggerOf('error');
    logger.setLogLevels(['log']);
    logger.log('message');
    expect(text()).toBe('');
  });

  it("tells the framework's account of its start to developers only", () => {
    const { logger, lines } = loggerOf();
    logger.log('AppModule dependencies initialized', 'InstanceLoader');
    logger.log('Mapped {/v1, GET} route', 'RouterExplorer');
    logger.warn('Something is odd', 'RouterExplorer');
    expect(lines().map(({ level }) => level)).toEqual(['debug', 'debug', 'warn']);
  });
});

describe('what Nest hands over', () => {
  let lines: () => Line[];

  beforeEach(() => {
    const made = loggerOf();
    lines = made.lines;
    Logger.overrideLogger(made.logger);
  });

  afterEach(() => {
    Logger.overrideLogger(false);
  });

  it('is a message and the context last', () => {
    new Logger('Sweep').log('message');
    new Logger().log('message');
    Logger.log('message', 'Static');
    expect(lines().map(({ msg, context }) => [msg, context])).toEqual([
      ['message', 'Sweep'],
      ['message', undefined],
      ['message', 'Static'],
    ]);
  });

  it('is a stack between them, for errors', () => {
    new Logger('Sweep').error('message', 'Error: x\n    at y');
    new Logger('Sweep').error('message');
    expect(lines().map(({ msg, context, stack }) => [msg, context, stack])).toEqual([
      ['message', 'Sweep', 'Error: x\n    at y'],
      ['message', 'Sweep', undefined],
    ]);
  });

  it('is an error, alone or among fields', () => {
    const error = new TypeError('broken');
    new Logger('Sweep').error(error);
    new Logger('Http').error({ err: error, url: '/v1' });
    const all = lines() as { err: { type: string; message: string; stack: string }; context: string; url?: string }[];
    expect(all.map(({ err, context, url }) => [err.type, err.message, context, url])).toEqual([
      ['TypeError', 'broken', 'Sweep', undefined],
      ['TypeError', 'broken', 'Http', '/v1'],
    ]);
    expect(all[0]?.err.stack).toContain('logger.spec');
  });

  it('is fields, which stand beside the others', () => {
    new Logger('Http').debug({ request: 'x', status: 200 });
    expect(lines()).toMatchObject([{ level: 'debug', context: 'Http', request: 'x', status: 200 }]);
  });

  it.each([undefined, null, 5, Symbol('s'), () => 1, '', [1, 2]])('may be anything: %p', (message) => {
    new Logger('Http').log(message);
    expect(lines()).toMatchObject([{ level: 'info', context: 'Http' }]);
  });

  it('may refer to itself', () => {
    const fields: Record<string, unknown> = { name: 'x' };
    fields.self = fields;
    new Logger('Http').warn(fields);
    expect(lines()).toMatchObject([{ name: 'x' }]);
  });
});

describe('secrets', () => {
  const names = ['authorization', 'cookie', 'password', 'token', 'secret'];

  it.each(names)('hides %s, on top and one level down', (name) => {
    const { logger, lines, text } = loggerOf();
    logger.log({ [name]: 'hush', body: { [name]: 'hush' }, other: 'shown' }, 'Http');
    expect(text()).not.toContain('hush');
    expect(lines()).toMatchObject([{ [name]: '(hidden)', body: { [name]: '(hidden)' }, other: 'shown' }]);
  });

  it('leaves what was handed over as it was', () => {
    const { logger } = loggerOf();
    const fields = { headers: { authorization: 'Bearer x' } };
    logger.log(fields);
    expect(fields).toEqual({ headers: { authorization: 'Bearer x' } });
  });
});
