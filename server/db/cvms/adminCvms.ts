import { sql } from 'kysely';
import type { AdminCvm } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { CvmRow } from './cvmsTable';

export interface AdminCvmRow extends Pick<
  CvmRow,
  | 'public_id'
  | 'name'
  | 'status'
  | 'status_reason'
  | 'status_reason_keys'
  | 'desired'
  | 'team_id'
  | 'teepod_id'
  | 'kms_id'
  | 'instance_type'
  | 'os_image'
  | 'vcpu'
  | 'memory_mb'
  | 'disk_gb'
  | 'host_vm_id'
  | 'instance_id'
  | 'boot_progress'
  | 'boot_error'
  | 'created_by'
  | 'created_at'
  | 'updated_at'
  | 'started_at'
  | 'observed_at'
  | 'deleted_at'
> {
  /** `vm_uuid`, which identifies it in URLs. */
  id: string;
  app_id: string;
  app_name: string;
  team_slug: string;
  team_name: string;
  node_id: number;
  deleted_by: number | null;
  /** In micro-dollars, under the name used for sorting and filtering. */
  hourly_rate: number;
}

const fields = {
  id: 'uuid',
  public_id: 'text',
  name: 'text',
  status: 'text',
  status_reason: 'none',
  status_reason_keys: 'none',
  desired: 'text',
  team_id: 'integer',
  team_slug: 'text',
  team_name: 'none',
  app_id: 'text',
  app_name: 'text',
  teepod_id: 'integer',
  node_id: 'integer',
  kms_id: 'integer',
  instance_type: 'text',
  os_image: 'text',
  vcpu: 'integer',
  memory_mb: 'integer',
  disk_gb: 'integer',
  hourly_rate: 'money',
  host_vm_id: 'text',
  instance_id: 'text',
  boot_progress: 'text',
  boot_error: 'none',
  created_by: 'integer',
  created_at: 'time',
  updated_at: 'time',
  started_at: 'time',
  observed_at: 'time',
  deleted_at: 'time',
  deleted_by: 'integer',
} satisfies Record<keyof AdminCvm, AdminFieldKind>;

// Null if a schedule or a debt deleted it.
const deletedBy = sql`case when c.deleted_at is not null then (select o.requested_by from operations o
  where o.cvm_id = c.id and o.type = 'delete' order by o.id desc limit 1) end`;

// In the recycle bin, a CVM keeps the status to restore it to.
const own = sql`c.vm_uuid as id, c.public_id, c.name,
  case when c.deleted_at is null then c.status else 'deleted' end as status, c.desired, c.team_id, t.slug as team_slug,
  t.name as team_name, a.app_id,
  a.name as app_name, c.teepod_id, h.node_id, c.kms_id, c.instance_type, c.os_image, c.vcpu, c.memory_mb, c.disk_gb,
  c.hourly_rate_micros as hourly_rate, c.host_vm_id, c.instance_id, c.boot_progress, c.created_by, c.created_at,
  c.updated_at, c.started_at, c.observed_at, c.deleted_at, ${deletedBy} as deleted_by`;
const from = sql`cvms c
  join teams t on t.id = c.team_id
  join apps a on a.id = c.app_id
  join teepods h on h.id = c.teepod_id`;

// The same expression as the index (0018).
const words = sql`cvm_words(c.name, c.vm_uuid, c.public_id, c.host_vm_id, c.instance_id)`;

/** All teams' CVMs in every state, deleted ones included. */
export const adminCvms: AdminListSource<AdminCvmRow> = {
  fields,
  searched: [],
  select: sql<AdminCvmRow>`select ${own}, left(c.status_reason, 2000) as status_reason, c.status_reason_keys, left(c.boot_error, 2000) as boot_error
    from ${from}`,
  large: {
    keys: sql`select ${own}, ${words} as search from ${from}`,
    indexed: ['created_at', 'name'],
    thenBy: 'created_at',
    words: (text) => sql`select c.vm_uuid as id from cvms c where ${words} @@ event_words_query(${text})`,
  },
};
