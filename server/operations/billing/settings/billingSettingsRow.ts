import type { AdminBillingSettings } from '../../../../generated/api/types.gen';
import { formatMicros } from '../../../../console/lib/billing/money';
import { billingSettings, type BillingSettingsRow } from '../../../db/billing/billingSettings';
import type { SettingsRow } from '../../core/admin/settingsRow';

export const billingSettingsRow: SettingsRow<BillingSettingsRow, AdminBillingSettings> = {
  kind: 'billing_settings',
  read: billingSettings,
  lock: (trx) => trx.selectFrom('billing_settings').selectAll().forUpdate().executeTakeFirstOrThrow(),
  change: (trx, { debt_grace_days, debt_keep_days, debt_pending_days }, updated_at) =>
    trx
      .updateTable('billing_settings')
      .set({ debt_grace_days, debt_keep_days, debt_pending_days, updated_at })
      .returningAll()
      .executeTakeFirstOrThrow(),
  out: (row, { debtDays, billingEnforced, approvalLimit, bank, stripe }) => ({
    debt_grace_days: row.debt_grace_days ?? debtDays.grace,
    debt_keep_days: row.debt_keep_days ?? debtDays.keep,
    debt_pending_days: row.debt_pending_days ?? debtDays.pending,
    requires_funds: billingEnforced,
    approval_limit: approvalLimit === null ? null : formatMicros(approvalLimit),
    bank_account: bank && [bank.account_holder, bank.account, bank.bank].filter(Boolean).join(', '),
    card_payments: stripe !== null,
    updated_at: row.updated_at.toISOString(),
  }),
};
