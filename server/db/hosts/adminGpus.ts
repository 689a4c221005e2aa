import { sql, type Selectable } from 'kysely';
import type { AdminGpu, AdminGpuEvent } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminSource';
import type { GpuEventsTable } from './gpuEventsTable';
import type { GpuRow } from './gpusTable';

export interface AdminGpuRow extends GpuRow {
  name: string;
  state: AdminGpu['state'];
  team_id: number | null;
  reserved: boolean;
  attached: boolean;
  cvm_id: string | null;
  held_until: Date | null;
}

/** The state of GPU `g` for a select with `GPU_HOLDERS`. */
export const GPU_STATE = sql`case when g.fault is not null then 'faulty' when r.cvm_id is not null then 'attached'
  when r.id is not null or t.id is not null then 'reserved' else 'free' end`;

/** The reservation and the team that hold GPU `g`. */
export const GPU_HOLDERS = sql`
  left join reservations r on r.id = g.reservation_id and (r.expires_at is null or r.expires_at > now())
  left join teams t on t.id = g.reserved_team_id and t.deleted_at is null`;

export const adminGpus: AdminListSource<AdminGpuRow> = {
  fields: {
    id: 'integer',
    name: 'text',
    teepod_id: 'integer',
    slot: 'text',
    product_id: 'text',
    description: 'text',
    state: 'text',
    team_id: 'integer',
    reserved: 'boolean',
    attached: 'boolean',
    cvm_id: 'uuid',
    held_until: 'time',
    fault: 'text',
    reported: 'boolean',
    used_elsewhere: 'boolean',
    last_seen_at: 'time',
    notes: 'text',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminGpu, AdminFieldKind>,
  searched: ['name', 'slot', 'product_id', 'description', 'notes', 'fault'],
  // An expired provision holds nothing, though its reservation may still exist.
  select: sql<AdminGpuRow>`
    select g.*, p.name || ' ' || g.slot as name,
           ${GPU_STATE} as state,
           coalesce(r.team_id, t.id) as team_id, t.id is not null as reserved, r.cvm_id is not null as attached,
           c.vm_uuid as cvm_id, r.expires_at as held_until
    from gpus g
    join teepods p on p.id = g.teepod_id
    ${GPU_HOLDERS}
    left join cvms c on c.id = r.cvm_id`,
};

export interface AdminGpuEventRow extends Omit<Selectable<GpuEventsTable>, 'cvm_id'> {
  cvm_id: string | null;
}

export const adminGpuEvents: AdminListSource<AdminGpuEventRow> = {
  fields: {
    id: 'integer',
    at: 'time',
    gpu_id: 'integer',
    kind: 'text',
    team_id: 'integer',
    cvm_id: 'uuid',
    note: 'text',
    user_id: 'integer',
  } satisfies Record<keyof AdminGpuEvent, AdminFieldKind>,
  searched: ['note'],
  select: sql<AdminGpuEventRow>`
    select e.id, e.at, e.gpu_id, e.kind, e.team_id, c.vm_uuid as cvm_id, e.note, e.user_id
    from gpu_events e left join cvms c on c.id = e.cvm_id`,
};
