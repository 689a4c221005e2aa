import { platformSettings, type PlatformSettingsRow } from '../../db/platform/platformSettings';
import type { AdminSettings } from '../../../generated/api/types.gen';
import { etagOf } from '../core/admin/change';
import type { Handler } from '../types';

export const getAdminSettings: Handler<'getAdminSettings'> = async ({ ctx }) => {
  const row = await platformSettings(ctx.db);
  return { status: 200, headers: { ETag: settingsTag(row) }, body: settingsOut(row) };
};

export const settingsTag = ({ updated_at }: PlatformSettingsRow) =>
  etagOf('platform_settings', 'all', updated_at);

export const settingsOut = (row: PlatformSettingsRow): AdminSettings => ({
  recycle_bin_gives_way: row.recycle_bin_gives_way,
  recycle_bin_min_age_hours: row.recycle_bin_min_age_hours,
  updated_at: row.updated_at.toISOString(),
});
