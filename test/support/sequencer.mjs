import Sequencer from '@jest/test-sequencer';

/** The files that take longest, most of them because they start processes. */
const SLOW = [
  'test/cli.e2e-spec.ts',
  'src/revisions/document/hostile.spec.ts',
  'test/service.e2e-spec.ts',
  'test/conversion-thread.e2e-spec.ts',
  'test/crash.e2e-spec.ts',
  'test/openapi-large.e2e-spec.ts',
  'test/writers.e2e-spec.ts',
  'src/database/embedded/plan/plan.spec.ts',
  'src/content/content.writer.spec.ts',
  'test/settings.e2e-spec.ts',
];
const rank = (path) => {
  const place = SLOW.findIndex((file) => path.endsWith(file));
  return place < 0 ? SLOW.length : place;
};

/** Begins with the slow files, so that no worker is left alone with one at the end; the rest in Jest's own order. */
export default class extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rank(one.path) - rank(other.path));
  }
}
