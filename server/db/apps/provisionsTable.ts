import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { PortMapping } from '../../domain/hosts/attachments';

/**
 * One row per provisioned deployment. Written by `provisionCvm`, committed when the CVM is created from it
 * (migration 0001_foundation).
 */
export interface ProvisionsTable {
  id: GeneratedAlways<number>;
  team_id: number;
  /** User who requested it. */
  user_id: number | null;
  /** Null until the CVM is created, if the ID will be a contract's address. */
  app_id: string | null;
  nonce: number | null;
  compose_hash: string;
  /** Exact bytes that were hashed. */
  app_compose: string;
  docker_compose_file: string;
  pre_launch_script: string | null;
  allowed_envs: Generated<string[]>;
  name: string;
  /** Null for a custom size. */
  instance_type: string | null;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
  /** The rate at that time; null if it wasn't recorded (migration 0321_provision_rates). */
  hourly_rate_micros: number | null;
  os_image: string;
  kms_id: number | null;
  /** Null for as long as the app ID. */
  env_pubkey: string | null;
  teepod_id: number;
  public_logs: boolean;
  public_sysinfo: boolean;
  public_tcbinfo: boolean;
  listed: boolean;
  storage_fs: string | null;
  created_at: Generated<Date>;
  expires_at: Date;
  /** Null until the CVM is created. */
  committed_at: Date | null;
  /** Number requested; `gpus` names the ones assigned. */
  gpus: Generated<number>;
  /** All GPUs of the host, with the NVSwitches. */
  all_gpus: Generated<boolean>;
  /** Host ports mapped to it. */
  ports: ColumnType<PortMapping[], string | undefined, string>;
  /** The template it was created from; null for none (migration 0218_template_versions). */
  template_version_id: number | null;
}

export type ProvisionRow = Selectable<ProvisionsTable>;
