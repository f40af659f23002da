// so that `jest -i`, which runs the tests in this very process, reads TypeScript as its workers do
import './test/support/typescript.mjs';

const hooks = new URL('./test/support/typescript.mjs', import.meta.url).href;
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import ${hooks}`.trim();

export default {
  // Node.js itself: a worker reads and compiles the sources once, not once for each file, which would take longer than the tests
  runner: 'jest-light-runner',
  // twice as many as the machines that it is meant for have cores: many tests wait for processes
  maxWorkers: 4,
  testSequencer: '<rootDir>/test/support/sequencer.mjs',
  // unit tests stand beside the code; all are of one project, as each would have workers of its own
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.e2e-spec.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  setupFiles: ['<rootDir>/test/support/worker.mjs', '<rootDir>/test/support/fast-check.mjs'],
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};
