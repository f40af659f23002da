import {
  HttpException,
  Injectable,
  NotFoundException,
  type OnApplicationShutdown,
  PayloadTooLargeException,
} from '@nestjs/common';
import { Slots } from '../../common/slots.js';
import { type Desk, type Plan, TooLargeError } from './layout/job.js';
import { layOutBeside, LayoutLimitError } from './layout-thread.js';
import type { PdfTarget } from './pdf-links.js';
import { PdfSource } from './pdf-source.js';
import { Spool } from './spool.js';

/** PDFs that are laid out at a time. */
const AT_ONCE = 2;
/** Requests that wait for their turn; those beyond are told to come again. */
const MAX_WAITING = 8;
/** Seconds after which they may. */
const RETRY_AFTER = 30;

/** Prints revisions as PDFs, in threads of their own. */
@Injectable()
export class PdfService implements OnApplicationShutdown {
  private readonly slots = new Slots(AT_ONCE);
  private readonly closing = new AbortController();
  private asked = 0;

  constructor(private readonly source: PdfSource) {}

  /**
   * The PDF of `target`, whole. `signal` says that nobody wants it any more.
   *
   * @throws NotFoundException when what it is made of is no longer there; PayloadTooLargeException when it becomes too
   * large, or takes too much time or memory; HttpException (503) when too many are waiting; the reason of `signal`.
   */
  async print(target: PdfTarget, signal: AbortSignal): Promise<Spool> {
    if (this.asked >= AT_ONCE + MAX_WAITING) {
      const message = 'Many PDFs are being made just now; try again in a moment';
      throw new HttpException({ message, headers: { 'Retry-After': String(RETRY_AFTER) } }, 503);
    }
    this.asked += 1;
    try {
      const ended = AbortSignal.any([signal, this.closing.signal]);
      return await this.slots.run(() => this.spool(target, ended));
    } finally {
      this.asked -= 1;
    }
  }

  /** Ends what is being laid out. */
  onApplicationShutdown(): void {
    this.closing.abort(new HttpException('The service is shutting down', 503));
  }

  private async spool(target: PdfTarget, signal: AbortSignal): Promise<Spool> {
    signal.throwIfAborted();
    const matter = await this.source.open(target);
    if (!matter) throw new NotFoundException('There is no such PDF any more');
    const spool = await Spool.open();
    try {
      await layOutAnywhere(matter.plan, { ...matter.desk, write: (bytes) => spool.write(bytes) }, signal);
      return spool;
    } catch (error) {
      await spool.close();
      if (error instanceof TooLargeError) throw new PayloadTooLargeException(`${error.message}; ${ADVICE}`);
      if (!(error instanceof LayoutLimitError)) throw error;
      throw new PayloadTooLargeException(`This content takes too much time or memory to lay out; ${ADVICE}`);
    }
  }
}

const ADVICE = 'ask for a part of the content with page';

/** In a thread, where there is the compiled code for one: it cannot be started from TypeScript. */
async function layOutAnywhere(plan: Plan, desk: Desk, signal: AbortSignal): Promise<void> {
  if (!import.meta.url.endsWith('.ts')) {
    await layOutBeside(new URL('./layout/worker.js', import.meta.url), plan, desk, signal);
    return;
  }
  const { layOut } = await import('./layout/lay-out.js');
  await layOut(plan, desk);
}
