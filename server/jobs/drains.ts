import { sql } from 'kysely';
import type { Logger } from 'pino';
import { appendAudit } from '../db/auditLog';
import { withTransaction, type Db, type Tx } from '../db/client';
import { addCvmsToDrain, drainLeases, drainTally, dueDrainCvms, lockDrain } from '../db/drains';
import type { DrainRow } from '../db/schemaFleet';
import { lookAtCvm } from './drainCvm';
import type { JobQueue } from './queue';
import { isDeadWorker } from './workerId';

export interface DrainWorld {
  db: Db;
  jobs: JobQueue;
  log: Logger;
  /** Names this process in leases. */
  owner: string;
  /** Aborted when the process drains. */
  stopping: AbortSignal;
}

const AT_ONCE = 20;
/** CVMs of one host that are moved at the same time; of one app only one. */
const MOVES_AT_ONCE = 4;

/**
 * Looks at every live drain once. All a drain knows is in its rows: each step is one transaction under its lease, a move or
 * a stop is an operation like any other. So whichever process dies when, another goes on from there.
 */
export async function sweepDrains(world: DrainWorld): Promise<void> {
  const { db, owner, log, stopping } = world;
  await drainLeases.releaseOf(db, (holder) => holder !== owner && isDeadWorker(holder));
  const claimed = await drainLeases.claim(db, owner, AT_ONCE);
  await Promise.all(
    claimed.map(async ({ id }) => {
      try {
        await advance(world, id);
      } catch (error) {
        if (!stopping.aborted)
          log.error({ err: error, drain: id }, 'a drain could not go on; it is tried again');
      } finally {
        await drainLeases.release(db, id, owner).catch(() => undefined); // then its lease runs out
      }
    }),
  );
}

async function advance(world: DrainWorld, id: number): Promise<void> {
  const { db, owner, jobs, stopping } = world;
  const turn = (work: (trx: Tx, drain: DrainRow) => Promise<void>) =>
    withTransaction(db, async (trx) => {
      const drain = await lockDrain(trx, id, owner);
      if (drain) await work(trx, drain);
    });
  await turn(async (trx, drain) => void (await addCvmsToDrain(trx, drain)));
  const due = await dueDrainCvms(db, id);
  const moving = due.filter(({ state }) => state === 'moving');
  const apps = new Set(moving.map(({ app_id }) => app_id));
  let room = MOVES_AT_ONCE - moving.length;
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

/** Says how the drain stands now, and ends it when nothing runs on the host any more. */
async function conclude(trx: Tx, drain: DrainRow): Promise<void> {
  const tally = await drainTally(trx, drain.id);
  const { going, blocked, blocking } = tally;
  if (going === 0 && blocked === 0) return finish(trx, drain, tally);
  const state = going === 0 ? 'blocked' : 'running';
  const rest = blocked - blocking.length;
  const message =
    blocked === 0
      ? null
      : `${blocking.map(({ name, message: why }) => `“${name}”: ${why}`).join(' ')}${rest > 0 ? ` And ${rest} more.` : ''}`.slice(
          0,
          2000,
        );
  if (state === drain.state && message === drain.message) return;
  await trx
    .updateTable('drains')
    .set({ state, message, updated_at: new Date() })
    .where('id', '=', drain.id)
    .execute();
}

async function finish(trx: Tx, drain: DrainRow, { moved, stopped }: { moved: number; stopped: number }) {
  const now = new Date();
  const message = `Nothing runs on the host any more: ${moved} moved, ${stopped} stopped.`;
  await trx
    .updateTable('drains')
    .set({
      state: 'succeeded',
      message,
      lease_owner: null,
      lease_until: null,
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
