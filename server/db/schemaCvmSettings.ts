import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';

/** The columns' meaning stands in migration 0010_cvm_settings. */

/** Columns of `cvms`. */
export interface CvmSettingsColumns {
  hostname: string | null;
  protected: Generated<boolean>;
  scheduled_stop_at: Date | null;
  scheduled_delete_at: Date | null;
  stop_warned_at: Date | null;
  delete_warned_at: Date | null;
  purge_at: Date | null;
}

/** Columns of `ssh_keys`. */
export interface GithubKeyColumns {
  github_username: string | null;
  key_metadata: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  last_synced_at: Date | null;
}

export interface ComposeDraftsTable {
  id: GeneratedAlways<number>;
  cvm_id: number;
  compose_hash: string;
  change: ColumnType<ComposeDraftChange, string, string>;
  created_at: Generated<Date>;
  expires_at: Date;
}

/** Only what was sent. */
export interface ComposeDraftChange {
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

export interface CvmSettingsTables {
  compose_drafts: ComposeDraftsTable;
}

export type ComposeDraftRow = Selectable<ComposeDraftsTable>;
