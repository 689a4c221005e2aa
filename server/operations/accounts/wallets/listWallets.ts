import { listWalletsOf } from '../../../db/accounts/wallets';
import { walletOut } from '../../../domain/accounts/walletResponse';
import { userOf } from '../../core/caller';
import type { Handler } from '../../types';

export const listWallets: Handler<'listWallets'> = async ({ ctx }) => ({
  status: 200,
  body: (await listWalletsOf(ctx.db, userOf(ctx).id)).map(walletOut),
});
