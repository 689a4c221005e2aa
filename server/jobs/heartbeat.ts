import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../db/client';
import { newWorkerId } from './workerId';

export interface Process {
  id: string;
  role: string;
  version: string;
}

/** Says that this process is there. */
export const beat = (db: Db, process_: Process) =>
  db
    .insertInto('workers')
    .values({ ...process_, hostname: hostname(), pid: process.pid })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: sql`now()` }))
    .execute();

/** For a process that only serves: workers beat with the name their leases have. @returns how to end it */
export function startHeartbeat(
  db: Db,
  log: Logger,
  { role, version }: Omit<Process, 'id'>,
): () => Promise<void> {
  const id = newWorkerId();
  const run = () =>
    void beat(db, { id, role, version }).catch((error: unknown) =>
      log.warn({ err: error }, 'the heartbeat could not be written'),
    );
  run();
  const timer = setInterval(run, 10_000);
  return async () => {
    clearInterval(timer);
    await db.deleteFrom('workers').where('id', '=', id).execute();
  };
}
