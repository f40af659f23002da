import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Histogram } from 'prom-client';
import { WebhookDeliverer } from '../webhooks/index.js';
import { HttpMetrics } from './http-metrics.js';

/** What `/metrics` tells of deliveries to webhooks, as this process attempts them. */
@Injectable()
export class WebhookMetrics implements OnModuleInit {
  constructor(
    private readonly deliverer: WebhookDeliverer,
    private readonly metrics: HttpMetrics,
  ) {}

  /** Adds the metrics. */
  onModuleInit(): void {
    const attempts = new Histogram({
      labelNames: ['outcome'],
      registers: [this.metrics.registry],
      name: 'webhook_attempt_duration_seconds',
      help: 'How long attempts to deliver to webhooks took; their number, by what they came to',
      buckets: [0.01, 0.1, 1, 5, 15],
    });
    for (const outcome of ['delivered', 'failed', 'given-up']) attempts.zero({ outcome });
    this.deliverer.observe(({ outcome, ms }) => {
      attempts.observe({ outcome }, ms / 1000);
    });
  }
}
