import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { loadSecret } from '../config';
import { migrations } from '../db/migrations';
import { VERSION } from '../root';
import { FORMAT, FORMAT_VERSION, NOTE, ROW, secretCheck, type Header } from './backupFormat';
import { audit, withDatabase } from './database';
import { interruption } from './interruption';
import { CommandError, type Cli } from './io';
import { parseOptions, required } from './options';
import { appliedMigrations, listSequences, listTables, quoted, type TableInfo } from './tables';
import { ownValue } from '../../console/lib/ownValue';

const BATCH_SIZE = 500;

/**
 * Writes a file that only its owner can read. It is renamed into place once complete. The database isn't migrated first:
 * the backup before an upgrade is the way back to the old version, which can't restore a newer one.
 */
export async function backupCommand(cli: Cli, args: string[]): Promise<void> {
  const file = path.resolve(required(parseOptions(args, { to: 'value' }).to, 'to'));
  if (existsSync(file))
    throw new CommandError(`${file} already exists. Choose another name, or remove it first.`);
  await withDatabase(
    cli,
    'backup',
    async ({ config, database, db }) => {
      await refuseOthers(database.pool);
      const check = secretCheck(await loadSecret(config));
      const draft = `${file}.${process.pid}.partial`;
      // Opened here because the stream would report its error before anything listens.
      const handle = await open(draft, 'wx', 0o600);
      const stopped = interruption('Interrupted. No backup was created.');
      try {
        const to = handle.createWriteStream({ flush: true });
        const counts = await dump(database.pool, check, to, stopped.signal);
        await rename(draft, file);
        await audit(db, { action: 'database.backup', target_kind: 'file', target_id: path.basename(file) });
        const rows = Object.values(counts).reduce((sum, n) => sum + n, 0);
        cli.out(`${file}: ${rows} rows in ${Object.keys(counts).length} tables`);
        cli.err(
          config.secret === undefined
            ? `Also store ${path.join(config.dataDir, 'secret')}, separately. Without it, host credentials in the backup can't be decrypted.`
            : "Store TEEHOUSE_SECRET separately as well. Without it, host credentials in the backup can't be decrypted.",
        );
      } finally {
        await handle.close().catch(() => undefined);
        await rm(draft, { force: true });
        stopped.release();
      }
    },
    { upToDate: false },
  );
}

/** A newer database may have tables that this version would save wrongly; one without migrations has nothing to save. */
async function refuseOthers(pool: pg.Pool): Promise<void> {
  const applied = await appliedMigrations(pool);
  const newer = applied.filter((name) => !Object.hasOwn(migrations, name));
  if (newer.length > 0)
    throw new CommandError(
      `The database was created by a newer version of Teehouse (it has ${newer.join(', ')}). Back it up with that release.`,
    );
  if (applied.length === 0)
    throw new CommandError(
      'The database is empty: there is nothing to back up. The first start creates its tables.',
    );
}

/**
 * Returns the rows per table. One transaction reads everything, so the backup is a consistent snapshot of a live
 * server.
 */
async function dump(
  pool: pg.Pool,
  check: string,
  to: NodeJS.WritableStream,
  stopped: AbortSignal,
): Promise<Record<string, number>> {
  const client = await pool.connect();
  // Ends a query in progress, too, which may be waiting for a lock.
  let isCut = false;
  const cut = () => {
    isCut = true;
    client.release(true);
  };
  stopped.addEventListener('abort', cut);
  try {
    stopped.throwIfAborted();
    await client.query('begin transaction isolation level repeatable read, read only');
    // A slow disk may stall the transaction, and the format of times and bytes must not depend on local settings.
    await client.query(
      `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
       set local timezone = 'UTC'; set local bytea_output = 'hex'; set local extra_float_digits = 1`,
    );
    const counts: Record<string, number> = {};
    await pipeline(Readable.from(lines(client, check, counts)), createGzip({ level: 6 }), to);
    await client.query('commit');
    return counts;
  } catch (error) {
    stopped.throwIfAborted();
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    stopped.removeEventListener('abort', cut);
    if (!isCut) client.release();
  }
}

async function* lines(
  client: pg.PoolClient,
  check: string,
  counts: Record<string, number>,
): AsyncGenerator<string> {
  const head: Header = {
    format: FORMAT,
    version: FORMAT_VERSION,
    release: VERSION,
    created_at: new Date().toISOString(),
    migrations: await appliedMigrations(client),
    secret_check: check,
    // Read after the snapshot was taken, so they include every number in its rows.
    sequences: Object.fromEntries((await listSequences(client)).map(({ name, last }) => [name, last])),
  };
  yield note(head);
  for (const table of await listTables(client)) {
    yield note({ table: table.name, columns: table.columns });
    counts[table.name] = 0;
    for await (const rows of rowsOf(client, table)) {
      counts[table.name] = (ownValue(counts, table.name) ?? 0) + rows.length;
      yield rows.map((row) => `${ROW}${row}\n`).join('');
    }
    yield note({ counters: await countersOf(client, table) });
  }
  yield note({ end: counts });
}

const note = (value: unknown) => `${NOTE}${JSON.stringify(value)}\n`;

async function* rowsOf(client: pg.PoolClient, { name, columns }: TableInfo): AsyncGenerator<string[]> {
  await client.query(
    `declare backup_rows no scroll cursor for
     select row_to_json(r)::text as row from (select ${columns.map(quoted).join(', ')} from ${quoted(name)}) r`,
  );
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${BATCH_SIZE} from backup_rows`);
    if (rows.length === 0) break;
    yield rows.map(({ row }) => row);
  }
  await client.query('close backup_rows');
}

/** Saves the position of each identity column, because audit rows still name deleted rows' IDs. */
async function countersOf(client: pg.PoolClient, table: TableInfo): Promise<Record<string, string | null>> {
  const counters: Record<string, string | null> = {};
  for (const column of table.identities) {
    const { rows } = await client.query<{ last: string | null }>(
      `select pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass)::text as last`,
      [quoted(table.name), column],
    );
    counters[column] = rows[0]?.last ?? null;
  }
  return counters;
}
