export { startEngine, type EngineOptions, type RunningEngine } from './engine.js';
export { startEngineWorker } from './worker-host.js';
export { findEngine } from './store/lock.js';
