import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { RequestSummary } from '../common/request-log.js';

/** What `/metrics` answers: how many requests, how long they took, and the process's own figures. */
@Injectable()
export class HttpMetrics {
  readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Counts one request. */
  observe({ method, route, status, ms }: RequestSummary): void {
    this.requests.observe({ method, route, status: String(status) }, ms / 1000);
  }
}
