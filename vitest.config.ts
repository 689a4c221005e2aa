import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that need no database, and those that start one of their own. */
const UNIT = [
  'console/{lib,ui,api,features,routes}/**/*.test.{ts,tsx}',
  'console/*.test.{ts,tsx}',
  'admin/**/*.test.{ts,tsx}',
  'server/{domain,drivers,teepod,tools}/**/*.test.ts',
  'server/config.test.ts',
  'server/repo.test.ts',
  'server/db/embedded.test.ts',
  'server/db/postgres/**/*.test.ts',
];
const DOCKER = ['server/**/*.docker.test.ts'];
const NEVER = ['**/node_modules/**', '**/dist/**', 'console/e2e/**'];

/** Minutes of waiting for processes that were killed: begun first, so that nothing waits for them at the end. */
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
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 60_000,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: UNIT, exclude: [...NEVER, ...DOCKER] },
      },
      {
        extends: true,
        test: {
          // The suite of everything above a database: runs on the supervised PostgreSQL or on DATABASE_URL (TEST_DB).
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude: [...NEVER, ...UNIT, ...DOCKER],
          globalSetup: 'server/testing/globalSetup.ts',
          // The server keeps no state in its modules; importing it anew for each file took a third of the time.
          isolate: false,
          // On two cores one would be the default; the long files wait more than they compute.
          maxWorkers: 2,
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
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
