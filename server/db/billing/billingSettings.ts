import type { Generated, Selectable } from 'kysely';
import type { DebtDays } from '../../domain/billing/debt';
import type { Db } from '../core/client';

/**
 * One row of platform-wide settings by finance staff; null: the server's configuration applies (migration
 * 0133).
 */
export interface BillingSettingsTable {
  id: Generated<boolean>;
  debt_grace_days: number | null;
  debt_keep_days: number | null;
  debt_pending_days: number | null;
  updated_at: Generated<Date>;
}

export type BillingSettingsRow = Selectable<BillingSettingsTable>;

export const billingSettings = (db: Db): Promise<BillingSettingsRow> =>
  db.selectFrom('billing_settings').selectAll().executeTakeFirstOrThrow();

/** Returns the day counts for debts that start now. */
export async function debtDaysNow(db: Db, configured: DebtDays): Promise<DebtDays> {
  const row = await billingSettings(db);
  return {
    grace: row.debt_grace_days ?? configured.grace,
    keep: row.debt_keep_days ?? configured.keep,
    pending: row.debt_pending_days ?? configured.pending,
  };
}
