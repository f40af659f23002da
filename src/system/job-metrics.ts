import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { Jobs } from '../jobs/index.js';
import { type Library, Metrics } from './metrics.js';

/** What `/metrics` tells of background jobs, as this process runs them. */
@Injectable()
export class JobMetrics implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly metrics: Metrics,
  ) {}

  /** Adds the metrics. */
  onModuleInit(): void {
    const { jobs } = this;
    const added = this.metrics.add((library, registry) => metricsOf(jobs, library, registry));
    jobs.observe(({ name: job, ms, failed }) => {
      const now = Date.now() / 1000;
      void added().then(({ durations, failures, successes }) => {
        durations.observe({ job }, ms / 1000);
        if (failed) failures.inc({ job });
        else successes.set({ job }, now);
      });
    });
  }
}

function metricsOf(jobs: Jobs, { Counter, Gauge, Histogram }: Library, registry: Registry) {
  const common = { labelNames: ['job'], registers: [registry] };
  const durations = new Histogram({
    ...common,
    name: 'job_duration_seconds',
    help: 'How long runs of background jobs took; their number',
    buckets: [0.01, 0.1, 1, 10, 60, 600],
  });
  const failures = new Counter({
    ...common,
    name: 'job_failures_total',
    help: 'Runs of background jobs that failed',
    collect() {
      for (const job of jobs.names().all) this.inc({ job }, 0);
    },
  });
  const successes = new Gauge({
    ...common,
    name: 'job_last_success_timestamp_seconds',
    help: 'When a background job last ended well, seconds since 1970',
  });
  new Gauge({
    ...common,
    name: 'job_locked',
    help: 'Whether this process runs the job at this moment',
    collect() {
      const { all, running } = jobs.names();
      for (const job of all) this.set({ job }, running.includes(job) ? 1 : 0);
    },
  });
  return { durations, failures, successes };
}
