import { getAddress, hashMessage } from 'viem';
import { addWallet, consumeWalletMessage, MAX_WALLETS, type WalletProof } from '../../../db/accounts/wallets';
import { isSignedByKey, namedWallet } from '../../../domain/accounts/walletMessage';
import { walletOut } from '../../../domain/accounts/walletResponse';
import { Problem } from '../../../domain/core/problem';
import { userOf } from '../../core/caller';
import { requireVerified } from '../../core/requireVerified';
import { answered } from '../../kms/onChain';
import { invalidField } from '../../core/invalid';
import type { Context, Handler } from '../../types';

const FAULTS = {
  message: ['message', "This server didn't create this message for your account."],
  expired: ['message', 'The message has expired. Create another one.'],
  used: ['message', 'The message has been used before. Create another one.'],
} as const;

export const linkWallet: Handler<'linkWallet'> = async ({ body, ctx }) => {
  const user = userOf(ctx);
  requireVerified(ctx);
  const account = { public_url: ctx.config.publicUrl, user_public_id: user.public_id };
  const named = namedWallet(ctx.seal, account, body.message, new Date());
  if ('fault' in named) {
    const [field, text] = FAULTS[named.fault];
    throw invalidField(field, text);
  }
  const { address, chain_id } = named;
  const proof: WalletProof | null = (await isSignedByKey(address, body.message, body.signature))
    ? { proof: 'key', chain_id: null }
    : (await isSignedByContract(ctx, named, body))
      ? { proof: 'contract', chain_id }
      : null;
  if (proof === null) throw invalidField('signature', "The signature isn't from the address in the message.");
  return ctx.write(async ({ trx, audit }) => {
    const row = await addWallet(trx, user.id, { address, ...proof });
    if (row === 'duplicate')
      throw new Problem('CONFLICT', { message: `You have already linked ${getAddress(address)}.` });
    if (row === 'too_many')
      throw new Problem('CONFLICT', {
        message: `You have reached the limit of ${MAX_WALLETS} wallets.`,
        suggestions: ['Unlink one you no longer use.'],
      });
    const { expires_at } = named;
    if (!(await consumeWalletMessage(trx, { message: body.message, user_id: user.id, expires_at })))
      throw invalidField(...FAULTS.used);
    const wallet = walletOut(row);
    await audit({
      action: 'wallet.link',
      target_kind: 'wallet',
      target_id: row.public_id,
      team_id: null,
      after: { address: wallet.address, ...proof },
    });
    return { status: 201, body: wallet } as const;
  });
};

/**
 * Returns whether the contract at the address accepts the signature on the network that the message names.
 * @throws CHAIN_UNREACHABLE
 */
async function isSignedByContract(
  ctx: Context,
  { chain_id, address }: { chain_id: number; address: string },
  { message, signature }: { message: string; signature: string },
): Promise<boolean> {
  if (!ctx.chain.chains.some(({ id }) => id === chain_id)) return false;
  const signed = { hash: hashMessage(message), signature };
  return answered(ctx, (signal) => ctx.chain.acceptsSignature({ chain_id, address }, signed, signal));
}
