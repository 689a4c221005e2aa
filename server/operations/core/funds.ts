import { refusingBudget } from '../../db/billing/budgets';
import { overdueDebt } from '../../db/billing/debts';
import { fundsOf } from '../../db/billing/funds';
import { lockFunds } from '../../db/billing/holds';
import { newCvmRate } from '../../db/billing/orders/cover';
import type { Db, Tx } from '../../db/core/client';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { budgetRefusal } from '../../domain/billing/budget';
import { fundsRefusal, overdueRefusal } from '../../domain/billing/funds';
import { rateToStart, type Rates } from '../../domain/billing/pricing';
import type { Problem } from '../../domain/core/problem';
import type { Context } from '../types';
import { teamOf } from './caller';

/** The change that adds costs. */
interface Scope {
  /** Null for an app that doesn't exist yet. */
  app_id: number | null;
  /** True for a new CVM or one restored from the recycle bin, not for a start or a larger size. */
  deploys: boolean;
  /**
   * Additional hourly cost of running over being stopped; null if it is stopped afterward. Deployments run.
   */
  runs?: number | null;
  /** Whether any budget of the team is used up, if that is known. */
  budgets?: boolean;
  /** Type of a new CVM that one of the team's orders may cover. */
  type?: (Rates & { id: string }) | null;
}

/**
 * Returns why the team can't add this rate; null if it can. Reasons: a used-up budget or, while billing is
 * enforced, a debt that stops its CVMs, or too little money for the first hour.
 */
export async function missingFunds(
  ctx: Context,
  db: Db | Tx,
  hourly: number,
  scope: Scope,
): Promise<Problem | null> {
  return (await dueOf(ctx, db, hourly, scope)).refused;
}

/**
 * Returns the due rate and its refusal. If the full rate is refused but an order covers a part, returns both for the
 * rest.
 */
async function dueOf(
  ctx: Context,
  db: Db | Tx,
  hourly: number,
  scope: Scope,
): Promise<{ due: number; refused: Problem | null }> {
  const refused = await refusalOf(ctx, db, hourly, scope);
  if (!refused || !scope.type) return { due: hourly, refused };
  const rest = await newCvmRate(db, teamOf(ctx).id, scope.type.id, scope.type);
  return rest < hourly
    ? { due: rest, refused: await refusalOf(ctx, db, rest, scope) }
    : { due: hourly, refused };
}

/**
 * Refuses to run CVMs that the jobs would stop, even without additional cost: the jobs skip busy CVMs, so repeated
 * restarts could keep one from ever being stopped.
 */
async function refusalOf(
  ctx: Context,
  db: Db | Tx,
  hourly: number,
  { app_id, deploys, budgets = true, runs = deploys ? 0 : null }: Scope,
): Promise<Problem | null> {
  const team = teamOf(ctx);
  const now = new Date();
  const links = { slug: team.slug, publicUrl: ctx.config.publicUrl };
  const actions = deploys ? (['refuse', 'stop'] as const) : (['stop'] as const);
  // A budget doesn't stop CVMs that an order covers; a debt does.
  const counts = budgets && Math.max(hourly, runs ?? 0) > 0;
  const budget = counts ? await refusingBudget(db, team.id, { app_id, actions, now }) : null;
  if (budget) return budgetRefusal(budget, links);
  if (!ctx.config.billingEnforced) return null;
  const overdue = runs === null ? undefined : await overdueDebt(db, team.id, now);
  if (overdue) return overdueRefusal(overdue.due, links);
  return hourly > 0 ? fundsRefusal(await fundsOf(db, team.id), hourly, links) : null;
}

/** Checks that a running CVM may keep running. @throws INSUFFICIENT_BALANCE, BUDGET_USED_UP */
export async function checkMayRun(ctx: Context, db: Db | Tx, cvm: CvmRow): Promise<void> {
  const scope = { app_id: cvm.app_id, deploys: false, runs: rateToStart(cvm) };
  const refused = await refusalOf(ctx, db, 0, scope);
  if (refused) throw refused;
}

/**
 * Checks that no budget refuses this rate and, while billing is enforced, that no debt would stop the CVM and the
 * team can pay for the first hour. Blocks the team's other deployments until the transaction ends. @returns the
 * amount to hold.
 * @throws INSUFFICIENT_BALANCE, BUDGET_USED_UP
 */
export async function claimFunds(ctx: Context, trx: Tx, hourly: number, scope: Scope): Promise<number> {
  if (hourly > 0 && ctx.config.billingEnforced) await lockFunds(trx, teamOf(ctx).id);
  const { due, refused } = await dueOf(ctx, trx, hourly, scope);
  if (refused) throw refused;
  return ctx.config.billingEnforced ? Math.max(0, due) : 0;
}
