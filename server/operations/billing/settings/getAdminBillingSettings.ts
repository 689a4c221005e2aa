import type { AdminBillingSettings } from '../../../../generated/api/types.gen';
import { formatMicros } from '../../../../console/lib/billing/money';
import type { Config } from '../../../config';
import { billingSettings, type BillingSettingsRow } from '../../../db/billing/billingSettings';
import { etagOf } from '../../core/admin/change';
import type { Handler } from '../../types';

export const getAdminBillingSettings: Handler<'getAdminBillingSettings'> = async ({ ctx }) => {
  const row = await billingSettings(ctx.db);
  return {
    status: 200,
    headers: { ETag: billingSettingsTag(row) },
    body: billingSettingsOut(row, ctx.config),
  };
};

export const billingSettingsTag = ({ updated_at }: BillingSettingsRow) =>
  etagOf('billing_settings', 'all', updated_at);

export const billingSettingsOut = (
  row: BillingSettingsRow,
  {
    debtDays,
    billingEnforced,
    approvalLimit,
  }: Pick<Config, 'debtDays' | 'billingEnforced' | 'approvalLimit'>,
): AdminBillingSettings => ({
  debt_grace_days: row.debt_grace_days ?? debtDays.grace,
  debt_keep_days: row.debt_keep_days ?? debtDays.keep,
  debt_pending_days: row.debt_pending_days ?? debtDays.pending,
  requires_funds: billingEnforced,
  approval_limit: approvalLimit === null ? null : formatMicros(approvalLimit),
  updated_at: row.updated_at.toISOString(),
});
