import type { Logger } from 'pino';
import type { Db } from '../db/client';
import { rolloutLeases } from '../db/rollouts';
import type { VmmRegistry } from '../drivers/vmm';
import type { JobQueue } from './queue';
import { advance } from './rolloutSteps';
import { isDeadWorker } from './workerId';

export interface RolloutWorld {
  db: Db;
  jobs: JobQueue;
  vmm: VmmRegistry;
  log: Logger;
  /** Names this process in leases. */
  owner: string;
  /** Aborted when the process drains. */
  stopping: AbortSignal;
}

const AT_ONCE = 50;
/** Steps one look may take when nothing has to be waited for; far fewer than the lease has time for. */
const STEPS_AT_ONCE = 5;

/**
 * Looks at every live rollout once. All a rollout knows is in its rows: each step is one transaction under its lease, an
 * update is an operation like any other, and what is waited for is looked up again next time. So whichever process dies
 * when, another goes on from there.
 */
export async function sweepRollouts(world: RolloutWorld): Promise<void> {
  const { db, owner, log, stopping } = world;
  await rolloutLeases.releaseOf(db, (holder) => holder !== owner && isDeadWorker(holder));
  const claimed = await rolloutLeases.claim(db, owner, AT_ONCE);
  await Promise.all(
    claimed.map(async ({ id, public_id }) => {
      try {
        for (let step = 0; step < STEPS_AT_ONCE && !stopping.aborted; step++)
          if (!(await advance(world, id))) break;
      } catch (error) {
        if (!stopping.aborted)
          log.error({ err: error, rollout: public_id }, 'a rollout could not go on; it is tried again');
      } finally {
        await rolloutLeases.release(db, id, owner).catch(() => undefined); // then its lease runs out
      }
    }),
  );
}
