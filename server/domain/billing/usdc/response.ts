import { getAddress } from 'viem';
import { formatMicros } from '../../../../console/lib/billing/money';
import type { UsdcDeposit, UsdcDepositState, UsdcNetwork } from '../../../../generated/api/types.gen';
import type { UsdcNetwork as Network } from './network';

export const usdcNetworkOut = (
  { chain, token, confirmations }: Network,
  read: { read_at: Date; error: string | null } | undefined,
  /** Since when blocks couldn't be read. */
  unread_since: Date | undefined,
): UsdcNetwork => {
  const times = [read && read.error !== null ? read.read_at : undefined, read && unread_since];
  const since = times.flatMap((time) => (time === undefined ? [] : [time.getTime()]));
  return {
    chain_id: chain.id,
    name: chain.name,
    token: getAddress(token),
    confirmations,
    read_at: read?.read_at.toISOString() ?? null,
    current: read !== undefined && since.length === 0,
    not_current_since: since.length === 0 ? null : new Date(Math.min(...since)).toISOString(),
  };
};

interface DepositFields {
  chain_id: number;
  tx_hash: string;
  block_number: number;
  amount_micros: number;
  state: UsdcDepositState;
  payment_public_id: string | null;
  created_at: Date;
}

/** @param next_block the first block that was not read yet. @param needed confirmations */
export function usdcDepositOut(
  { payment_public_id, chain_id, tx_hash, block_number, amount_micros, state, created_at }: DepositFields,
  { next_block, needed }: { next_block: number; needed: number },
): UsdcDeposit {
  const isGone = state === 'dropped' || state === 'reversed';
  return {
    chain_id,
    tx_hash,
    amount: formatMicros(amount_micros),
    state,
    confirmations: isGone ? 0 : Math.min(needed, Math.max(0, next_block - block_number)),
    confirmations_needed: needed,
    payment_id: payment_public_id,
    created_at: created_at.toISOString(),
  };
}
