import type { Generated, Selectable } from 'kysely';
import type { PlacementPolicy } from '../../domain/hosts/scheduler';
import type { RuntimeLogLevel } from '../../domain/platform/logLevel';
import { prepared, type Db, type Tx } from '../core/client';

/** One row of platform-wide administrator settings (migration 0057_platform_settings). */
export interface PlatformSettingsTable {
  id: Generated<boolean>;
  /** Whether a deployment without a fitting host purges deleted CVMs from the recycle bin. */
  recycle_bin_gives_way: Generated<boolean>;
  /** Minimum time a deleted CVM is kept. */
  recycle_bin_min_age_hours: Generated<number>;
  /** Whether new CVMs are spread over hosts or packed on few (migration 0322_placement_policy). */
  placement: Generated<PlacementPolicy>;
  updated_at: Generated<Date>;
  /** Applies instead of LOG_LEVEL until `log_level_until`; not part of `updated_at` (migration 0285_log_level). */
  log_level: RuntimeLogLevel | null;
  log_level_until: Date | null;
}

export type PlatformSettingsRow = Selectable<PlatformSettingsTable>;

export const platformSettings = (db: Db): Promise<PlatformSettingsRow> =>
  db.selectFrom('platform_settings').selectAll().executeTakeFirstOrThrow();

/** Returns how hosts are chosen for new and moved CVMs. */
export async function placementPolicy(db: Db | Tx): Promise<PlacementPolicy> {
  const { placement } = await db
    .selectFrom('platform_settings')
    .select('placement')
    .modifyEnd(prepared)
    .executeTakeFirstOrThrow();
  return placement;
}
