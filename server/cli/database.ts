import { loadConfig, type Config } from '../config';
import { appendAudit, type AuditRow } from '../db/auditLog';
import { createDb, withTransaction, type Db, type Tx } from '../db/client';
import { connectRunning, type OpenDatabase } from '../db/embedded';
import { migrate } from '../db/migrate';
import type { Cli } from './io';

export interface Session {
  config: Config;
  db: Db;
  database: OpenDatabase;
}

/**
 * Runs a command on the installation's database, brought up to date first: the running server's, else the one at
 * DATABASE_URL, else its own, started for as long as the command runs.
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

/** The audit entry of a command, last in its change: whoever may run it acts for nobody in particular. */
export const audit = (trx: Tx | Db, entry: CliAudit): Promise<void> =>
  appendAudit(trx, [{ ...entry, actor_kind: 'cli' }]);

export const write = <T>(db: Db, work: (trx: Tx) => Promise<T>): Promise<T> => withTransaction(db, work);
