import type { LoggerService, LogLevel } from '@nestjs/common';
import { type DestinationStream, pino, type Logger as Pino, stdTimeFunctions } from 'pino';

/** Header values that must never reach a log. */
const SECRET_PATHS = [
  'authorization',
  'cookie',
  'password',
  'token',
  'secret',
  '*.authorization',
  '*.cookie',
  '*.password',
  '*.token',
  '*.secret',
];

/** Parts of Nest that tell of each step of the start. */
const FRAMEWORK = new Set(['InstanceLoader', 'NestApplication', 'NestFactory', 'RouterExplorer', 'RoutesResolver']);

/** Writes Nest's messages, and ours, as one line of JSON each to standard output. */
export class JsonLogger implements LoggerService {
  private readonly pino: Pino;

  /**
   * @param level The least severe messages that are written, in pino's words.
   * @param destination Where lines go instead of standard output.
   */
  constructor(level: string, destination?: DestinationStream) {
    const options = {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
      redact: { paths: SECRET_PATHS, censor: '(hidden)' },
    };
    this.pino = destination ? pino(options, destination) : pino(options);
  }

  log(message: unknown, ...rest: unknown[]): void {
    // what Nest tells of every module and route matters to nobody but its developers
    this.write(FRAMEWORK.has(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /** Nest asks for it; the level is fixed by the configuration. */
  setLogLevels(_levels: LogLevel[]): void {
    return;
  }

  /** Nest hands over the context (a class's name) last, and before it, for errors, a stack. */
  private write(
    level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal',
    message: unknown,
    rest: unknown[],
  ): void {
    if (!this.pino.isLevelEnabled(level)) return;
    const context = rest.at(-1);
    const stack = rest.length > 1 ? rest[0] : undefined;
    const fields = {
      ...(typeof context === 'string' && { context }),
      ...(typeof stack === 'string' && { stack }),
      ...(typeof message === 'object' && message !== null && !(message instanceof Error) && message),
      ...(message instanceof Error && { err: message }),
    };
    this.pino[level](fields, typeof message === 'string' ? message : undefined);
  }
}
