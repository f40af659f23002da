import type { DescribedAnswers } from '../described-answers.js';
import type { FuzzOperation, FuzzRequest } from './requests.js';
import type { Answer } from './sending.js';

/** Longest that an answer may take on a busy machine, in ms. */
const SLOWEST = 20_000;
/** What a message says that was meant for nobody outside. */
const INTERNAL =
  /node_modules|\.[jt]s:\d|\bat \w+ \(|Mongo|Cast to|BSON|E11000|is not (?:a function|iterable|defined)|Cannot (?:read|set|convert|destructure)|of (?:undefined|null)\b|\[object Object\]\s*$|Maximum call stack|Unexpected error/;
/** What is refused before anybody looks at properties. */
const LIMITS = /nested too deeply|more than \d+ values/;
/** What is answered before anybody looks which operation is meant: malformed, too large, of another type. */
const BEFORE = new Set([400, 413, 415, 417, 431]);
/** What is answered to those who ask for it by one of these headers. */
const BY_HEADER: Record<number, readonly string[]> = {
  206: ['Range'],
  304: ['If-None-Match', 'If-Modified-Since'],
  412: ['If-Match', 'If-None-Match'],
  416: ['Range'],
};
/** With a query that long, there may be no room for all the rest. */
const LONG_QUERY = 10_000;
const LONGEST_MESSAGE = 100_000;

/** What is wrong with the answer to a request; nothing: `undefined`. */
export function mistakeIn(
  answer: Answer,
  sent: FuzzRequest,
  { operation, answers, address }: { operation: FuzzOperation; answers: DescribedAnswers; address: string },
): string | undefined {
  const { status, ms } = answer;
  if (ms > SLOWEST) return `It took ${String(Math.round(ms))} ms`;
  if (status >= 500) return `It answered ${String(status)}: ${textOf(answer)}`;
  if (sent.method === 'HEAD') return undefined;
  if (status >= 400) return mistakeInRefusal(answer, sent) ?? undescribed(answer, sent, operation);
  if (sent.wrong === 'method') return undefined;
  return undescribed(answer, sent, operation) ?? mistakeInSuccess(answer, sent, answers, address);
}

const textOf = ({ body }: Answer): string => body.toString('utf8').slice(0, 300);
const typeOf = ({ headers }: Answer): string => (headers['content-type'] ?? '').split(';')[0] ?? '';

function mistakeInRefusal(answer: Answer, { fault, path, query, body: sent }: FuzzRequest): string | undefined {
  const { status, headers } = answer;
  if (typeOf(answer) !== 'application/json')
    return `${String(status)} comes as ${headers['content-type'] ?? 'nothing'}`;
  const body = parsed(answer.body);
  const keys = Object.keys(body ?? {}).join();
  const { code, message } = ((body as { error?: object } | null | undefined)?.error ?? {}) as {
    code?: unknown;
    message?: unknown;
  };
  if (keys !== 'error' || code !== status || typeof message !== 'string' || message === '') {
    return `${String(status)} comes without the envelope: ${textOf(answer)}`;
  }
  if (message.length > LONGEST_MESSAGE) return `The message has ${String(message.length)} characters`;
  const [told] = INTERNAL.exec(message) ?? [];
  // who writes such a thing may be told that it is not what was asked for
  if (told !== undefined && !`${path} ${query} ${String(sent)}`.includes(told.trim())) {
    return `The message tells of what is inside: ${message.slice(0, 300)}`;
  }
  const named = fault?.plain === true && fault.at.length > 0 && status === 400;
  if (named && !LIMITS.test(message) && !fault.at.some((name) => message.includes(name))) {
    return `The message does not name ${fault.at.join('.')}: ${message.slice(0, 300)}`;
  }
  return undefined;
}

function undescribed(
  { status }: Answer,
  { wrong, headers, query }: FuzzRequest,
  { answers }: FuzzOperation,
): string | undefined {
  if (answers.has(status) || wrong === 'method') return undefined;
  if (BEFORE.has(status) && ['bytes', 'headers', 'path', 'query'].includes(wrong)) return undefined;
  if (status === 431 && query.length > LONG_QUERY) return undefined;
  if (BY_HEADER[status]?.some((name) => headers[name] !== undefined)) return undefined;
  return `${String(status)} is none of the statuses described`;
}

function mistakeInSuccess(
  answer: Answer,
  { method, fault }: FuzzRequest,
  answers: DescribedAnswers,
  address: string,
): string | undefined {
  const { status } = answer;
  if (fault?.plain === true) return `${String(status)} for a fault at ${fault.at.join('.') || 'the body itself'}`;
  if (status === 304) return answer.body.length === 0 ? undefined : '304 comes with a body';
  if (typeOf(answer) !== 'application/json') return undefined;
  const body = parsed(answer.body);
  if (body === undefined) return `It is no JSON: ${textOf(answer)}`;
  return answers.check(method, address, status, body).mistakes[0];
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
