import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { HealthController } from './health.controller.js';
import { HttpMetrics } from './http-metrics.js';
import { JobMetrics } from './job-metrics.js';
import { Lifecycle } from './lifecycle.js';
import { Metrics } from './metrics.js';
import { SystemController } from './system.controller.js';
import { WebhookMetrics } from './webhook-metrics.js';

/** Health, metrics and the version of the service. */
@Module({
  imports: [JobsModule, WebhooksModule],
  controllers: [HealthController, SystemController],
  providers: [HttpMetrics, JobMetrics, Lifecycle, Metrics, WebhookMetrics],
  exports: [HttpMetrics, Lifecycle],
})
export class SystemModule {}
