import { getAddress } from 'viem';
import { formatMicros } from '../../../../console/lib/billing/money';
import { MIN_DEPOSIT } from '../../../../console/lib/billing/usdc';
import { addressOf, depositsOfTeam, readNetworks } from '../../../db/billing/usdc/deposits';
import { unreadSince } from '../../../db/billing/usdc/unreadRanges';
import { usdcDepositOut, usdcNetworkOut } from '../../../domain/billing/usdc/response';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';

const MAX_DEPOSITS = 50;

export const getUsdcPayments: Handler<'getUsdcPayments'> = async ({ ctx }) => {
  const { id } = teamOf(ctx);
  const networks = ctx.config.usdc?.networks ?? [];
  const [address, read, deposits, unread] = await Promise.all([
    addressOf(ctx.db, id),
    readNetworks(ctx.db),
    depositsOfTeam(ctx.db, id, MAX_DEPOSITS),
    unreadSince(ctx.db, id),
  ]);
  const rowOf = (chain_id: number, token: string) =>
    read.find((row) => row.chain_id === chain_id && row.token === token);
  return {
    status: 200,
    body: {
      address: address === null ? null : getAddress(address),
      minimum: formatMicros(MIN_DEPOSIT),
      networks: networks.map((network) => {
        const { chain, token } = network;
        const gap = unread.find((row) => row.chain_id === chain.id && row.token === token);
        return usdcNetworkOut(network, rowOf(chain.id, token), gap?.since);
      }),
      deposits: deposits.map((deposit) =>
        usdcDepositOut(deposit, {
          next_block: rowOf(deposit.chain_id, deposit.token)?.next_block ?? deposit.block_number,
          // The network has been removed from the configuration.
          needed: networks.find(({ chain }) => chain.id === deposit.chain_id)?.confirmations ?? 1,
        }),
      ),
    },
  };
};
