import { fundsOf } from '../../db/billing/funds';
import type { Tx } from '../../db/core/client';
import { moneyRefusal } from '../../domain/billing/funds';
import { Problem } from '../../domain/core/problem';
import type { Context } from '../types';

/**
 * Returns why a locked team's owners can't change; null if they can. While a team owes more than allowed, or may
 * soon, owners can't be added or removed: the debt would fall to a member who hasn't agreed to it.
 */
export async function ownersRefusal(
  { config }: Pick<Context, 'config'>,
  trx: Tx,
  team_id: number,
): Promise<Problem | null> {
  if (!config.billingEnforced) return null;
  const funds = await fundsOf(trx, team_id);
  const message = moneyRefusal('The team', funds, { cap: funds.cap, has_cvms: true });
  if (message === null) return null;
  return new Problem('IN_USE', {
    message: `${message} Until then, nobody can become an owner, and owners can't leave or be removed.`,
    suggestions: ['Add funds on the billing page, or redeem a promotion code.'],
  });
}

/** @throws IN_USE */
export async function checkOwners(ctx: Pick<Context, 'config'>, trx: Tx, team_id: number): Promise<void> {
  const refusal = await ownersRefusal(ctx, trx, team_id);
  if (refusal) throw refusal;
}
