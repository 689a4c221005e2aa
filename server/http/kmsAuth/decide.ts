import { expectedBoots, knownPlatform, teamOfApp, type AskingKms } from '../../db/kms/kmsWebhooks';
import { appBootRefusal, kmsBootRefusal, type MeasuredBoot } from '../../domain/kms/bootRule';
import { contractOfKms } from '../../domain/kms/chainContract';
import { ChainError } from '../../drivers/chain';
import type { Services } from '../../operations/types';

/** Two RPCs, retried while one is a block behind, take less. */
const ANSWER_MS = 20_000;

export interface Decision {
  allowed: boolean;
  /** Reason; empty if allowed. */
  reason: string;
  gateway_app_id: string;
  /** The app's team, if this server knows the app with this KMS. */
  team_id: number | null;
  /** The chain block that the decision is based on. */
  block_number: number | null;
}

/**
 * Decides whether a KMS may release keys: by its contract's current state or, without one, by what this server
 * runs.
 */
export async function decide(
  { db, chain }: Pick<Services, 'db' | 'chain'>,
  kms: AskingKms,
  boot: MeasuredBoot,
  signal: AbortSignal,
): Promise<Decision> {
  const contract = contractOfKms(kms);
  if (kms.state === 'retired') return refusedAll('This KMS is retired');
  if (contract === 'incomplete') return refusedAll(INCOMPLETE);
  if (contract === null) return decideHere(db, kms, boot);
  const team_id = boot.subject === 'app' ? await teamOfApp(db, kms.id, boot.app_id) : null;
  const timeout = AbortSignal.timeout(ANSWER_MS);
  try {
    const verdict = await chain.authorizeBoot(contract, boot, AbortSignal.any([signal, timeout]));
    const { allowed, gateway_app_id, block_number } = verdict;
    const reason = allowed ? '' : verdict.reason || 'The contract gave no reason';
    return { allowed, reason, gateway_app_id, team_id, block_number };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ChainError) && !timeout.aborted) throw error;
    const why =
      error instanceof ChainError ? error.message : `No RPC responded within ${ANSWER_MS / 1000} seconds.`;
    const reason = `The contract couldn't be queried: ${why}`;
    return { allowed: false, reason, gateway_app_id: '', team_id, block_number: null };
  }
}

const refusedAll = (reason: string): Decision => ({
  allowed: false,
  reason,
  gateway_app_id: '',
  team_id: null,
  block_number: null,
});

async function decideHere(db: Services['db'], kms: AskingKms, boot: MeasuredBoot): Promise<Decision> {
  const answer = (refusal: string | null, team_id: number | null): Decision => ({
    allowed: refusal === null,
    reason: refusal ?? '',
    gateway_app_id: kms.gateway_app_id ?? '',
    team_id,
    block_number: null,
  });
  if (boot.subject === 'kms') return answer(kmsBootRefusal(boot, await knownPlatform(db, boot), kms), null);
  const { team_id, boots } = await expectedBoots(db, kms.id, boot.app_id);
  return answer(appBootRefusal(boot, boots, kms), team_id ?? (await teamOfApp(db, kms.id, boot.app_id)));
}

export const INCOMPLETE =
  'This KMS has a chain or a contract address, but not both: enter the other in the admin area, or clear both';
