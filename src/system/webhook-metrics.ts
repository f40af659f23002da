import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WebhookDeliverer } from '../webhooks/index.js';
import { Metrics } from './metrics.js';

/** What `/metrics` tells of deliveries to webhooks, as this process attempts them. */
@Injectable()
export class WebhookMetrics implements OnModuleInit {
  constructor(
    private readonly deliverer: WebhookDeliverer,
    private readonly metrics: Metrics,
  ) {}

  /** Adds the metrics. */
  onModuleInit(): void {
    const added = this.metrics.add(({ Histogram }, registry) => {
      const attempts = new Histogram({
        labelNames: ['outcome'],
        registers: [registry],
        name: 'webhook_attempt_duration_seconds',
        help: 'How long attempts to deliver to webhooks took; their number, by what they came to',
        buckets: [0.01, 0.1, 1, 5, 15],
      });
      for (const outcome of ['delivered', 'failed', 'given-up']) attempts.zero({ outcome });
      return attempts;
    });
    this.deliverer.observe(({ outcome, ms }) => {
      void added().then((attempts) => {
        attempts.observe({ outcome }, ms / 1000);
      });
    });
  }
}
