import { randomBytes } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../db/core/embedded';
import { migrate } from '../db/core/migrate';
import { scratchDir, sweepScratch } from '../tools/testRunner/scratch';
import { copyEmptyDatabase, prepareEmptyDatabase } from './emptyDatabase';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server where `createTestDatabase` creates databases, and the migrated one it copies. */
    testDatabases: { connection: pg.PoolConfig; template: string };
    /** Data directory to copy for a server that starts its own PostgreSQL; null if tests use another one. */
    emptyDatabase: string | null;
  }
}

/**
 * One PostgreSQL for a run: the supervised one (TEST_DB=embedded, the default) or the server at DATABASE_URL
 * (TEST_DB=postgres), whose user must be allowed to create databases.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const databaseUrl = process.env.TEST_DB === 'embedded' ? undefined : process.env.DATABASE_URL;
  if (process.env.TEST_DB === 'postgres' && !databaseUrl)
    throw new Error('TEST_DB=postgres needs DATABASE_URL');
  await sweepScratch();
  const dir = await scratchDir('test');
  await chmod(dir, 0o755); // As root, PostgreSQL runs as another user.
  const dataDir = path.join(dir, 'data');
  // `npm test` prepares one for all suites.
  const prepared = process.env.TEST_EMPTY_DATABASE;
  const empty = databaseUrl === undefined ? (prepared ?? path.join(dir, 'empty')) : null;
  if (empty !== null) {
    if (empty !== prepared) await prepareEmptyDatabase(empty);
    await copyEmptyDatabase(empty, dataDir);
  }
  const database = await openDatabase(
    { dataDir, databaseUrl, databasePoolSize: 2, postgresBinDir: undefined },
    console,
  );
  const template = `template_${randomBytes(5).toString('hex')}`;
  if (empty !== null) await copyDatabase(database.connection, template);
  else {
    await database.pool.query(`create database ${template}`);
    await migrate(connectTo(database.connection, template));
  }
  project.provide('testDatabases', { connection: database.connection, template });
  project.provide('emptyDatabase', empty);

  return async () => {
    await database.pool.query(`drop database if exists ${template} with (force)`);
    await database.stop();
    await rm(dir, { recursive: true, force: true });
  };
}

/** Copies the server's own database, which is already migrated. */
async function copyDatabase(connection: pg.PoolConfig, name: string): Promise<void> {
  // Connects through another database: the copied one must have no connections.
  const client = new pg.Client(connectTo(connection, 'postgres'));
  await client.connect();
  try {
    await client.query(`create database ${name} template ${connection.database ?? ''} strategy file_copy`);
  } finally {
    await client.end();
  }
}

/** Returns the same server's URL with another database. */
export function connectTo(connection: pg.PoolConfig, database: string): pg.PoolConfig {
  if (!connection.connectionString) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { ...connection, connectionString: url.href };
}
