import type { AdminSettings } from '../../../generated/api/types.gen';
import { platformSettings, type PlatformSettingsRow } from '../../db/platform/platformSettings';
import type { SettingsRow } from '../core/admin/settingsRow';

export const platformSettingsRow: SettingsRow<PlatformSettingsRow, AdminSettings> = {
  kind: 'platform_settings',
  read: platformSettings,
  lock: (trx) => trx.selectFrom('platform_settings').selectAll().forUpdate().executeTakeFirstOrThrow(),
  change: (trx, { placement, recycle_bin_gives_way, recycle_bin_min_age_hours }, updated_at) =>
    trx
      .updateTable('platform_settings')
      .set({ placement, recycle_bin_gives_way, recycle_bin_min_age_hours, updated_at })
      .returningAll()
      .executeTakeFirstOrThrow(),
  out: (row) => ({
    placement: row.placement,
    recycle_bin_gives_way: row.recycle_bin_gives_way,
    recycle_bin_min_age_hours: row.recycle_bin_min_age_hours,
    updated_at: row.updated_at.toISOString(),
  }),
};
