// so that `jest -i`, which runs the tests in this very process, reads TypeScript as its workers do
import './test/support/typescript.mjs';

const hooks = new URL('./test/support/typescript.mjs', import.meta.url).href;
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import ${hooks}`.trim();

/** Unit tests stand beside the code (`src/**\/*.spec.ts`), the others under `test/`. */
const common = {
  // Node.js itself: a worker reads and compiles the sources once, not once for each file, which would take longer than the tests
  runner: 'jest-light-runner',
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  setupFiles: ['<rootDir>/test/support/worker.mjs', '<rootDir>/test/support/fast-check.mjs'],
};

export default {
  // one more than the machines that it is meant for have cores: many tests wait for processes
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/support/sequencer.mjs',
  projects: [
    { ...common, displayName: 'unit', testMatch: ['<rootDir>/src/**/*.spec.ts'] },
    {
      ...common,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'],
      globalSetup: '<rootDir>/test/support/global-setup.mjs',
      globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
    },
  ],
};
