import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { endsWithin } from '../../../console/lib/endsWithin';
import type { Config } from '../../config';
import { createPool } from './client';
import { findBinaries } from './postgres/binaries';
import { acquireLock } from './postgres/lock';
import { preparePlace, readRecord, writeRecord } from './postgres/place';
import {
  initialize,
  settlePrevious,
  startPostmaster,
  SUPERUSER,
  type Postmaster,
} from './postgres/postmaster';

/**
 * The database: PostgreSQL at DATABASE_URL, otherwise one this process starts and supervises in DATA_DIR.
 * Callers see a pool and cannot tell which.
 */

export interface OpenDatabase {
  kind: 'embedded' | 'external';
  /** For further connections: a pool for jobs, a listener, a child process. */
  connection: pg.PoolConfig;
  /** The same as a URL. Contains an external database's password: never log it. */
  url: string;
  pool: pg.Pool;
  /** Closes the pool, then stops PostgreSQL if this process started it. */
  stop(): Promise<void>;
}

export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

type Settings = Pick<Config, 'dataDir' | 'databaseUrl' | 'databasePoolSize' | 'postgresBinDir'>;

const DATABASE = 'teehouse';
const SILENT: Log = { info() {}, warn() {}, error() {} };
/** How long a server waits for a command to hand over the database, and vice versa. */
const HANDOVER_MS = 60_000;
/** How long closing waits for statements in progress, such as the check of the books: their process exits anyway. */
const CLOSE_MS = 5_000;

/** For a server. Throws when another server supervises the same DATA_DIR. */
export async function openDatabase(config: Settings, log: Log = SILENT): Promise<OpenDatabase> {
  if (config.databaseUrl) return external(config, log);
  return owned(config, log, 'server', 'the server');
}

/** For a command: uses the running server's database, or starts it while the command runs. */
export async function connectRunning(
  config: Settings,
  name = 'a teehouse command',
  log: Log = SILENT,
): Promise<OpenDatabase> {
  const small = { ...config, databasePoolSize: Math.min(config.databasePoolSize, 4) };
  return config.databaseUrl ? external(small, log) : owned(small, log, 'command', name);
}

async function external(config: Settings, log: Log): Promise<OpenDatabase> {
  const connection = { connectionString: config.databaseUrl };
  const pool = createPool(connection, {
    applicationName: 'teehouse',
    size: config.databasePoolSize,
    onError: (error) => log.warn(`database connection lost: ${error.message}`),
  });
  try {
    const major = await serverMajor(pool);
    if (major < 15) throw new Error(`PostgreSQL 15 or newer is required, but this is ${major}`);
  } catch (error) {
    await pool.end();
    // pg's messages name the host and user, never the password.
    throw new Error(`Cannot use the database at DATABASE_URL: ${messageOf(error)}`, { cause: error });
  }
  if (existsSync(path.join(config.dataDir, 'postgres.json')))
    log.warn(`DATABASE_URL is set, so the database in ${config.dataDir} is not used`);
  return { kind: 'external', connection, url: config.databaseUrl!, pool, stop: () => closePool(pool) };
}

async function owned(
  config: Settings,
  log: Log,
  kind: 'server' | 'command',
  name: string,
): Promise<OpenDatabase> {
  await mkdir(config.dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const lockFile = path.join(config.dataDir, 'lock');
  const deadline = Date.now() + HANDOVER_MS;
  for (let isLogged = false; ; await wait(50)) {
    const lock = await acquireLock(lockFile, kind, name);
    if (!('heldBy' in lock)) {
      try {
        return await start(config, log, lock);
      } catch (error) {
        await lock.release();
        throw error;
      }
    }
    const { heldBy } = lock;
    if (heldBy.kind === 'server' && kind === 'server')
      throw new Error(
        `Another Teehouse server (process ${heldBy.pid}) already uses ${config.dataDir}. Stop it, give this one another DATA_DIR, or share a database between them with DATABASE_URL.`,
      );
    const joined = heldBy.kind === 'server' ? await join(config, log) : undefined;
    if (joined) return joined;
    if (Date.now() > deadline)
      throw new Error(
        heldBy.kind === 'server'
          ? `The server (process ${heldBy.pid}) holds ${config.dataDir}, but its database isn't responding.`
          : `${heldBy.name} (process ${heldBy.pid}) holds ${config.dataDir} and does not finish.`,
      );
    if (!isLogged) log.info(`waiting for ${heldBy.name} (process ${heldBy.pid})`);
    isLogged = true;
  }
}

/** Returns the running server's database; undefined while it is still starting. */
async function join(config: Settings, log: Log): Promise<OpenDatabase | undefined> {
  const record = await readRecord(config.dataDir);
  if (!record) return undefined;
  const connection = connectionTo(record.sockets);
  const pool = createPool(connection, {
    applicationName: 'teehouse command',
    size: config.databasePoolSize,
    onError: (error) => log.warn(`database connection lost: ${error.message}`),
  });
  try {
    await pool.query('select 1');
  } catch (error) {
    await pool.end();
    if ((error as NodeJS.ErrnoException).code === 'EACCES')
      throw new Error(
        `This user can’t access the database in ${config.dataDir}. Run this as the user that runs the server.`,
      );
    return undefined;
  }
  return { kind: 'embedded', connection, url: urlOf(record.sockets), pool, stop: () => pool.end() };
}

async function start(config: Settings, log: Log, lock: { release(): Promise<void> }): Promise<OpenDatabase> {
  const place = await preparePlace(config.dataDir);
  if (place.note) log.warn(`database files are in ${place.data}. ${place.note}`);
  await settlePrevious(place.data);
  const version = await readFile(path.join(place.data, 'PG_VERSION'), 'utf8').catch(() => undefined);
  const binaries = await findBinaries({
    given: config.postgresBinDir,
    major: version === undefined ? undefined : parseInt(version, 10),
    runAs: place.runAs,
    copies: place.runAs ? '/var/lib/teehouse' : path.join(config.dataDir, 'bin'),
  });
  await initialize(binaries, place);
  const record = await readRecord(config.dataDir);
  if (record && record.major !== binaries.major)
    await writeRecord(config.dataDir, { ...record, major: binaries.major });

  const logFile = path.join(config.dataDir, 'postgres.log');
  const launch = () => startPostmaster(binaries, place, logFile);
  let closing = false;
  const supervisor = await keepRunning(launch, log, logFile);
  const connection = connectionTo(place.sockets);
  try {
    await ensureDatabase(connection);
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
  const pool = createPool(connection, {
    applicationName: 'teehouse',
    size: config.databasePoolSize,
    onError: (error) => {
      if (!closing) log.warn(`database connection lost: ${error.message}`);
    },
  });
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    closing = true;
    await closePool(pool);
    await supervisor.stop();
    await lock.release();
  };
  return { kind: 'embedded', connection, url: urlOf(place.sockets), pool, stop: () => (stopping ??= stop()) };
}

async function closePool(pool: pg.Pool): Promise<void> {
  await endsWithin(pool.end(), CLOSE_MS);
}

/**
 * Starts PostgreSQL and restarts it whenever it exits unexpectedly (killed for memory, for example). Pools
 * reconnect automatically.
 */
async function keepRunning(launch: () => Promise<Postmaster>, log: Log, logFile: string) {
  let current = await launch();
  const halt = new AbortController();
  const watch = async () => {
    for (let pause = 100; !halt.signal.aborted;) {
      const since = Date.now();
      await current.ended;
      if (halt.signal.aborted) return;
      if (Date.now() - since > 60_000) pause = 100;
      log.error(`PostgreSQL exited unexpectedly (see ${logFile}); restarting it`);
      for (;;) {
        await wait(pause, undefined, { signal: halt.signal }).catch(() => undefined);
        if (halt.signal.aborted) return;
        pause = Math.min(pause * 2, 5_000);
        try {
          current = await launch();
          break;
        } catch (error) {
          log.error(messageOf(error));
        }
      }
    }
  };
  const watching = watch();
  return {
    async stop() {
      halt.abort();
      await current.stop();
      await watching;
      await current.stop(); // A restart may have been in progress.
    },
  };
}

async function ensureDatabase(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

async function serverMajor(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ v: string }>(`select current_setting('server_version_num') as v`);
  return Math.floor(Number(rows[0]?.v) / 10_000);
}

/** Sets ssl and password explicitly because pg would otherwise read PGSSLMODE and PGPASSWORD. */
const connectionTo = (sockets: string): pg.PoolConfig => ({
  host: sockets,
  port: 5432,
  user: SUPERUSER,
  password: '',
  database: DATABASE,
  ssl: false,
});

const urlOf = (sockets: string) =>
  `postgresql://${SUPERUSER}@localhost/${DATABASE}?host=${encodeURIComponent(sockets)}`;

const messageOf = (error: unknown) => (error instanceof Error ? error.message || error.name : String(error));
