import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../../db/core/client';
import { HOST_LEASE_SECONDS } from '../../db/hosts/hostShards';
import { temporaryLogLevel } from '../../db/platform/logLevel';
import type { TemporaryLogLevel } from '../../domain/platform/logLevel';
import type { LogLevelFollower } from '../platform/followLogLevel';
import { startPeriodic } from './periodic';
import { newWorkerId } from './workerId';

export interface Process {
  id: string;
  role: string;
  version: string;
}

/**
 * Records that this process is alive and, with `takesHosts`, that it takes shards of hosts for the next
 * seconds. @returns the log level in effect, so that following it needs no separate query
 */
export async function beat(
  db: Db,
  process_: Process,
  { takesHosts = false } = {},
): Promise<TemporaryLogLevel | null> {
  const until = takesHosts
    ? { hosts_until: sql<Date>`now() + make_interval(secs => ${HOST_LEASE_SECONDS})` }
    : {};
  const { log_level } = await db
    .insertInto('workers')
    .values({ ...process_, hostname: hostname(), pid: process.pid, divides_events: true, ...until })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: sql`now()`, ...until }))
    .returning(temporaryLogLevel.as('log_level'))
    .executeTakeFirstOrThrow();
  return log_level;
}

/**
 * Removes a process that stops. If the database is away, its row remains, and counts as gone after half a minute:
 * running requests still finish.
 */
export async function forgetProcess(db: Db, id: string): Promise<void> {
  await db
    .deleteFrom('workers')
    .where('id', '=', id)
    .execute()
    .catch(() => undefined);
}

/**
 * Sends heartbeats of a process without the worker role; workers use the name in their leases. @returns a
 * function that stops it
 */
export function startHeartbeat(
  db: Db,
  log: Logger,
  { role, version, logLevel }: Omit<Process, 'id'> & { logLevel: LogLevelFollower },
): () => Promise<void> {
  const id = newWorkerId();
  const run = () => logLevel.read(() => beat(db, { id, role, version }));
  const periodic = startPeriodic({
    tasks: [{ id: 'heartbeat', name: 'Heartbeat', period_ms: 10_000, scope: 'process', run }],
    log,
  });
  return async () => {
    await periodic.stop();
    await forgetProcess(db, id);
  };
}
