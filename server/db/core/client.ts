import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { setTimeout as wait } from 'node:timers/promises';
import { countRetry, isRetried } from './retries';
import type { Database } from './schema';

export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

export interface PoolOptions {
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** Maximum number of connections. */
  size: number;
  /** Statement time limit; 0 for none. */
  statementTimeoutMs?: number;
  /** Called when an idle connection breaks; the pool replaces it. */
  onError?: (error: Error) => void;
}

const INT8 = 20;
const DATE = 1082;

/**
 * int8 as number: IDs and amounts stay below 2^53, and a larger value is an error instead of being rounded.
 * date as text: pg would turn it into local midnight. timestamptz stays a Date, numeric a string.
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
 * Marks a statement that PostgreSQL keeps parsed and planned on every connection: planning the joins of
 * frequent requests costs several times their execution, and of a deployment's small statements about as much. Written
 * first in it, or last with `modifyEnd`. Only for constant texts with named columns: after a migration, `select *` would
 * fail until the connection is replaced.
 */
export const prepared = sql.raw(PREPARED);

const isMarked = (text: string) => text.startsWith(PREPARED) || text.endsWith(PREPARED);

const names = new Map<string, string>();

/** Names marked statements, which makes pg prepare them once per connection. */
function nameMarked(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const named = (text: unknown, ...rest: unknown[]) => {
    if (typeof text !== 'string' || !isMarked(text)) return query(text, ...rest);
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
  // Without a listener, an idle connection's error (a restarted database) would end the process.
  pool.on('error', (error) => options.onError?.(error));
  // A checked-out connection has no pool listener; its error surfaces in the next query.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('connect', nameMarked);
  return pool;
}

export function createDb(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

/** The connection broke while PostgreSQL was committing, so that nobody knows here whether the changes were saved. */
export class CommitUnknownError extends Error {
  constructor(cause: unknown) {
    super('The connection to the database broke during a commit', { cause });
  }
}

/**
 * Runs one transaction, retried when PostgreSQL requires it, so `fn` must have no effects outside the
 * transaction. Given a transaction, it joins that one.
 * @param options.operation the API operation or the type of the CVM operation, for the log of retries
 * @throws {CommitUnknownError}
 */
export async function withTransaction<T>(
  db: Db | Tx,
  fn: (tx: Tx) => Promise<T>,
  {
    attempts,
    isolation,
    operation,
  }: { attempts?: number; isolation?: 'repeatable read' | 'serializable'; operation?: string } = {},
): Promise<T> {
  if (db.isTransaction) return fn(db as Tx);
  const run = async () => {
    let isComplete = false;
    const work = async (trx: Tx) => {
      const result = await fn(trx);
      isComplete = true;
      return result;
    };
    const transaction = db.transaction();
    try {
      return await (isolation ? transaction.setIsolationLevel(isolation) : transaction).execute(work);
    } catch (error) {
      throw isComplete && isBrokenConnection(error) ? new CommitUnknownError(error) : error;
    }
  };
  // Awaited, so that the log of a retry shows the caller.
  return await retried(run, { attempts, operation });
}

/** Whether PostgreSQL gave no answer, or its answer is that the connection ends. */
const isBrokenConnection = (error: unknown) => /^(08|57P|$)/.test(errorCode(error) ?? '');

/** Runs a separate transaction, such as one statement, again when PostgreSQL requires it. */
export async function retried<T>(
  run: () => Promise<T>,
  { attempts = 6, operation }: { attempts?: number | undefined; operation?: string | undefined } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const sqlstate = errorCode(error);
      if (attempt >= attempts || !isRetried(sqlstate)) throw error;
      countRetry({ sqlstate, attempt, error, operation, stack: new Error('Retrying').stack });
      await wait(Math.random() * 10 * 2 ** attempt);
    }
  }
}

/** Returns the SQLSTATE of a database error; undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Returns the name of the constraint a write violated; undefined for other errors. */
export function brokenConstraint(error: unknown): string | undefined {
  const name = errorCode(error)?.startsWith('23') && (error as pg.DatabaseError).constraint;
  return name || undefined;
}
