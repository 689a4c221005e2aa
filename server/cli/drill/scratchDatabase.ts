import { lstat, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import type { Config } from '../../config';
import { createPool } from '../../db/core/client';
import { connectRunning, type Log } from '../../db/core/embedded';
import { acquireLock, readHolder } from '../../db/core/postgres/lock';
import { readRecord } from '../../db/core/postgres/place';
import { settlePrevious } from '../../db/core/postgres/postmaster';
import { interruption } from '../interruption';
import { CommandError } from '../io';

/** Holder of the lock in each drill's directory. */
const NAME = 'teehouse drill';
const PREFIX = 'teehouse-drill-';
/** Names created by `mkdtemp`. */
const SCRATCH = new RegExp(`^${PREFIX}[A-Za-z0-9]{6}$`);

export interface ScratchDatabase {
  connection: pg.PoolConfig;
  /** Its statements have no time limit. */
  pool: pg.Pool;
}

/** Factor for restored rows with indexes and WAL, and the size of an empty database. */
const spaceNeeded = (backup_bytes: number): number => 3 * backup_bytes + 200e6;

/** Throws if the directory for temporary files is too small: the disk may be the one that the installation is on. */
export async function requireSpace(backup_bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir());
  const [free, needed] = [bavail * bsize, spaceNeeded(backup_bytes)];
  if (free < needed)
    throw new CommandError(
      `Restoring the backup needs about ${gigabytes(needed)}, but ${tmpdir()} has only ${gigabytes(free)} free. Set TMPDIR to a directory on a larger disk.`,
    );
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

/**
 * Removes leftovers of this user's killed drills. Running drills' directories are locked, and a directory that
 * isn't a drill's, or that others can change, stays whatever its name.
 */
export async function sweepScratch(say: (line: string) => void): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const dir = path.join(tmpdir(), name);
    if (!SCRATCH.test(name) || !(await isOwn(dir))) continue;
    try {
      if (await sweep(dir)) say(`Removed ${dir}, left over from a killed drill.`);
    } catch (error) {
      say(`Couldn't remove ${dir}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

async function isOwn(dir: string): Promise<boolean> {
  const found = await lstat(dir).catch(() => undefined);
  if (!found?.isDirectory() || (found.mode & 0o022) !== 0) return false;
  return found.uid === (process.getuid?.() ?? found.uid);
}

async function sweep(dir: string): Promise<boolean> {
  const file = path.join(dir, 'lock');
  // A drill that is just starting or removing its directory has no lock either.
  if ((await readHolder(file))?.name !== NAME) return false;
  const lock = await acquireLock(file, 'command', NAME);
  if ('heldBy' in lock) return false;
  try {
    const record = await readRecord(dir).catch(() => undefined);
    if (record) await settlePrevious(path.resolve(dir, record.data));
    await removeScratch(dir);
    return true;
  } finally {
    await lock.release();
  }
}

/**
 * Runs `work` on a separate empty PostgreSQL in a temporary directory. Both are removed afterward, even if the
 * process is interrupted in the meantime.
 */
export async function withScratchDatabase<T>(
  { postgresBinDir }: Pick<Config, 'postgresBinDir'>,
  log: Log,
  work: (database: ScratchDatabase) => Promise<T>,
): Promise<T> {
  const stopped = interruption('Interrupted. The temporary database was removed.');
  const interrupted = new Promise<never>((_, reject) => {
    stopped.signal.addEventListener('abort', () => reject(stopped.signal.reason), { once: true });
  });
  // It may arrive while nothing awaits it.
  interrupted.catch(() => undefined);
  const dir = await mkdtemp(path.join(tmpdir(), PREFIX));
  const opening = connectRunning(
    {
      dataDir: dir,
      databaseUrl: undefined,
      databasePoolSize: 2,
      postgresBinDir,
    },
    NAME,
    log,
  );
  const working = opening.then(async ({ connection }) => {
    const pool = createPool(connection, {
      applicationName: NAME,
      size: 2,
      statementTimeoutMs: 0,
    });
    try {
      return await work({ connection, pool });
    } finally {
      await pool.end();
    }
  });
  try {
    return await Promise.race([working, interrupted]);
  } finally {
    const database = await opening.catch(() => undefined);
    // Ends queries of interrupted work.
    await database?.stop();
    await removeScratch(dir);
    stopped.release();
  }
}

/** PostgreSQL's files and sockets may have had to be elsewhere; see `preparePlace`. */
async function removeScratch(dir: string): Promise<void> {
  const record = await readRecord(dir).catch(() => undefined);
  const outside = (made: string | undefined) =>
    made !== undefined && path.isAbsolute(made) && path.relative(dir, made).startsWith('..');
  if (record && outside(record.data)) await rm(path.dirname(record.data), { recursive: true, force: true });
  if (record && outside(record.sockets)) await rm(record.sockets, { recursive: true, force: true });
  await rm(dir, { recursive: true, force: true, maxRetries: 3 });
}
