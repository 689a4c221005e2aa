import type { Logger } from 'pino';
import type { Db } from '../../db/core/client';
import { rolloutLeases } from '../../db/apps/rollouts';
import type { CollateralDriver } from '../../drivers/collateral';
import type { ComposeAnalyzer } from '../../drivers/compose';
import type { VmmRegistry } from '../../drivers/vmm';
import type { JobQueue } from '../core/queue';
import { advance } from './rolloutSteps';
import { deadExcept } from '../core/workerId';

export interface RolloutWorld {
  db: Db;
  jobs: JobQueue;
  vmm: VmmRegistry;
  /** Null without PCCS_URL. */
  collateral: CollateralDriver | null;
  compose: ComposeAnalyzer;
  /** Whether starting a CVM requires its first hour. */
  fundsRequired: boolean;
  log: Logger;
  /** Names this process in leases. */
  owner: string;
  /** Aborted when the process drains. */
  stopping: AbortSignal;
}

const BATCH_SIZE = 50;
/** Steps per check while nothing is pending; far fewer than fit into the lease. */
const MAX_STEPS = 5;

/**
 * Checks every live rollout once. A rollout's whole state is in its rows: each step is one transaction under
 * its lease, an update is an ordinary operation, and anything pending is checked again next time. If a
 * process dies at any point, another continues from there.
 */
export async function sweepRollouts(world: RolloutWorld): Promise<void> {
  const { db, owner, log, stopping } = world;
  await rolloutLeases.releaseHeldBy(db, deadExcept(owner));
  const claimed = await rolloutLeases.claim(db, owner, BATCH_SIZE);
  await Promise.all(
    claimed.map(async ({ id, public_id }) => {
      try {
        for (let step = 0; step < MAX_STEPS && !stopping.aborted; step++)
          if (!(await advance(world, id))) break;
      } catch (error) {
        if (!stopping.aborted) log.error({ err: error, rollout: public_id }, 'rollout step failed; retrying');
      } finally {
        await rolloutLeases.release(db, id, owner).catch(() => undefined); // the lease expires
      }
    }),
  );
}
