import path from 'node:path';
import type pg from 'pg';
import { loadSecret } from '../config';
import { brokenConstraint, createDb, errorCode } from '../db/core/client';
import { migrate } from '../db/core/migrate';
import { migrations } from '../db/migrations';
import { ownValue } from '../../console/lib/ownValue';
import { secretCheck, type Header } from './backupFormat';
import { audit, withDatabase } from './database';
import { CommandError, type Cli } from './io';
import { parseOptions, required } from './options';
import { damaged, partsOf, readHeader } from './readBackup';
import { appliedMigrations, listSequences, listTables, quoted, SEEDED, type TableInfo } from './tables';

const BATCH_ROWS = 500;
const BATCH_BYTES = 4_000_000;

/** Restores a backup into an empty database, completely or not at all, then migrates it to the current version. */
export async function restoreCommand(cli: Cli, args: string[]): Promise<void> {
  const file = path.resolve(required(parseOptions(args, { from: 'value' }).from, 'from'));
  const head = await readHeader(file);
  await withDatabase(
    cli,
    'restore',
    async ({ config, database }) => {
      const rows = await loadBackup(database, file, head);
      await migrate(database.connection);
      await audit(createDb(database.pool), {
        action: 'database.restore',
        target_kind: 'file',
        target_id: path.basename(file),
      });
      await analyze(database.pool);
      cli.out(`${rows} rows from the backup of ${head.created_at}`);
      if (secretCheck(await loadSecret(config)) !== head.secret_check)
        cli.err(
          "TEEHOUSE_SECRET (or DATA_DIR/secret) differs from the backup's, so host credentials can't be decrypted. Put the old secret in place, or enter the credentials again.",
        );
    },
    { upToDate: false },
  );
}

interface Target {
  pool: pg.Pool;
  connection: pg.PoolConfig;
}

/** Fills an empty database, completely or not at all, as of the backup's version. @returns the number of rows */
export async function loadBackup(database: Target, file: string, head: Header): Promise<number> {
  await prepare(database, head);
  return load(database.pool, file, head.sequences ?? {});
}

/** Collects statistics: without them, the first queries on a large database could take hours. */
export async function analyze(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('analyze');
  } finally {
    // A connection without the time limit must not be reused.
    client.release(true);
  }
}

/** Migrates the database up to the backup's version. */
async function prepare(database: Target, head: Header): Promise<void> {
  const unknown = head.migrations.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0)
    throw new CommandError(
      `The backup was created by a newer version of Teehouse (${head.release}; it has ${unknown.join(', ')}). Restore it with that release.`,
    );
  const present = await appliedMigrations(database.pool);
  if (present.length > head.migrations.length)
    throw new CommandError(
      'The database is newer than the backup. Restore into a new one: set another DATA_DIR, or point DATABASE_URL to a new database.',
    );
  await migrate(
    database.connection,
    Object.fromEntries(Object.entries(migrations).filter(([name]) => head.migrations.includes(name))),
  );
}

async function load(pool: pg.Pool, file: string, sequences: Sequences): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    const tables = await listTables(client);
    await refuseNonEmpty(client, tables);
    // The backup already contains what triggers would write.
    for (const { name } of tables) await client.query(`alter table ${quoted(name)} disable trigger user`);
    const keys = await dropOwnKeys(client);
    const rows = await fill(client, new Map(tables.map((table) => [table.name, table])), file);
    await addKeys(client, keys);
    await setSequences(client, sequences);
    for (const { name } of tables) await client.query(`alter table ${quoted(name)} enable trigger user`);
    await client.query('commit');
    return rows;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

type Sequences = Readonly<Record<string, string | null>>;

/** Sets the sequences that belong to no column, and those without a value in an older backup by the rows that use them. */
async function setSequences(client: pg.PoolClient, saved: Sequences): Promise<void> {
  for (const { name } of await listSequences(client)) {
    const last = ownValue(saved, name) ?? (await lastUsed(client, name));
    if (last !== null) await client.query('select setval($1::regclass, $2::bigint)', [quoted(name), last]);
  }
}

/** Returns the highest number in the columns that a sequence fills by default. */
async function lastUsed(client: pg.PoolClient, sequence: string): Promise<string | null> {
  const { rows: columns } = await client.query<{ table: string; column: string }>(
    `select a.attrelid::regclass::text as table, a.attname as column
     from pg_depend d join pg_attrdef f on f.oid = d.objid
     join pg_attribute a on a.attrelid = f.adrelid and a.attnum = f.adnum
     where d.classid = 'pg_attrdef'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = $1::regclass`,
    [quoted(sequence)],
  );
  let last: string | null = null;
  for (const { table, column } of columns) {
    const highest: pg.QueryResult<{ last: string | null }> = await client.query(
      `select greatest(max(${quoted(column)}), $1::bigint)::text as last from ${table}`,
      [last],
    );
    last = highest.rows[0]?.last ?? null;
  }
  return last;
}

interface ForeignKey {
  /** Quoted. */
  table: string;
  name: string;
  definition: string;
}

/**
 * Drops the foreign keys of tables that refer to themselves, until their rows are complete: a row can precede the one it
 * refers to, because an update moves that one.
 */
async function dropOwnKeys(client: pg.PoolClient): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conrelid = confrelid and conparentid = 0
       and connamespace = 'public'::regnamespace order by 1, 2`,
  );
  for (const { table, name } of rows)
    await client.query(`alter table ${table} drop constraint ${quoted(name)}`);
  return rows;
}

/** Checks all rows. */
async function addKeys(client: pg.PoolClient, keys: readonly ForeignKey[]): Promise<void> {
  for (const { table, name, definition } of keys)
    await client
      .query(`alter table ${table} add constraint ${quoted(name)} ${definition}`)
      .catch((error: unknown) => {
        throw rejected(table, error);
      });
}

/** Rows that migrations inserted are replaced. Any other row is user data and stops the restore. */
async function refuseNonEmpty(client: pg.PoolClient, tables: TableInfo[]): Promise<void> {
  for (const { name } of tables) {
    // Blocks writes between the check and the commit.
    await client.query(`lock table ${quoted(name)} in exclusive mode`);
    const { rows } = await client.query<{ used: boolean }>(
      `select exists (select 1 from ${quoted(name)}) as used`,
    );
    if (rows[0]?.used && SEEDED.has(name)) await client.query(`delete from ${quoted(name)}`);
    else if (rows[0]?.used)
      throw new CommandError(
        `The database is not empty (${name} has rows). Nothing was changed. Restore into a new one: set another DATA_DIR, or point DATABASE_URL to a new database.`,
      );
  }
}

/** @returns the number of rows written */
async function fill(client: pg.PoolClient, tables: Map<string, TableInfo>, file: string): Promise<number> {
  let into: { table: TableInfo; columns: string[] } | undefined;
  let batch: string[] = [];
  let bytes = 0;
  let written = 0;
  const flush = async () => {
    if (into && batch.length > 0) await insert(client, into.table.name, into.columns, batch);
    batch = [];
    bytes = 0;
  };
  for await (const part of partsOf(file)) {
    if (part.kind === 'row') {
      batch.push(part.row);
      bytes += part.row.length;
      written += 1;
      if (batch.length >= BATCH_ROWS || bytes >= BATCH_BYTES) await flush();
      continue;
    }
    await flush();
    if (part.kind === 'table') {
      const table = tables.get(part.table);
      const { columns } = part;
      if (!table || !columns.every((name) => table.columns.includes(name))) throw damaged();
      into = { table, columns };
    } else if (into) await setCounters(client, into.table, part.counters);
  }
  await flush();
  return written;
}

async function insert(
  client: pg.PoolClient,
  table: string,
  columns: string[],
  rows: string[],
): Promise<void> {
  const list = columns.map(quoted).join(', ');
  try {
    await client.query(
      `insert into ${quoted(table)} (${list}) overriding system value
       select ${list} from json_populate_recordset(null::${quoted(table)}, $1::json)`,
      [`[${rows.join(',')}]`],
    );
  } catch (error) {
    throw rejected(table, error);
  }
}

/** For a rejected row, PostgreSQL's message may contain a value, so it isn't passed on. */
function rejected(table: string, error: unknown): unknown {
  const refused = /^2[23]/.test(errorCode(error) ?? '') && (brokenConstraint(error) ?? 'an invalid value');
  if (!refused) return error;
  return new CommandError(
    `The backup is damaged: PostgreSQL rejected rows of ${table} (${refused}). Nothing was changed.`,
  );
}

async function setCounters(
  client: pg.PoolClient,
  table: TableInfo,
  counters: Record<string, string | null>,
): Promise<void> {
  for (const [column, last] of Object.entries(counters)) {
    if (last === null || !table.identities.includes(column)) continue;
    await client.query('select setval(pg_get_serial_sequence($1, $2), $3::bigint)', [
      quoted(table.name),
      column,
      last,
    ]);
  }
}
