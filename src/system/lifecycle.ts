import { Injectable } from '@nestjs/common';

/** Whether the service still takes on work. */
@Injectable()
export class Lifecycle {
  private closing = false;

  /** True from the moment it was asked to stop: readiness fails, requests in flight are still answered. */
  get draining(): boolean {
    return this.closing;
  }

  /** From now on the service is not ready. */
  drain(): void {
    this.closing = true;
  }
}
