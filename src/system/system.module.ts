import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller.js';
import { HttpMetrics } from './http-metrics.js';
import { Lifecycle } from './lifecycle.js';
import { SystemController } from './system.controller.js';

/** Health, metrics and the version of the service. */
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, SystemController],
  providers: [HttpMetrics, Lifecycle],
  exports: [HttpMetrics, Lifecycle],
})
export class SystemModule {}
