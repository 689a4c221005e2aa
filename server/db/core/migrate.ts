import { Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { migrations } from '../migrations';

/** Names of the migrations `migrate` ran, in order. */
export type Migrated = string[];

/**
 * Migrates the database to the current schema. Any number of processes may call this concurrently: the
 * migrator holds an advisory lock, and all pending migrations run in one transaction, so a failure leaves the
 * database unchanged.
 */
export async function migrate(
  connection: pg.PoolConfig,
  list: Record<string, Migration> = migrations,
): Promise<Migrated> {
  // Separate connections without a time limit: waiting for the lock counts as a running statement, and so
  // does building a long index.
  const pool = new pg.Pool({
    ...connection,
    max: 2,
    application_name: 'teehouse migrate',
    statement_timeout: 0,
  });
  pool.on('error', () => {
    // The query in progress fails with the same error.
  });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const done = await appliedMigrations(db);
    refuseNewer(done, list);
    // Otherwise, the migrator would first inspect every column of the database, several times.
    if (Object.keys(list).every((name) => done.has(name))) return [];
    const migrator = new Migrator({ db, provider: { getMigrations: async () => list } });
    const { error, results } = await migrator.migrateToLatest();
    if (error) {
      const failed = results?.find((r) => r.status === 'Error')?.migrationName;
      throw new Error(`Migration ${failed ?? ''} failed, the database is unchanged: ${messageOf(error)}`, {
        cause: error,
      });
    }
    return (results ?? []).filter((r) => r.status === 'Success').map((r) => r.migrationName);
  } finally {
    await db.destroy();
  }
}

/** Returns the names of the migrations that are committed; none for an empty database. */
async function appliedMigrations(db: Kysely<unknown>): Promise<Set<string>> {
  const { rows } = await sql<{
    known: boolean;
  }>`select to_regclass('kysely_migration') is not null as known`.execute(db);
  if (!rows[0]?.known) return new Set();
  const applied = await (db as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute();
  return new Set(applied.map((row) => row.name));
}

/** Running an older release on a newer database would fail later with obscure errors. */
function refuseNewer(done: ReadonlySet<string>, list: Record<string, Migration>): void {
  const unknown = [...done].filter((name) => !Object.hasOwn(list, name));
  if (unknown.length > 0)
    throw new Error(
      `This database was created by a newer version of Teehouse (it has ${unknown.join(', ')}). Start that version, or restore a backup created by this one.`,
    );
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
