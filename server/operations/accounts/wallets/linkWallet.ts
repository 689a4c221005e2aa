import { getAddress } from 'viem';
import { addWallet, MAX_WALLETS } from '../../../db/accounts/wallets';
import { signedLink } from '../../../domain/accounts/walletMessage';
import { walletOut } from '../../../domain/accounts/walletResponse';
import { Problem } from '../../../domain/core/problem';
import { userOf } from '../../core/caller';
import { requireVerified } from '../../core/requireVerified';
import { invalid } from '../../teams/names';
import type { Handler } from '../../types';

const FAULTS = {
  message: ['message', 'The message is not one that this server created for your account.'],
  expired: ['message', 'The message has expired. Create another one.'],
  signature: ['signature', 'The signature is not of the address in the message.'],
} as const;

export const linkWallet: Handler<'linkWallet'> = async ({ body, ctx }) => {
  const user = userOf(ctx);
  requireVerified(ctx);
  const account = { public_url: ctx.config.publicUrl, user_public_id: user.public_id };
  const signed = await signedLink(ctx.seal, account, body, new Date());
  if ('fault' in signed) {
    const [field, text] = FAULTS[signed.fault];
    throw invalid(field, text);
  }
  return ctx.write(async ({ trx, audit }) => {
    const row = await addWallet(trx, user.id, signed.address);
    if (row === 'duplicate')
      throw new Problem('CONFLICT', { message: `You have linked ${getAddress(signed.address)} already.` });
    if (row === 'too_many')
      throw new Problem('CONFLICT', {
        message: `You have reached the limit of ${MAX_WALLETS} wallets.`,
        suggestions: ['Unlink one you no longer use.'],
      });
    const wallet = walletOut(row);
    await audit({
      action: 'wallet.link',
      target_kind: 'wallet',
      target_id: row.public_id,
      team_id: null,
      after: { address: wallet.address },
    });
    return { status: 201, body: wallet } as const;
  });
};
