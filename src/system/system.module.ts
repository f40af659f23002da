import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { JobsModule } from '../jobs/index.js';
import { HealthController } from './health.controller.js';
import { HttpMetrics } from './http-metrics.js';
import { JobMetrics } from './job-metrics.js';
import { Lifecycle } from './lifecycle.js';
import { SystemController } from './system.controller.js';

/** Health, metrics and the version of the service. */
@Module({
  imports: [JobsModule, TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, SystemController],
  providers: [HttpMetrics, JobMetrics, Lifecycle],
  exports: [HttpMetrics, Lifecycle],
})
export class SystemModule {}
