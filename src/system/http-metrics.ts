import { Injectable } from '@nestjs/common';
import type { Histogram } from 'prom-client';
import type { RequestSummary } from '../common/request-log.js';
import { Metrics } from './metrics.js';

/** What `/metrics` tells of requests: how many there were, and how long they took. */
@Injectable()
export class HttpMetrics {
  private readonly requests: () => Promise<Histogram>;

  constructor(metrics: Metrics) {
    this.requests = metrics.add(
      ({ Histogram }, registry) =>
        new Histogram({
          name: 'http_request_duration_seconds',
          help: 'Time from the arrival of a request to the end of its answer',
          labelNames: ['method', 'route', 'status'],
          buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
          registers: [registry],
        }),
    );
  }

  /** Counts one request. */
  async observe({ method, route, status, ms }: RequestSummary): Promise<void> {
    (await this.requests()).observe({ method, route, status: String(status) }, ms / 1000);
  }
}
