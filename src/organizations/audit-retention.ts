import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Audit } from '../audit/index.js';
import { Config } from '../config/index.js';
import { Jobs } from '../jobs/index.js';

const DAY = 24 * 60 * 60_000;
/** Events that are removed in one step. */
const BATCH = 500;

/** The job that removes what was kept for `AUDIT_RETENTION` days of who did what. */
@Injectable()
export class AuditRetention implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly audit: Audit,
    private readonly config: Config,
  ) {}

  /** Says when it runs: once a day. */
  onModuleInit(): void {
    this.jobs.every('clean-up-audit', DAY, async ({ signal, touch }) => {
      await this.run(async () => {
        signal.throwIfAborted();
        await touch();
      });
    });
  }

  /** Removes what is due at `now`, and calls `step` before each part of it; nothing where all is kept for ever. */
  async run(step: () => Promise<void> = () => Promise.resolve(), now = Date.now()): Promise<void> {
    const days = this.config.AUDIT_RETENTION;
    if (days === 0) return;
    const due = new Date(now - days * DAY);
    do await step();
    while ((await this.audit.removeBefore(due, BATCH)) >= BATCH);
  }
}
