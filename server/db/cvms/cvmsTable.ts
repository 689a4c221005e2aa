import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { CvmDesired, CvmStatus } from '../../domain/cvms/cvmStates';
import type { TextKey } from '../../../generated/api/types.gen';
import type { Coverage } from '../../domain/billing/metering';
import type { PortMapping } from '../../domain/hosts/attachments';
import { statusReason } from './statusReason';

/** A published port of a CVM and its addresses. */
interface Endpoint {
  port: number;
  protocol: 'tcp' | 'udp';
  app: string;
  instance: string;
}

/**
 * One row per CVM, kept after deletion. Written when a CVM is deployed or replicated, updated by its
 * operations and by what the host reports (migration 0001_foundation).
 */
export interface CvmsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  vm_uuid: string;
  team_id: number;
  app_id: number;
  revision_id: number;
  teepod_id: number;
  kms_id: number | null;
  name: string;
  status: CvmStatus;
  status_reason: string | null;
  /** The same by ID; see `statusReason`. */
  status_reason_keys: ColumnType<TextKey[], string | undefined, string>;
  desired: Generated<CvmDesired>;
  /** ID assigned by the host; null until the VM is created. */
  host_vm_id: string | null;
  /** Null until the first boot. */
  instance_id: string | null;
  /** Null for a custom size. */
  instance_type: string | null;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
  /** Micro-dollars per hour. */
  hourly_rate_micros: number;
  /** The share for GPUs. */
  gpu_rate_micros: Generated<number>;
  /** The part for disk above what the size includes; no order covers it (migration 0191_disk_rates). */
  disk_rate_micros: Generated<number>;
  os_image: string;
  env_pubkey: string | null;
  /** Sealed environment, hex; only the guest can open it. */
  encrypted_env: string | null;
  public_logs: boolean;
  public_sysinfo: boolean;
  public_tcbinfo: boolean;
  listed: Generated<boolean>;
  storage_fs: string | null;
  ssh_authorized_keys: Generated<string[]>;
  boot_progress: string | null;
  boot_error: string | null;
  /** Addresses by container port, as last reported by the host. */
  endpoints: ColumnType<Endpoint[], string | undefined, string>;
  started_at: Date | null;
  observed_at: Date | null;
  /** Since when its host responds without listing its VM; null while the VM is listed. */
  missing_since: Date | null;
  created_by: number | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  deleted_at: Date | null;
  /** Hostname inside the VM if it differs from the CVM's name: renaming does not reach the guest. */
  hostname: string | null;
  protected: Generated<boolean>;
  scheduled_stop_at: Date | null;
  scheduled_delete_at: Date | null;
  /** When the team was warned; set immediately if the stop is less than an hour away. */
  stop_warned_at: Date | null;
  /** Like `stop_warned_at`, for the scheduled deletion. */
  delete_warned_at: Date | null;
  /** Set while the CVM is in the recycle bin, together with `deleted_at`: when it is destroyed. */
  purge_at: Date | null;
  /** The owner allows recreating it on another host with an empty disk. */
  movable: Generated<boolean>;
  /** Number of GPUs; `gpus` names the ones assigned. */
  gpus: Generated<number>;
  /** All GPUs of its host, with the NVSwitches. */
  all_gpus: Generated<boolean>;
  /** Host ports mapped to it. */
  ports: ColumnType<PortMapping[], string | undefined, string>;
  /** The order that covers it, what it covers, and until when (migration 0110_orders). */
  order_id: Generated<number | null>;
  covers: Generated<Coverage | null>;
  covered_until: Generated<Date | null>;
}

export type CvmRow = Selectable<CvmsTable>;

/** Columns a change may set directly; the others are JSON. */
export type CvmChange = Partial<Omit<CvmRow, 'id' | 'endpoints' | 'ports' | 'status_reason_keys'>>;

/** Columns of a CVM whose VM is down as intended. */
export const STOPPED = {
  status: 'stopped',
  desired: 'stopped',
  ...statusReason(null),
  boot_progress: null,
  boot_error: null,
  started_at: null,
} as const;
