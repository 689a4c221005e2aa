import { billingSettings } from '../../../db/billing/billingSettings';
import { changesOf, checkIfMatch, keysOf, nextVersion } from '../../core/admin/change';
import type { Handler } from '../../types';
import { billingSettingsOut, billingSettingsTag } from './getAdminBillingSettings';

export const updateAdminBillingSettings: Handler<'updateAdminBillingSettings'> = async ({ body, ctx }) => {
  const reply = (row: Awaited<ReturnType<typeof billingSettings>>) =>
    ({
      status: 200,
      headers: { ETag: billingSettingsTag(row) },
      body: billingSettingsOut(row, ctx.config),
    }) as const;
  const found = await billingSettings(ctx.db);
  checkIfMatch(ctx, billingSettingsTag(found));
  if (Object.keys(changesOf(billingSettingsOut(found, ctx.config), body)).length === 0) return reply(found);
  return ctx.write(async ({ trx, audit }) => {
    const before = await trx.selectFrom('billing_settings').selectAll().forUpdate().executeTakeFirstOrThrow();
    checkIfMatch(ctx, billingSettingsTag(before));
    const shown = billingSettingsOut(before, ctx.config);
    const changes = changesOf(shown, body);
    const row = await trx
      .updateTable('billing_settings')
      .set({ ...changes, updated_at: nextVersion(before) })
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit({
      action: 'billing_settings.update',
      target_kind: 'billing_settings',
      target_id: 'all',
      before: keysOf(shown, Object.keys(changes)),
      after: changes,
    });
    return reply(row);
  });
};
