import { networkName } from '../../../console/lib/kms/chains';
import type { KmsRow } from '../../db/kms/kmsTable';
import { Problem } from '../../domain/core/problem';
import { ChainError, type AppQuestion, type AppReading } from '../../drivers/chain';
import type { Context } from '../types';

const ANSWER_MS = 15_000;

/** A KMS contract that guards apps. */
export interface GoverningContract {
  chain_id: number;
  /** The KMS contract's address. */
  address: string;
}

export function governedBy(
  kms: Pick<KmsRow, 'chain_id' | 'kms_contract_address'> | null | undefined,
): GoverningContract | null {
  if (kms?.chain_id == null || kms.kms_contract_address === null) return null;
  return { chain_id: kms.chain_id, address: kms.kms_contract_address.toLowerCase() };
}

/**
 * Checks that a transaction succeeded and concerns a contract. @param contract an app's contract @throws
 * TX_VERIFICATION_FAILED
 */
export async function checkTransaction(
  ctx: Pick<Context, 'chain' | 'signal'>,
  contract: GoverningContract,
  hash: string,
): Promise<void> {
  const refuse = (message: string, suggestions?: string[]) =>
    new Problem('TX_VERIFICATION_FAILED', {
      message,
      details: [{ field: 'transaction_hash', value: hash }],
      ...(suggestions ? { suggestions } : {}),
    });
  if (!/^0x[0-9a-f]{64}$/i.test(hash))
    throw refuse('transaction_hash must be 0x followed by 64 hex digits, or already-registered.');
  const network = networkName(contract.chain_id);
  const outcome = await answered(ctx, (signal) => ctx.chain.checkTransaction(contract, hash, signal));
  if (outcome === 'pending')
    throw refuse(`The transaction isn't in a ${network} block yet.`, [
      'Wait until it is included, then confirm again.',
    ]);
  if (outcome === 'missing')
    throw refuse(
      `${network} doesn't know the transaction: it isn't in any block, and isn't waiting for one.`,
      [
        'If your wallet replaced it, by speeding it up for example, use the hash of the new transaction.',
        'If it was canceled, dropped or undone by a reorganization, send it again.',
        'If the contract already allows the change, leave the transaction out.',
      ],
    );
  if (outcome === 'reverted') throw refuse('The transaction failed on-chain, so nothing changed.');
  if (outcome === 'disputed')
    throw refuse(
      `Two RPCs of ${network} disagree about the transaction, so it counts as unconfirmed. Try again in a minute.`,
    );
  if (outcome === 'unrelated')
    throw refuse(`The transaction doesn't involve the contract ${contract.address}.`);
}

/** Reads an app's contract now; nothing is cached. @throws {Problem} CHAIN_UNREACHABLE */
export async function readApp(
  ctx: Pick<Context, 'chain' | 'signal'>,
  contract: GoverningContract,
  question: AppQuestion,
): Promise<AppReading> {
  return answered(ctx, (signal) => ctx.chain.readApp(contract, question, signal));
}

/** Waits for the chain's answer, but not long. @throws {Problem} CHAIN_UNREACHABLE */
export async function answered<T>(
  ctx: Pick<Context, 'signal'>,
  asking: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(ANSWER_MS);
  try {
    return await asking(AbortSignal.any([ctx.signal, timeout]));
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
