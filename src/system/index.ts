export { HttpMetrics } from './http-metrics.js';
export { Lifecycle } from './lifecycle.js';
export { SystemModule } from './system.module.js';
