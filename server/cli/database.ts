import { loadConfig, type Config } from '../config';
import { appendAudit, type AuditRow } from '../db/audit/auditLog';
import { createDb, withTransaction, type Db, type Tx } from '../db/core/client';
import { connectRunning, type OpenDatabase } from '../db/core/embedded';
import { migrate } from '../db/core/migrate';
import { migrations } from '../db/migrations';
import { CommandError, type Cli } from './io';
import { appliedMigrations } from './tables';

export interface Session {
  config: Config;
  db: Db;
  database: OpenDatabase;
}

/**
 * Runs a command on the installation's database: the running server's, the one at DATABASE_URL, or the managed one,
 * which is started for the command. Unless `upToDate` is false, it needs the tables of this version.
 */
export async function withDatabase<T>(
  cli: Cli,
  name: string,
  work: (session: Session) => Promise<T>,
  { upToDate = true } = {},
): Promise<T> {
  const config = loadConfig(cli.env);
  const log = { info: cli.err, warn: cli.err, error: cli.err };
  const database = await connectRunning(config, `teehouse ${name}`, log);
  try {
    if (upToDate) await requireCurrent(database);
    return await work({ config, db: createDb(database.pool), database });
  } finally {
    await database.stop();
  }
}

/**
 * Creates the tables of a new database. Migrating an existing one is up to the operator: processes of the earlier version
 * may be running that must be stopped first.
 */
async function requireCurrent({ pool, connection }: OpenDatabase): Promise<void> {
  const applied = await appliedMigrations(pool);
  if (applied.length > 0 && Object.keys(migrations).some((name) => !applied.includes(name)))
    throw new CommandError(
      'The database belongs to an earlier version. Check the upgrade with `teehouse upgrade --check`, then run `teehouse migrate` or start this version.',
    );
  await migrate(connection);
}

export type CliAudit = Omit<AuditRow, 'actor_kind'>;

/**
 * Writes a command's audit entry, as the last statement of its change. It has no actor: anyone with a shell can run
 * it.
 */
export const audit = (trx: Tx | Db, entry: CliAudit): Promise<void> =>
  appendAudit(trx, [{ ...entry, actor_kind: 'cli' }]);

export const write = <T>(db: Db, work: (trx: Tx) => Promise<T>): Promise<T> => withTransaction(db, work);
