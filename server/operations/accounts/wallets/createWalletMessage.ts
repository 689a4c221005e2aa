import { walletMessage } from '../../../domain/accounts/walletMessage';
import { Problem } from '../../../domain/core/problem';
import { userOf } from '../../core/caller';
import type { Context, Handler } from '../../types';

export const createWalletMessage: Handler<'createWalletMessage'> = async ({ body, ctx }) => {
  const { message, expires_at } = made(ctx, body);
  return { status: 200, body: { message, expires_at: expires_at.toISOString() } };
};

/** @throws CONFLICT if this server's address can't appear in a message */
function made(ctx: Context, { address, chain_id = 1 }: { address: string; chain_id?: number }) {
  try {
    return walletMessage(ctx.seal, {
      public_url: ctx.config.publicUrl,
      user_public_id: userOf(ctx).public_id,
      address,
      chain_id,
      issued_at: new Date(),
    });
  } catch (cause) {
    throw new Problem('CONFLICT', {
      message: `Wallets can't be linked here: they don't accept the address ${new URL(ctx.config.publicUrl).host}.`,
      suggestions: ['Ask the operators of this server to set PUBLIC_URL to a domain name.'],
      cause,
    });
  }
}
