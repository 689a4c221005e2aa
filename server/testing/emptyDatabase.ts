import { execFile } from 'node:child_process';
import { chmod, mkdir, truncate } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '../db/core/embedded';
import { migrate } from '../db/core/migrate';

/**
 * The supervised PostgreSQL of an empty server, created once and copied for each server that a test starts:
 * creating and migrating one takes ten seconds of processor time. The copies don't fsync, because tests end
 * before the machine does.
 */

/** Creates and migrates the database in a directory that doesn't exist yet. */
export async function prepareEmptyDatabase(dataDir: string): Promise<void> {
  const database = await openDatabase({
    dataDir,
    databaseUrl: undefined,
    databasePoolSize: 2,
    postgresBinDir: undefined,
  });
  try {
    for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
      await database.pool.query(`alter system set ${setting} = off`);
    await migrate(database.connection);
  } finally {
    await database.stop();
  }
}

/**
 * Copies it into another server's data directory, which must have no database yet.
 *
 * @param durable commits survive kill -9 of PostgreSQL, as by default
 */
export async function copyEmptyDatabase(
  from: string,
  dataDir: string,
  { durable = false } = {},
): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  // PostgreSQL runs as another user if this is root.
  await chmod(dataDir, 0o711);
  // Node's cp would make root the owner.
  await promisify(execFile)('cp', ['-a', path.join(from, 'postgres'), dataDir]);
  if (durable) await truncate(path.join(dataDir, 'postgres/postgresql.auto.conf'));
}
