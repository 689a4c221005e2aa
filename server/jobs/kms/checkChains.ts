import type { Logger } from 'pino';
import { CHAINS } from '../../../console/lib/kms/chains';
import type { Db } from '../../db/core/client';
import { chainsInUse, recordChainChecks } from '../../db/kms/chainChecks';
import type { ChainDriver } from '../../drivers/chain';

const ANSWER_MS = 10_000;

export interface ChainChecker {
  db: Db;
  chain: ChainDriver;
  log: Logger;
}

/**
 * Queries the RPCs of every network that is in use, or has RPCs of this installation, for the chain they serve.
 * Runs at startup and then periodically. Unused networks are left alone, because their default RPCs belong to
 * others.
 */
export async function checkChains({ db, chain, log }: ChainChecker): Promise<void> {
  const used = await chainsInUse(db);
  const checked = chain.chains.filter((one) => used.includes(one.id) || !CHAINS.includes(one));
  const checks = await Promise.all(
    checked.map(async ({ id, name }) => {
      const timeout = AbortSignal.timeout(ANSWER_MS);
      const { usable, errors } = await chain.checkRpcs(id, timeout).catch((error: unknown) => {
        if (!timeout.aborted) throw error;
        return {
          usable: false,
          errors: [new Error(`The RPCs for ${name} didn't respond within ${ANSWER_MS / 1000} seconds.`)],
        };
      });
      const problem = errors.map(({ message }) => message).join(' ') || null;
      return { chain_id: id, usable, problem, checked_at: new Date() };
    }),
  );
  const before = await recordChainChecks(db, checks);
  for (const { chain_id, usable, problem } of checks)
    if (problem !== null && before.get(chain_id) !== problem)
      log.warn({ chain_id, usable, problem }, 'RPC unusable');
}
