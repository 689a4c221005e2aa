import type { Logger } from 'pino';
import { addEvent, beginOperation } from '../../db/activity/operations';
import { appendAudit } from '../../db/audit/auditLog';
import { applyCheck } from '../../db/billing/budgetChecks';
import {
  budgetsOfTeam,
  lockBudget,
  noteBudgetStop,
  teamsWithBudgets,
  usedByBudgets,
  type NamedBudget,
} from '../../db/billing/budgets';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { readSnapshot } from '../../db/core/snapshot';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { budgetName } from '../../domain/billing/budget';
import { rateToStart } from '../../domain/billing/pricing';
import type { JobQueue } from '../core/queue';
import { actOnCvms } from './actOnCvms';

/** Teams read per query. */
const BATCH_SIZE = 200;

interface Parts {
  db: Db;
  jobs: JobQueue;
  log: Logger;
  now: Date;
}

/**
 * Compares every budget with the usage of its period: notifies payers of the percentages reached, and stops
 * CVMs while a budget with a stop is exhausted.
 */
export async function watchBudgets(parts: Parts): Promise<void> {
  const { db, log } = parts;
  for (let after = 0; ;) {
    const teams = await teamsWithBudgets(db, { after, limit: BATCH_SIZE });
    for (const team_id of teams)
      await checkTeam(parts, team_id).catch((err: unknown) =>
        log.error({ err, team_id }, "couldn't check a team's budgets; retrying in the next run"),
      );
    const last = teams.at(-1);
    if (last === undefined || teams.length < BATCH_SIZE) return;
    after = last;
  }
}

async function checkTeam(parts: Parts, team_id: number): Promise<void> {
  const { db, now } = parts;
  const { budgets, used } = await readSnapshot(db, async (trx) => {
    const all = await budgetsOfTeam(trx, team_id);
    return { budgets: all, used: await usedByBudgets(trx, team_id, all, now) };
  });
  for (const { id, public_id } of budgets) {
    const found = used.get(id);
    if (!found) continue;
    const budget = await withTransaction(db, async (trx) => {
      const locked = await lockBudget(trx, team_id, public_id);
      return locked && applyCheck(trx, locked, found, now);
    });
    if (budget?.action === 'stop' && budget.used_up_at !== null)
      // Usage covered by an order costs nothing more: stopping the CVM would save nothing.
      await actOnCvms(
        db,
        { team_id, app_id: budget.app_id, states: ['running'], covered_at: now },
        (trx, cvm) => stopCvm(parts, trx, cvm, budget),
      );
  }
}

async function stopCvm({ jobs, now }: Parts, trx: Tx, cvm: CvmRow, budget: NamedBudget): Promise<void> {
  if (cvm.status !== 'running' || rateToStart(cvm, now) === 0) return;
  // It may have been raised or deleted since it was checked.
  const locked = await lockBudget(trx, budget.team_id, budget.public_id);
  if (locked?.action !== 'stop' || locked.used_up_at === null) return;
  if (locked.period_start.getTime() !== budget.period_start.getTime()) return;
  const operation = await beginOperation(trx, {
    cvm,
    type: 'shutdown',
    payload: { stopped_for: 'budget' },
    user_id: null,
  });
  await noteBudgetStop(trx, cvm.id, budget.id);
  await addEvent(trx, {
    cvm,
    operation,
    kind: 'cvm.budget_stop',
    severity: 'warning',
    message: `Stopping because the ${budgetName(budget)} is used up. The disk is kept`,
  });
  await jobs.enqueueOperation(trx, operation.correlation_id);
  await appendAudit(trx, [
    {
      actor_kind: 'system',
      team_id: cvm.team_id,
      action: 'cvm.budget_stop',
      target_kind: 'cvm',
      target_id: cvm.public_id,
      before: { name: cvm.name, status: cvm.status },
      after: { correlation_id: operation.correlation_id, budget: budget.public_id },
    },
  ]);
}
