import type { KmsRow } from '../../db/kms/kmsTable';
import { Problem } from '../../domain/core/problem';
import { ChainError, type AppQuestion, type AppReading } from '../../drivers/chain';
import type { Context } from '../types';

const ANSWER_MS = 15_000;

/** A KMS contract that guards apps. */
export interface GoverningContract {
  chain_id: number;
  /** Of the KMS contract. */
  address: string;
}

export function governedBy(
  kms: Pick<KmsRow, 'chain_id' | 'kms_contract_address'> | null | undefined,
): GoverningContract | null {
  if (kms?.chain_id == null || kms.kms_contract_address === null) return null;
  return { chain_id: kms.chain_id, address: kms.kms_contract_address.toLowerCase() };
}

/** Reads an app's contract now; nothing is answered from a cache. @throws {Problem} CHAIN_UNREACHABLE */
export async function readApp(
  ctx: Pick<Context, 'chain' | 'signal'>,
  contract: GoverningContract,
  question: AppQuestion,
): Promise<AppReading> {
  const timeout = AbortSignal.timeout(ANSWER_MS);
  try {
    return await ctx.chain.readApp(contract, question, AbortSignal.any([ctx.signal, timeout]));
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (!(error instanceof ChainError) && !timeout.aborted) throw error;
    throw new Problem('CHAIN_UNREACHABLE', {
      message:
        error instanceof ChainError
          ? error.message
          : `The network's RPC didn't respond within ${ANSWER_MS / 1000} seconds.`,
      cause: error,
    });
  }
}
