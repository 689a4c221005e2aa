import { walletMessage } from '../../../domain/accounts/walletMessage';
import { userOf } from '../../core/caller';
import type { Handler } from '../../types';

export const createWalletMessage: Handler<'createWalletMessage'> = async ({ body, ctx }) => {
  const { message, expires_at } = walletMessage(ctx.seal, {
    public_url: ctx.config.publicUrl,
    user_public_id: userOf(ctx).public_id,
    address: body.address,
    chain_id: body.chain_id ?? 1,
    issued_at: new Date(),
  });
  return { status: 200, body: { message, expires_at: expires_at.toISOString() } };
};
