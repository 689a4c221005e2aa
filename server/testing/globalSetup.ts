import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase, type OpenDatabase } from '../db/core/embedded';
import { migrate } from '../db/core/migrate';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server where `createTestDatabase` creates databases, and the migrated one it copies. */
    testDatabases: { connection: pg.PoolConfig; template: string };
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
  const dir = await mkdtemp('/tmp/teehouse-test-');
  await chmod(dir, 0o755); // As root, PostgreSQL runs as another user.
  const open = async (): Promise<OpenDatabase> =>
    openDatabase(
      { dataDir: path.join(dir, 'data'), databaseUrl, databasePoolSize: 2, postgresBinDir: undefined },
      console,
    );
  const database = await open();
  // Durability isn't needed.
  if (database.kind === 'embedded') {
    await database.pool.query('alter system set fsync = off');
    await database.pool.query('alter system set synchronous_commit = off');
    await database.pool.query('select pg_reload_conf()');
  }
  const template = `template_${randomBytes(5).toString('hex')}`;
  await database.pool.query(`create database ${template}`);
  await migrate(connectTo(database.connection, template));
  project.provide('testDatabases', { connection: database.connection, template });

  return async () => {
    await database.pool.query(`drop database if exists ${template} with (force)`);
    await database.stop();
    await rm(dir, { recursive: true, force: true });
  };
}

/** Returns the same server's URL with another database. */
export function connectTo(connection: pg.PoolConfig, database: string): pg.PoolConfig {
  if (!connection.connectionString) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { ...connection, connectionString: url.href };
}
