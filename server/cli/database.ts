import { loadConfig, type Config } from '../config';
import { createDb, withTransaction, type Db, type Tx } from '../db/client';
import { connectRunning, type OpenDatabase } from '../db/embedded';
import { migrate } from '../db/migrate';
import type { Json } from '../db/schema';
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

export interface CliAudit {
  action: string;
  target_kind?: string;
  target_id?: string;
  team_id?: number;
  after?: Json;
}

/** One change with its audit row: whoever may run this command acts for nobody in particular. */
export async function audit(trx: Tx | Db, entry: CliAudit): Promise<void> {
  await trx
    .insertInto('audit_log')
    .values({
      actor_kind: 'cli',
      action: entry.action,
      target_kind: entry.target_kind ?? null,
      target_id: entry.target_id ?? null,
      team_id: entry.team_id ?? null,
      after: entry.after === undefined ? null : JSON.stringify(entry.after),
    })
    .execute();
}

export const write = <T>(db: Db, work: (trx: Tx) => Promise<T>): Promise<T> => withTransaction(db, work);
