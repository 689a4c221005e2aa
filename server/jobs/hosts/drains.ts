import { sql } from 'kysely';
import type { Logger } from 'pino';
import { appendAudit } from '../../db/audit/auditLog';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { NO_LEASE } from '../../db/core/leases';
import { addCvmsToDrain, drainLeases, drainTally, dueDrainCvms } from '../../db/hosts/drains';
import type { DrainRow } from '../../db/hosts/drainsTable';
import { lookAtCvm } from './drainCvm';
import type { JobQueue } from '../core/queue';
import { deadExcept } from '../core/workerId';
import { drainText } from '../../../console/lib/texts/drainTexts';
import { join } from '../../../console/lib/texts/text';
import { toJson } from '../../db/core/json';

export interface DrainWorld {
  db: Db;
  jobs: JobQueue;
  log: Logger;
  /** Names this process in leases. */
  owner: string;
  /** Aborted when the process drains. */
  stopping: AbortSignal;
}

/** Drains checked concurrently. */
const BATCH_SIZE = 20;
/** Concurrent moves per host; only one per app. */
const MAX_CONCURRENT_MOVES = 4;

/**
 * Checks every live drain once, in batches: many may be blocked for days. A drain's whole state is in its rows:
 * each step is one transaction under its lease, and a move or a stop is an ordinary operation. If a process
 * dies at any point, another continues from there.
 */
export async function sweepDrains(world: DrainWorld): Promise<void> {
  const { db, owner, stopping } = world;
  await drainLeases.releaseHeldBy(db, deadExcept(owner));
  for (let after = 0, isLast = false; !isLast && !stopping.aborted;) {
    const claimed = await drainLeases.claim(db, owner, BATCH_SIZE, { after });
    await Promise.all(claimed.map(({ id }) => check(world, id)));
    after = Math.max(...claimed.map(({ id }) => id));
    isLast = claimed.length < BATCH_SIZE;
  }
}

async function check(world: DrainWorld, id: number): Promise<void> {
  const { db, owner, log, stopping } = world;
  try {
    await advance(world, id);
  } catch (error) {
    if (!stopping.aborted) log.error({ err: error, drain: id }, 'drain step failed; retrying');
  } finally {
    await drainLeases.release(db, id, owner).catch(() => undefined); // the lease expires
  }
}

async function advance(world: DrainWorld, id: number): Promise<void> {
  const { db, owner, jobs, stopping } = world;
  const turn = (work: (trx: Tx, drain: DrainRow) => Promise<void>) =>
    withTransaction(db, async (trx) => {
      const drain = await drainLeases.lock(trx, id, owner);
      if (drain) await work(trx, drain);
    });
  await turn(async (trx, drain) => void (await addCvmsToDrain(trx, drain)));
  const due = await dueDrainCvms(db, id);
  const moving = due.filter(({ state }) => state === 'moving');
  const apps = new Set(moving.map(({ app_id }) => app_id));
  let room = MAX_CONCURRENT_MOVES - moving.length;
  for (const item of due) {
    if (stopping.aborted) return;
    await turn(async (trx, drain) => {
      const mayBegin = room > 0 && !apps.has(item.app_id);
      const began = await lookAtCvm(trx, jobs, { drain, item_id: item.id, mayBegin });
      if (!began) return;
      room -= 1;
      apps.add(item.app_id);
    });
  }
  await turn(conclude);
}

/** Records the drain's progress, and ends it when nothing runs on the host anymore. */
async function conclude(trx: Tx, drain: DrainRow): Promise<void> {
  const tally = await drainTally(trx, drain.id);
  const { going, blocked, blocking } = tally;
  if (going === 0 && blocked === 0) return finish(trx, drain, tally);
  const state = going === 0 ? 'blocked' : 'running';
  const rest = blocked - blocking.length;
  const message =
    blocked === 0
      ? null
      : join(
          ...blocking.flatMap(({ name, keys, text }) => [drainText('cvm_named', { name }), { keys, text }]),
          ...(rest > 0 ? [drainText('more_blocked', { count: rest })] : []),
        );
  if (state === drain.state && (message?.text ?? null) === drain.message) return;
  await trx
    .updateTable('drains')
    .set({
      state,
      message: message?.text ?? null,
      message_keys: toJson(message?.keys ?? []),
      updated_at: new Date(),
    })
    .where('id', '=', drain.id)
    .execute();
}

async function finish(trx: Tx, drain: DrainRow, { moved, stopped }: { moved: number; stopped: number }) {
  const now = new Date();
  const { keys, text } = drainText('drain_done', { moved, stopped });
  await trx
    .updateTable('drains')
    .set({
      state: 'succeeded',
      message: text,
      message_keys: toJson(keys),
      ...NO_LEASE,
      updated_at: now,
      finished_at: now,
    })
    .where('id', '=', drain.id)
    .execute();
  await trx
    .updateTable('teepods')
    .set({ updated_at: sql`greatest(now(), updated_at + interval '1 millisecond')` })
    .where('id', '=', drain.teepod_id)
    .execute();
  await appendAudit(trx, [
    {
      actor_kind: 'system',
      action: 'drain.succeeded',
      target_kind: 'drain',
      target_id: String(drain.id),
      after: { teepod_id: drain.teepod_id, moved, stopped },
    },
  ]);
}
