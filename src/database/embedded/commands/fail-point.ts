import { isDocument, plainNumber } from '../bson/types.js';
import { badValue, EngineError, type Document } from '../errors.js';
import { checkOptions } from './options.js';
import { flag, type Request } from './request.js';

const RETRYABLE = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

interface Armed {
  commands: Set<string>;
  code: number | undefined;
  close: boolean;
  concern: Document | undefined;
  labels: string[] | undefined;
  times: number;
  skip: number;
}

/** Makes chosen commands fail, so that the retry code of clients can be tested: MongoDB's `failCommand`. */
export class FailPoint {
  #armed: Armed | undefined;

  /** Arms or disarms it, as `configureFailPoint` asks. @throws EngineError 2 or 238 */
  configure(body: Document): Document {
    if (body.configureFailPoint !== 'failCommand')
      throw badValue(`unknown fail point ${String(body.configureFailPoint)}`);
    const { mode } = body;
    if (mode === 'off') {
      this.#armed = undefined;
      return { ok: 1 };
    }
    const data = isDocument(body.data) ? body.data : {};
    checkOptions('failCommand data', data);
    if (!Array.isArray(data.failCommands)) throw badValue("'failCommands' must be an array");
    this.#armed = {
      commands: new Set(data.failCommands.map((name) => String(name).toLowerCase())),
      code: plainNumber(data.errorCode),
      close: flag(data.closeConnection),
      concern: isDocument(data.writeConcernError) ? data.writeConcernError : undefined,
      labels: Array.isArray(data.errorLabels) ? data.errorLabels.map(String) : undefined,
      times: (isDocument(mode) ? plainNumber(mode.times) : undefined) ?? Infinity,
      skip: (isDocument(mode) ? plainNumber(mode.skip) : undefined) ?? 0,
    };
    return { ok: 1 };
  }

  /**
   * Fails a command when it is its turn. Answers 'close' when its connection is to be broken instead, and a document when it is to
   * be done and answered with that as its `writeConcernError`. @throws EngineError as configured
   */
  strike({ name, body }: Request): 'close' | Document | undefined {
    const armed = this.#armed;
    if (!armed?.commands.has(name)) return undefined;
    if (armed.skip > 0) {
      armed.skip--;
      return undefined;
    }
    if (--armed.times <= 0) this.#armed = undefined;
    if (armed.close) return 'close';
    if (armed.code === undefined) return armed.concern;
    const labels = armed.labels ?? defaultLabels(armed.code, body);
    throw new EngineError(armed.code, `Failing command via 'failCommand' failpoint`, { labels });
  }
}

function defaultLabels(code: number, body: Document): string[] {
  if (!RETRYABLE.has(code)) return code === 112 && body.autocommit === false ? ['TransientTransactionError'] : [];
  const ending = 'commitTransaction' in body || 'abortTransaction' in body;
  if (body.autocommit === false && !ending) return ['TransientTransactionError'];
  return body.txnNumber === undefined ? [] : ['RetryableWriteError'];
}
