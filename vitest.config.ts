import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** One more than cores, because tests also wait. Beyond six, databases and servers need more memory than they save time. */
const WORKERS = Math.min(6, Math.max(3, availableParallelism() + 1));

/** Tests that need no database, and those that start their own. */
const UNIT = [
  'console/{lib,ui,api,shared,features,public,routes,shell}/**/*.test.{ts,tsx}',
  'console/*.test.{ts,tsx}',
  'admin/**/*.test.{ts,tsx}',
  'server/{domain,drivers,teepod,tools}/**/*.test.ts',
  'server/config{,Sources}.test.ts',
  'server/repo.test.ts',
  'server/supportedNode.test.ts',
  'server/db/core/embedded.test.ts',
  'server/db/core/postgres/**/*.test.ts',
];
/**
 * What can differ between two versions of PostgreSQL: migrations, backup and restore, the queries of `server/db` and of every
 * admin list, and leases and recovery under kills. A whole run repeats these on the second database; the rules above the
 * SQL are the same on both.
 */
const SECOND_DATABASE = [
  'server/{db,cli}/**/*.test.ts',
  'server/operations/platform/lists/lists.test.ts',
  'server/jobs/core/chaos.test.ts',
];
const DOCKER = ['server/**/*.docker.test.ts'];
const NEVER = ['**/node_modules/**', '**/dist/**', 'console/e2e/**'];

/** These wait minutes for killed processes, so they start first to avoid waiting at the end. */
const LONG = ['chaos', 'rollouts', 'recycleBin', 'faults'];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.includes(`/${name}`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    // Bounds for a machine that is full, not what anything should take.
    testTimeout: 120_000,
    expect: { poll: { timeout: 50_000 } },
    hookTimeout: 120_000,
    sequence: { sequencer: LongFirst },
    // The suites compile the same server one after the other; what the first compiled serves the rest.
    experimental: { fsModuleCache: true },
    projects: [
      {
        extends: true,
        // Tests keep no state in modules that others import; importing those again per file took a quarter of the time.
        test: {
          name: 'unit',
          include: UNIT,
          exclude: [...NEVER, ...DOCKER],
          setupFiles: 'server/testing/settledImports.ts',
          isolate: false,
          maxWorkers: WORKERS - 1,
        },
      },
      {
        extends: true,
        test: {
          // The suite of everything above a database: runs on the supervised PostgreSQL or on DATABASE_URL (TEST_DB).
          name: 'server',
          include: process.env.TEST_SECOND_DATABASE
            ? SECOND_DATABASE
            : ['{server,integrations}/**/*.test.ts'],
          exclude: [...NEVER, ...UNIT, ...DOCKER],
          globalSetup: 'server/testing/globalSetup.ts',
          // The server keeps no state in its modules; importing it again for each file took a third of the time.
          isolate: false,
          // The chaos suite keeps one for itself and mostly waits.
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          // Needs a Docker engine and the images of server/tools/docker.ts.
          name: 'docker',
          include: DOCKER,
          exclude: NEVER,
          globalSetup: 'server/testing/globalSetup.ts',
          // They wait for containers most of the time.
          maxWorkers: WORKERS,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
