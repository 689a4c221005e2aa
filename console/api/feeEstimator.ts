import { estimateTransactionFee } from '../../generated/api/sdk.gen';
import type { ChainDefinition } from '../lib/kms/chains';
import { FeeRefused, type EstimateFee } from '../lib/wallets/fee';
import { inTeam } from './client';

/**
 * Returns a function that estimates fees with the server's RPC, without a wallet on the right network.
 * @param senderOf the sending account for a transaction's data; null for any
 */
export const feeEstimator =
  (
    teamSlug: string,
    chain: ChainDefinition,
    senderOf: (data: string) => string | null = () => null,
  ): EstimateFee =>
  async ({ to, data }) => {
    const from = senderOf(data);
    const body = { to, data, ...(from === null ? {} : { from }) };
    const path = { chain: chain.slug };
    const { data: fee } = await estimateTransactionFee({
      ...inTeam(teamSlug),
      path,
      body,
      throwOnError: true,
    });
    if (fee.gas === null)
      throw new FeeRefused(
        `The contract refuses it: ${(fee.error ?? 'it gives no reason').replace(/\.$/, '')}.`,
      );
    return { gas: BigInt(fee.gas), price: BigInt(fee.gas_price) };
  };
