import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from './schema';

export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

export interface PoolOptions {
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** Connections at most. */
  size: number;
  /** Longest a statement may run; 0 without limit. */
  statementTimeoutMs?: number;
  /** An idle connection broke; the pool replaces it. */
  onError?: (error: Error) => void;
}

const INT8 = 20;
const DATE = 1082;

/**
 * int8 as number: ids and amounts here stay below 2^53, and one that does not is an error instead of a rounded value.
 * date as the text it is: pg would make local midnight of it. timestamptz stays a Date, numeric a string.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary' && oid === INT8) return parseInt8;
    if (format !== 'binary' && oid === DATE) return (value: string) => value;
    return pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};

function parseInt8(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new Error(`int8 value ${value} does not fit a JavaScript number`);
  return number;
}

const PREPARED = '/* prepared */';

/**
 * Begins a statement that PostgreSQL keeps parsed and planned on every connection: for the joins that requests make
 * all the time, planning costs several times the execution. Only for texts that are always the same, and whose columns
 * are named: with `select *` a later migration would make it fail until the connection is made anew.
 */
export const prepared = sql.raw(PREPARED);

const names = new Map<string, string>();

/** Gives marked statements a name, which is what makes pg prepare them once per connection. */
function nameMarked(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const named = (text: unknown, ...rest: unknown[]) => {
    if (typeof text !== 'string' || !text.startsWith(PREPARED)) return query(text, ...rest);
    let name = names.get(text);
    if (!name) names.set(text, (name = `prepared_${names.size + 1}`));
    const [values, ...callback] = rest;
    return query({ name, text, values }, ...callback);
  };
  client.query = named as typeof client.query;
}

/** `connection` as `openDatabase` returns it. */
export function createPool(connection: pg.PoolConfig, options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    types,
    max: options.size,
    application_name: options.applicationName,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: 15_000,
    idleTimeoutMillis: 60_000,
  });
  // Without a listener the error of an idle connection (a restarted database) would end the process.
  pool.on('error', (error) => options.onError?.(error));
  // One that is lent out has no listener of the pool's: its error is the failure of the query after it, no more.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('connect', nameMarked);
  return pool;
}

export function createDb(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

/** serialization_failure and deadlock_detected: PostgreSQL asks for the whole transaction again (manual §13.5). */
const RETRIED = new Set(['40001', '40P01']);

/**
 * One transaction, run again when PostgreSQL asks for it, so `fn` must have no effect outside of it. Given a
 * transaction, it joins that one.
 */
export async function withTransaction<T>(
  db: Db | Tx,
  fn: (tx: Tx) => Promise<T>,
  { attempts = 6, isolation }: { attempts?: number; isolation?: 'repeatable read' | 'serializable' } = {},
): Promise<T> {
  if (db.isTransaction) return fn(db as Tx);
  for (let attempt = 1; ; attempt++) {
    try {
      const transaction = db.transaction();
      return await (isolation ? transaction.setIsolationLevel(isolation) : transaction).execute(fn);
    } catch (error) {
      if (attempt >= attempts || !RETRIED.has(errorCode(error) ?? '')) throw error;
      await wait(Math.random() * 10 * 2 ** attempt);
    }
  }
}

/** SQLSTATE of an error from the database; undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Name of the constraint a write broke; undefined for other errors. */
export function brokenConstraint(error: unknown): string | undefined {
  const name = errorCode(error)?.startsWith('23') && (error as pg.DatabaseError).constraint;
  return name || undefined;
}
