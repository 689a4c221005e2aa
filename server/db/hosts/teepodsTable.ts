import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/**
 * One row per teepod. Written by administrators, or at startup for the local one; health columns by a worker
 * (migration 0001_foundation).
 */
export interface TeepodsTable {
  id: GeneratedAlways<number>;
  node_id: number;
  kms_id: number | null;
  name: string;
  kind: Generated<'dstack_vmm' | 'local'>;
  url: string;
  credential_kind: Generated<'none' | 'bearer' | 'basic'>;
  sealed_credential: string | null;
  state: Generated<'online' | 'cordoned' | 'draining' | 'offline'>;
  reachable: Generated<boolean>;
  reachable_since: Date | null;
  last_seen_at: Date | null;
  last_error: string | null;
  version: string | null;
  engine: string | null;
  warnings: Generated<string[]>;
  /** Capacity administrators allow for CVMs, as in the next three columns. */
  max_cvms: number;
  max_vcpu: number;
  max_memory_mb: number;
  max_disk_gb: number;
  gateway_base_domain: string | null;
  listed: Generated<boolean>;
  /** If false, only the teams in `teepod_teams` may use it. */
  all_teams: Generated<boolean>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  /** Capacity reported by the host, as in the next two columns; null if it reports none. */
  host_cvms: number | null;
  host_vcpu: number | null;
  host_memory_mb: number | null;
  /** Equal for every spelling of the address (`addressKey`); null for the built-in teepod. */
  address_key: string | null;
  /** Differences between database and host, as of the last reconciliation. */
  drift: Generated<number>;
  /** Number of leftover VMs if it is suspiciously high, so that none is removed; 0 otherwise. */
  held_strays: Generated<number>;
  /** Whether the host maps its ports to CVMs, as of its last reply. */
  port_mapping: Generated<boolean>;
  /** Whether it attaches all its GPUs to one CVM, as of its last reply. */
  attach_all_gpus: Generated<boolean>;
  /** Consecutive rounds of the reconciler without a response. */
  unanswered: Generated<number>;
  /** When it is queried again; null while it responds. */
  retry_at: Date | null;
  /** When its images, capacity and gateway are read again; until `facts_often_until`, in each round. */
  facts_due_at: Generated<Date>;
  facts_often_until: Date | null;
  /** TEE of its CPUs, as entered by an administrator; null while unknown. */
  tee: 'tdx' | 'sev_snp' | null;
}

export type TeepodRow = Selectable<TeepodsTable>;
