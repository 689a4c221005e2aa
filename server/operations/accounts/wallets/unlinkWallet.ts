import { getAddress } from 'viem';
import { removeWallet } from '../../../db/accounts/wallets';
import { Problem } from '../../../domain/core/problem';
import { userOf } from '../../core/caller';
import type { Handler } from '../../types';

export const unlinkWallet: Handler<'unlinkWallet'> = ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const row = await removeWallet(trx, userOf(ctx).id, path.wallet_id);
    if (!row) throw new Problem('NOT_FOUND', { message: "You haven't linked this wallet." });
    await audit({
      action: 'wallet.unlink',
      target_kind: 'wallet',
      target_id: row.public_id,
      team_id: null,
      before: { address: getAddress(row.address) },
    });
    return { status: 204 } as const;
  });
