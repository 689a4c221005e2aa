import { getAddress } from 'viem';
import { addressOf, giveAddress } from '../../../db/billing/usdc/deposits';
import { Problem } from '../../../domain/core/problem';
import { holdTeam } from '../../core/caller';
import type { Handler } from '../../types';

export const createUsdcAddress: Handler<'createUsdcAddress'> = async ({ ctx }) => {
  const { usdc } = ctx.config;
  if (!usdc) throw new Problem('CONFLICT', { message: 'This server doesn’t accept USDC.', suggestions: [] });
  const address = await ctx.write(async ({ trx, audit, unchanged }) => {
    const { team } = await holdTeam(trx, ctx, 'billing.manage');
    const known = await addressOf(trx, team.id);
    if (known !== null) return unchanged(known);
    const given = await giveAddress(trx, team.id, usdc.xpub);
    await audit({
      action: 'usdc_address.create',
      target_kind: 'team',
      target_id: team.public_id,
      after: { address: given },
    });
    return given;
  });
  return { status: 200, body: { address: getAddress(address) } };
};
