import type { Logger } from 'pino';
import { isSettled } from '../../../console/lib/cvms/allowedActions';
import { appendAudit } from '../../db/audit/auditLog';
import { feedTeam } from '../../db/activity/eventFeed';
import { addEvent, beginOperation } from '../../db/activity/operations';
import {
  countCvms,
  newDebtors,
  noteDebtStop,
  openDebt,
  openDebts,
  postedFunds,
  postponingPayment,
  setDebt,
  settleDebt,
  type DebtRow,
} from '../../db/billing/debts';
import { lockFunds } from '../../db/billing/holds';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { isWorthKeeping, moveToBin } from '../../db/cvms/recycleBin';
import { openNotices, recipientsOf, resolveNotices } from '../../db/notifications/notifications';
import { debtNotice, debtText, DEBT_STAGES, type DebtDays } from '../../domain/billing/debt';
import type { JobQueue } from '../core/queue';
import { actOnCvm, actOnCvms } from './actOnCvms';
import { auditCvm, leaveToBudget, stoppingBudget } from './keepStopped';

/** Teams, debts and CVMs handled per run; the rest is due in the next. */
const BATCH_SIZE = 200;

interface Parts {
  db: Db;
  jobs: JobQueue;
  log: Logger;
  now: Date;
  days: DebtDays;
}

/**
 * Starts and settles debts, and does what is due: sends notices, stops and deletes CVMs, and starts them again.
 * Each step is its own transaction derived from rows, so the next run completes one that died.
 */
export async function watchDebts(parts: Parts): Promise<void> {
  const { db, log, now, days } = parts;
  for (const { id } of await newDebtors(db, BATCH_SIZE))
    await withTransaction(db, async (trx) => {
      const debt = await openDebt(trx, id, now, days);
      if (!debt) return;
      const { stops_at, deletes_at } = debt;
      const after = { stops_at: stops_at.toISOString(), deletes_at: deletes_at.toISOString() };
      await appendAudit(trx, [{ ...auditOf(debt), action: 'debt.start', after }]);
    });
  for (let after = 0; ;) {
    const debts = await openDebts(db, { after, limit: BATCH_SIZE });
    for (const debt of debts)
      await advance(parts, debt, debt.funds).catch((err: unknown) =>
        log.error({ err, debt: debt.public_id }, 'failed to process a debt; retrying in the next run'),
      );
    const last = debts.at(-1);
    if (!last || debts.length < BATCH_SIZE) break;
    after = last.id;
  }
  await startAgain(parts);
}

const subjectOf = ({ public_id }: DebtRow) => `debt:${public_id}`;

const auditOf = ({ team_id, public_id }: DebtRow) =>
  ({ actor_kind: 'system', team_id, target_kind: 'debt', target_id: public_id }) as const;

async function advance(parts: Parts, debt: DebtRow, funds: number): Promise<void> {
  const { db, now } = parts;
  const { id, team_id } = debt;
  if (funds >= 0) {
    await withTransaction(db, async (trx) => {
      if (!(await settleDebt(trx, id, now))) return;
      const message = 'The debt is settled. CVMs that were stopped because of it start again.';
      await resolveNotices(trx, [{ kind: 'debt', subject: subjectOf(debt), message, team_id }], now);
      await feed(trx, debt, { kind: 'debt.settled', severity: 'info', message, now });
      await appendAudit(trx, [
        { ...auditOf(debt), action: 'debt.settle', after: { settled_at: now.toISOString() } },
      ]);
    });
    return;
  }
  const changed = { ...debt };
  if (debt.stops_at <= now) {
    await actOnCvms(db, { team_id, states: ['running'] }, (trx, cvm) => stopCvm(parts, trx, cvm, id));
    if (debt.stopped_at === null && (await countCvms(db, team_id)).active === 0) {
      changed.stopped_at = now;
      await setDebt(db, id, { stopped_at: now });
    }
  }
  const postponed = await isPostponed(parts, debt, -funds);
  if (debt.deletes_at <= now && !postponed) {
    await actOnCvms(db, { team_id, states: ['stopped', 'error'] }, (trx, cvm) =>
      deleteCvm(parts, trx, { cvm, debt_id: id }),
    );
    if (debt.deleted_at === null && (await countCvms(db, team_id)).kept === 0) {
      changed.deleted_at = now;
      await setDebt(db, id, { deleted_at: now });
    }
  }
  await notify(parts, changed, -funds);
}

/**
 * Whether a pending payment postpones the deletion. It is recorded when first seen, because the amount due
 * grows with the disks. Once the deletion is due, no other payment can take its place.
 */
async function isPostponed({ db, now, days }: Parts, debt: DebtRow, due: number): Promise<boolean> {
  const terms = { due, now, days: days.pending };
  const payment =
    (await postponingPayment(db, debt, terms)) ??
    (debt.deletes_at > now
      ? await postponingPayment(db, { ...debt, postponing_payment: null }, terms)
      : null);
  if (payment === null) return false;
  if (debt.postponing_payment !== payment)
    await withTransaction(db, async (trx) => {
      await setDebt(trx, debt.id, { postponing_payment: payment });
      await appendAudit(trx, [{ ...auditOf(debt), action: 'debt.postpone', after: { payment } }]);
    });
  return true;
}

/** Each stage is notified once; missed stages are skipped. */
async function notify({ db, now }: Parts, debt: DebtRow, due: number): Promise<void> {
  const notice = debtNotice(debt, now);
  if (notice === 'none' || DEBT_STAGES.indexOf(notice) <= DEBT_STAGES.indexOf(debt.told)) return;
  const { team_id } = debt;
  await withTransaction(db, async (trx) => {
    await setDebt(trx, debt.id, { told: notice });
    const told = debtText(notice, debt, due);
    await openNotices(
      trx,
      { state: 'open', kind: 'debt', subject: subjectOf(debt), ...told },
      { team_id, cvm_id: null, at: now },
      await recipientsOf(trx, team_id, 'debt'),
    );
    await feed(trx, debt, { kind: 'debt.alert', ...told, now, stage: notice });
  });
}

interface Fed {
  kind: 'debt.alert' | 'debt.settled';
  severity: 'info' | 'warning' | 'error';
  title?: string;
  message: string;
  now: Date;
  stage?: string;
}

/** Feeds webhooks. */
const feed = (trx: Tx, { team_id, public_id }: DebtRow, { now, stage, title, ...told }: Fed): Promise<void> =>
  feedTeam(trx, {
    team_id,
    ...told,
    data: {
      debt_id: public_id,
      ...(stage !== undefined && { stage }),
      ...(title !== undefined && { title }),
    },
    created_at: now,
  });

async function stopCvm({ jobs }: Parts, trx: Tx, cvm: CvmRow, debt_id: number): Promise<void> {
  if (cvm.status !== 'running' || (await postedFunds(trx, cvm.team_id)) >= 0) return;
  const operation = await beginOperation(trx, {
    cvm,
    type: 'shutdown',
    payload: { stopped_for: 'debt' },
    user_id: null,
  });
  await noteDebtStop(trx, cvm.id, debt_id);
  const message = 'Stopping because a payment is due. The disk is kept';
  await addEvent(trx, { cvm, operation, kind: 'cvm.debt_stop', severity: 'warning', message });
  await jobs.enqueueOperation(trx, operation.correlation_id);
  await auditCvm(trx, cvm, 'cvm.debt_stop', { correlation_id: operation.correlation_id });
}

/**
 * Leaves the CVM in the recycle bin like any deletion. Deletion protection guards against mistakes and doesn't
 * apply, because payers were notified of the date.
 */
async function deleteCvm(
  { jobs, now, days }: Parts,
  trx: Tx,
  { cvm, debt_id }: { cvm: CvmRow; debt_id: number },
): Promise<void> {
  // Payments start under the same lock, so none can start between this check and the deletion.
  await lockFunds(trx, cvm.team_id);
  const funds = await postedFunds(trx, cvm.team_id);
  const debt = await trx.selectFrom('debts').selectAll().where('id', '=', debt_id).executeTakeFirstOrThrow();
  const pending = await postponingPayment(trx, debt, { due: -funds, now, days: days.pending });
  if (funds >= 0 || pending !== null) return;
  const recycle = await isWorthKeeping(trx, cvm);
  const operation = await beginOperation(trx, { cvm, type: 'delete', payload: { recycle }, user_id: null });
  const purge_at = recycle ? await moveToBin(trx, cvm) : null;
  if (!recycle)
    await trx
      .updateTable('cvms')
      .set({ scheduled_delete_at: null, scheduled_stop_at: null })
      .where('id', '=', cvm.id)
      .execute();
  const message = recycle
    ? 'Moving to the recycle bin because a payment is overdue'
    : 'Deleting because a payment is overdue';
  await addEvent(trx, { cvm, operation, kind: 'cvm.debt_delete', severity: 'error', message });
  await jobs.enqueueOperation(trx, operation.correlation_id);
  await auditCvm(trx, cvm, 'cvm.debt_delete', {
    correlation_id: operation.correlation_id,
    purge_at: purge_at?.toISOString() ?? null,
  });
}

/** Starts CVMs that settled debts had stopped, unless a member started or deleted them since. */
async function startAgain({ db, jobs, now }: Parts): Promise<void> {
  const stops = await db
    .selectFrom('debt_stops as s')
    .innerJoin('debts as d', 'd.id', 's.debt_id')
    .innerJoin('cvms as c', 'c.id', 's.cvm_id')
    .select(['s.cvm_id', 'c.status', 'c.deleted_at'])
    .where('d.settled_at', 'is not', null)
    .orderBy('s.cvm_id')
    .limit(BATCH_SIZE)
    .execute();
  for (const { cvm_id, status, deleted_at } of stops) {
    if (deleted_at === null && status === 'stopped')
      await actOnCvm(db, cvm_id, async (trx, cvm) => {
        if (cvm.status !== 'stopped') return;
        const budget = await stoppingBudget(trx, cvm, now);
        if (budget) {
          await trx.deleteFrom('debt_stops').where('cvm_id', '=', cvm_id).execute();
          return leaveToBudget(trx, cvm, budget);
        }
        const operation = await beginOperation(trx, { cvm, type: 'start', user_id: null });
        const message = 'Starting again because the debt is settled';
        await addEvent(trx, { cvm, operation, kind: 'cvm.debt_start', message });
        await jobs.enqueueOperation(trx, operation.correlation_id);
        await trx.deleteFrom('debt_stops').where('cvm_id', '=', cvm_id).execute();
        await auditCvm(trx, cvm, 'cvm.debt_start', { correlation_id: operation.correlation_id });
      });
    else if (deleted_at !== null || isSettled(status))
      await db.deleteFrom('debt_stops').where('cvm_id', '=', cvm_id).execute();
  }
}
