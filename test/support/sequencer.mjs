import Sequencer from '@jest/test-sequencer';

/** The files that take longest, most of them because they start processes or threads. */
const SLOW = [
  'test/database-faults.e2e-spec.ts',
  'test/outages.e2e-spec.ts',
  'test/restore-kills.e2e-spec.ts',
  'test/failures.e2e-spec.ts',
  'test/rolling-restarts.e2e-spec.ts',
  'test/service.e2e-spec.ts',
  'test/shutdown.e2e-spec.ts',
  'test/cli.e2e-spec.ts',
  'test/crash.e2e-spec.ts',
  'test/openapi-large.e2e-spec.ts',
  'test/merge-crash.e2e-spec.ts',
  'test/conversion-thread.e2e-spec.ts',
  'test/webhook-crash.e2e-spec.ts',
  'test/processes.e2e-spec.ts',
  'test/guide.e2e-spec.ts',
  'test/backup.e2e-spec.ts',
  'test/permissions.e2e-spec.ts',
  'test/fuzz.e2e-spec.ts',
  'src/revisions/document/hostile.spec.ts',
  'test/webhook-failures.e2e-spec.ts',
  'test/webhooks.e2e-spec.ts',
  'test/audit.e2e-spec.ts',
  'test/pdf-thread.e2e-spec.ts',
  'test/settings.e2e-spec.ts',
  'src/content/content.writer.spec.ts',
  'test/engine-crash.e2e-spec.ts',
  'test/import.e2e-spec.ts',
  'src/content/pdf/layout/lay-out.spec.ts',
  'test/saml-refusals.e2e-spec.ts',
  'test/writers.e2e-spec.ts',
  'src/database/embedded/plan/plan.spec.ts',
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
