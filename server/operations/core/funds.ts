import { steadyBalance } from '../../db/billing/accrued';
import { heldFunds, lockFunds } from '../../db/billing/holds';
import type { Db, Tx } from '../../db/core/client';
import { fundsRefusal, type Funds } from '../../domain/billing/funds';
import type { Problem } from '../../domain/core/problem';
import type { Context } from '../types';
import { teamOf } from './caller';

async function fundsOf(db: Db | Tx, team_id: number): Promise<Funds> {
  const now = new Date();
  const { balance, cap } = await steadyBalance(db, team_id, now);
  return { balance, cap, held: await heldFunds(db, team_id, now) };
}

/** Returns why the team can't pay for the first hour at this rate; null if it can, or if billing is not enforced. */
export async function missingFunds(ctx: Context, db: Db | Tx, hourly: number): Promise<Problem | null> {
  if (!ctx.config.billingEnforced || hourly <= 0) return null;
  const team = teamOf(ctx);
  return fundsRefusal(await fundsOf(db, team.id), hourly, {
    slug: team.slug,
    publicUrl: ctx.config.publicUrl,
  });
}

/**
 * Checks that the team can pay for the first hour at this rate. Until the transaction ends, no other deployment of the
 * team can. @returns the amount to hold for the operation. @throws INSUFFICIENT_BALANCE
 */
export async function claimFunds(ctx: Context, trx: Tx, hourly: number): Promise<number> {
  if (!ctx.config.billingEnforced || hourly <= 0) return 0;
  await lockFunds(trx, teamOf(ctx).id);
  const refused = await missingFunds(ctx, trx, hourly);
  if (refused) throw refused;
  return hourly;
}
