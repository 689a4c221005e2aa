import { utcDay } from '../core/dates';
import { dueUsd } from './funds';

/** Stages and dates of a team's debt. */

const DAY_MS = 86_400_000;

export const DEBT_STAGES = ['none', 'grace', 'stop_soon', 'stopped', 'delete_soon', 'deleted'] as const;
export type DebtNotice = (typeof DEBT_STAGES)[number];
export type DebtStage = 'grace' | 'stopped' | 'deleted';

export interface DebtDates {
  stops_at: Date;
  deletes_at: Date;
  stopped_at: Date | null;
  deleted_at: Date | null;
}

export interface DebtDays {
  /** From the start of a debt until the team's CVMs stop. */
  grace: number;
  /** From then until their disks are deleted. */
  keep: number;
  /** How long a pending payment may postpone the deletion. */
  pending: number;
}

/** Payers are reminded this long before CVMs stop, and before their disks are deleted. */
const STOP_SOON_MS = DAY_MS;
const DELETE_SOON_MS = 7 * DAY_MS;

export function debtDates(
  started_at: Date,
  { grace, keep }: Pick<DebtDays, 'grace' | 'keep'>,
): { stops_at: Date; deletes_at: Date } {
  const stops_at = new Date(started_at.getTime() + grace * DAY_MS);
  return { stops_at, deletes_at: new Date(stops_at.getTime() + keep * DAY_MS) };
}

/**
 * Returns the dates of a debt that starts because the money that settled the previous one was taken back: those
 * of the previous one. Payers are still notified a day before CVMs stop, and a week before disks are deleted.
 */
export function continuedDates(
  before: Pick<DebtDates, 'stops_at' | 'deletes_at'>,
  now: Date,
  days: Pick<DebtDays, 'grace' | 'keep'>,
): { stops_at: Date; deletes_at: Date } {
  const fresh = debtDates(now, days);
  const date = (old: Date, notice: number, latest: Date) =>
    new Date(Math.min(latest.getTime(), Math.max(old.getTime(), now.getTime() + notice)));
  return {
    stops_at: date(before.stops_at, STOP_SOON_MS, fresh.stops_at),
    deletes_at: date(before.deletes_at, DELETE_SOON_MS, fresh.deletes_at),
  };
}

/** Returns the stage in effect; the dates say when it was due. */
export function debtStage({ stops_at, deleted_at }: DebtDates, now: Date): DebtStage {
  if (deleted_at !== null) return 'deleted';
  return stops_at <= now ? 'stopped' : 'grace';
}

/** Returns the latest notice that is due. */
export function debtNotice(debt: DebtDates, now: Date): DebtNotice {
  if (debt.deleted_at !== null) return 'deleted';
  if (debt.stops_at <= now)
    return debt.deletes_at.getTime() - now.getTime() <= DELETE_SOON_MS ? 'delete_soon' : 'stopped';
  return debt.stops_at.getTime() - now.getTime() <= STOP_SOON_MS ? 'stop_soon' : 'grace';
}

const day = (at: Date) => `${utcDay(at)} (UTC)`;

/** Returns the text of a notice. `due` in micro-dollars. */
export function debtText(
  notice: Exclude<DebtNotice, 'none'>,
  { stops_at, deletes_at }: DebtDates,
  due: number,
): { title: string; message: string; severity: 'warning' | 'error' } {
  const owed = `${dueUsd(due)} is due.`;
  const stop = `CVMs stop on ${day(stops_at)}`;
  const destroy = `their disks are deleted on ${day(deletes_at)}`;
  switch (notice) {
    case 'grace':
      return {
        title: 'Payment due',
        message: `${owed} Unless it is paid, ${stop} and ${destroy}.`,
        severity: 'warning',
      };
    case 'stop_soon':
      return {
        title: 'Payment due: CVMs stop within a day',
        message: `${owed} Unless it is paid, ${stop} and ${destroy}.`,
        severity: 'warning',
      };
    case 'stopped':
      return {
        title: 'CVMs are stopped because a payment is due',
        message: `${owed} Unless it is paid, ${destroy}. CVMs start again once it is paid.`,
        severity: 'error',
      };
    case 'delete_soon':
      return {
        title: 'Payment due: disks are deleted within a week',
        message: `${owed} Unless it is paid, ${destroy}. A pending bank transfer for the full amount postpones this once.`,
        severity: 'error',
      };
    case 'deleted':
      return {
        title: 'CVMs are deleted because a payment was due',
        message: `${owed} Once it is paid, you can deploy again, and restore deleted CVMs from the recycle bin for a day after their deletion.`,
        severity: 'error',
      };
  }
}
