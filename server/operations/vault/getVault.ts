import { findVault } from '../../db/vault/vaults';
import { vaultOut } from '../../domain/vault/vaultResponse';
import { userOf } from '../core/caller';
import type { Handler } from '../types';

export const getVault: Handler<'getVault'> = async ({ ctx }) => {
  // The vault belongs to the account, so a session opened by single sign-on can't access it.
  const found = ctx.caller.via_sso ? null : await findVault(ctx.db, userOf(ctx).id);
  return { status: 200, body: { vault: found && vaultOut(found) } };
};
