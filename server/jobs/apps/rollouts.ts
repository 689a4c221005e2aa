import type { Logger } from 'pino';
import type { Db } from '../../db/core/client';
import { rolloutLeases } from '../../db/apps/rollouts';
import type { RolloutRow } from '../../db/apps/rolloutsTable';
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

/** Rollouts checked concurrently. */
const BATCH_SIZE = 50;
/** Steps per check while nothing is pending; far fewer than fit into the lease. */
const MAX_STEPS = 5;

/**
 * Checks every live rollout once, in batches: each lasts for minutes or hours. A rollout's whole state is in its
 * rows: each step is one transaction under its lease, an update is an ordinary operation, and anything pending
 * is checked again next time. If a process dies at any point, another continues from there.
 */
export async function sweepRollouts(world: RolloutWorld): Promise<void> {
  const { db, owner, stopping } = world;
  await rolloutLeases.releaseHeldBy(db, deadExcept(owner));
  for (let after = 0, isLast = false; !isLast && !stopping.aborted;) {
    const claimed = await rolloutLeases.claim(db, owner, BATCH_SIZE, { after });
    await Promise.all(claimed.map((rollout) => check(world, rollout)));
    after = Math.max(...claimed.map(({ id }) => id));
    isLast = claimed.length < BATCH_SIZE;
  }
}

async function check(world: RolloutWorld, { id, public_id }: RolloutRow): Promise<void> {
  const { db, owner, log, stopping } = world;
  try {
    for (let step = 0; step < MAX_STEPS && !stopping.aborted; step++) if (!(await advance(world, id))) break;
  } catch (error) {
    if (!stopping.aborted) log.error({ err: error, rollout: public_id }, 'rollout step failed; retrying');
  } finally {
    await rolloutLeases.release(db, id, owner).catch(() => undefined); // the lease expires
  }
}
