export { JobsModule } from './jobs.module.js';
export { type JobHandler, type JobReport, type JobRun, Jobs } from './jobs.service.js';
