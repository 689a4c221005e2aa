import type { GuestFields } from '../../../console/lib/compose/guestFields';
import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';

/** Contains only the fields the client sent. */
export interface ComposeDraftChange extends Omit<GuestFields, 'runner' | 'snapshotter'> {
  name?: string;
  docker_compose_file?: string;
  pre_launch_script?: string;
  allowed_envs?: string[];
  gateway_enabled?: boolean;
  public_logs?: boolean;
  public_sysinfo?: boolean;
  public_tcbinfo?: boolean;
  secure_time?: boolean;
}

/**
 * One row per prepared app-compose.json that has not been committed. Written when an update is prepared,
 * deleted after 14 days (migration 0010_cvm_settings).
 */
export interface ComposeDraftsTable {
  id: GeneratedAlways<number>;
  cvm_id: number;
  compose_hash: string;
  /** Differences from the revision it was prepared on. */
  change: ColumnType<ComposeDraftChange, string, string>;
  created_at: Generated<Date>;
  expires_at: Date;
}

export type ComposeDraftRow = Selectable<ComposeDraftsTable>;
