import { defineConfig } from 'vitest/config';

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

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
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
