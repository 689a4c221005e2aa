import { listWalletsOf, walletsOnChain } from '../../../db/accounts/wallets';
import type { OnChainProvision, Rivals } from '../../../db/apps/provisions';
import { Problem } from '../../../domain/core/problem';
import type { AppReading } from '../../../drivers/chain';
import type { Context } from '../../types';

/**
 * Decides which team owns a contract when several have provisioned the same name and Compose file. Everything on the
 * chain is public, so only a wallet linked to a user's account proves anything.
 *
 * The contract belongs to the team whose user linked the account that deployed or owns it. Without such a link it
 * belongs to the first team: any other needs a linked wallet before it may provision, so that it never pays for a
 * contract it can't claim. Thus no team can take another's contract or block its deployment.
 */

/** Whether the user could ever claim a contract. */
const hasWallet = async ({ db, caller: { user } }: Context): Promise<boolean> =>
  user !== null && (await listWalletsOf(db, user.id)).length > 0;

const HOW = [
  'Change the name or the Compose file to get a different compose hash. Then provision again and deploy a contract for that hash.',
  'To keep both, link the wallet that deploys the contract in your account settings, then try again.',
];

/** @throws {Problem} unless the team was first or its user has a linked wallet */
export async function refuseCopy(ctx: Context, rivals: Rivals | null): Promise<void> {
  if (!rivals?.earlier || (await hasWallet(ctx))) return;
  throw new Problem('CVM_APP_ID_CONFLICT', {
    message:
      "Another team provisioned the same Compose file and name before this one, so a contract that allows it may be that team's.",
    suggestions: HOW,
  });
}

/** @throws {Problem} if the contract may be another team's */
export async function requireClaim(
  ctx: Context,
  { rivals, kms }: Pick<OnChainProvision, 'rivals'> & { kms: { chain_id: number | null } },
  { deployer, owner }: Pick<AppReading, 'deployer' | 'owner'>,
): Promise<void> {
  if (rivals === null) return;
  const isOneOf = (wallets: readonly string[]) =>
    [deployer, owner].some((one) => one !== null && wallets.includes(one.toLowerCase()));
  const { user } = ctx.caller;
  if (user !== null && kms.chain_id !== null && isOneOf(await walletsOnChain(ctx.db, user.id, kms.chain_id)))
    return;
  if (!rivals.earlier && !isOneOf(rivals.wallets)) return;
  throw new Problem('CVM_APP_ID_CONFLICT', {
    message:
      "Another team provisioned the same Compose file and name, and the contract may be that team's: the account that deployed or owns it isn't one of your linked wallets on this network.",
    suggestions: [
      'Link the wallet that deployed or owns the contract in your account settings, then try again. If it is a contract itself, link it on this network.',
      'Or change the name or the Compose file, provision again, and deploy a contract for the new compose hash.',
    ],
  });
}
