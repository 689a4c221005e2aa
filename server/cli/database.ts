import { loadConfig, type Config } from '../config';
import { appendAudit, type AuditRow } from '../db/audit/auditLog';
import { createDb, withTransaction, type Db, type Tx } from '../db/core/client';
import { connectRunning, type OpenDatabase } from '../db/core/embedded';
import { migrate } from '../db/core/migrate';
import type { Cli } from './io';

export interface Session {
  config: Config;
  db: Db;
  database: OpenDatabase;
}

/**
 * Runs a command on the installation's migrated database: the running server's, the one at DATABASE_URL, or the
 * managed one, which is started for the command.
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
    if (upToDate) await migrate(database.connection);
    return await work({ config, db: createDb(database.pool), database });
  } finally {
    await database.stop();
  }
}

export type CliAudit = Omit<AuditRow, 'actor_kind'>;

/**
 * Writes a command's audit entry, as the last statement of its change. It has no actor: anyone with a shell can run
 * it.
 */
export const audit = (trx: Tx | Db, entry: CliAudit): Promise<void> =>
  appendAudit(trx, [{ ...entry, actor_kind: 'cli' }]);

export const write = <T>(db: Db, work: (trx: Tx) => Promise<T>): Promise<T> => withTransaction(db, work);
