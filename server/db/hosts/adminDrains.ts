import { sql } from 'kysely';
import type { AdminDrain, AdminDrainCvm } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { Tx } from '../core/client';
import type { DrainCvmRow } from './drainCvmsTable';
import type { DrainRow } from './drainsTable';
import type { DrainFigures } from '../../../console/lib/hosts/drainFigures';
import { GOING_DRAIN_CVM } from '../../../console/lib/hosts/allowedActions';
import { isIn } from '../core/states';
import { stoppedBefore, stoppedByIt } from './drains';

export type AdminDrainRow = Omit<DrainRow, 'requested_by'> &
  Pick<AdminDrain, 'title' | 'requested_by'> &
  DrainFigures;

export const adminDrains: AdminListSource<AdminDrainRow> = {
  fields: {
    id: 'integer',
    title: 'text',
    teepod_id: 'integer',
    state: 'text',
    movable: 'text',
    others: 'text',
    stop_at: 'time',
    reason: 'text',
    message: 'text',
    message_keys: 'none',
    total_cvms: 'integer',
    waiting_cvms: 'integer',
    moved_cvms: 'integer',
    stopped_cvms: 'integer',
    already_stopped_cvms: 'integer',
    blocked_cvms: 'integer',
    cancelled_cvms: 'integer',
    requested_by: 'text',
    created_at: 'time',
    updated_at: 'time',
    finished_at: 'time',
  } satisfies Record<keyof AdminDrain, AdminFieldKind>,
  searched: ['title', 'reason', 'message', 'requested_by'],
  select: sql<AdminDrainRow>`
    select d.id, 'Drain of ' || p.name as title, d.teepod_id, d.state, d.movable, d.others, d.stop_at, d.reason, d.message, d.message_keys, d.created_at, d.updated_at,
      d.finished_at, u.username as requested_by, coalesce(i.total, 0) as total_cvms, coalesce(i.waiting, 0) as waiting_cvms,
      coalesce(i.moved, 0) as moved_cvms, coalesce(i.stopped, 0) as stopped_cvms, coalesce(i.already, 0) as already_stopped_cvms, coalesce(i.blocked, 0) as blocked_cvms,
      coalesce(i.cancelled, 0) as cancelled_cvms
    from drains d join teepods p on p.id = d.teepod_id left join users u on u.id = d.requested_by
    left join lateral (
      select count(*)::int as total, count(*) filter (where ${isIn('state', GOING_DRAIN_CVM)})::int as waiting,
        count(*) filter (where state = 'moved')::int as moved, count(*) filter (where ${stoppedByIt})::int as stopped,
        count(*) filter (where ${stoppedBefore})::int as already,
        count(*) filter (where state = 'blocked')::int as blocked,
        count(*) filter (where state = 'cancelled')::int as cancelled
      from drain_cvms where drain_id = d.id) i on true`,
};

export type AdminDrainCvmRow = Omit<DrainCvmRow, 'cvm_id' | 'operation_id' | 'to_teepod_id' | 'look_at'> &
  Pick<AdminDrainCvm, 'name' | 'vm_uuid' | 'cvm_id' | 'app_id' | 'team_id' | 'team_slug' | 'to_teepod'> & {
    stop_at: Date | null;
  };

export const adminDrainCvms: AdminListSource<AdminDrainCvmRow> = {
  fields: {
    id: 'integer',
    drain_id: 'integer',
    name: 'text',
    vm_uuid: 'text',
    cvm_id: 'text',
    app_id: 'text',
    team_id: 'integer',
    team_slug: 'text',
    action: 'text',
    state: 'text',
    stop_at: 'time',
    message: 'text',
    message_keys: 'none',
    to_teepod: 'text',
    notified_at: 'time',
    created_at: 'time',
    updated_at: 'time',
    finished_at: 'time',
  } satisfies Record<keyof AdminDrainCvm, AdminFieldKind>,
  searched: ['name', 'vm_uuid', 'team_slug', 'message', 'to_teepod'],
  select: sql<AdminDrainCvmRow>`
    select i.id, i.drain_id, i.action, i.state, i.message, i.message_keys, i.notified_at, i.created_at, i.updated_at, i.finished_at,
      c.name, c.vm_uuid::text as vm_uuid, c.vm_uuid::text as cvm_id, a.app_id, c.team_id, m.slug as team_slug,
      t.name as to_teepod,
      case when i.action = 'stop' and i.state = 'waiting' then d.stop_at end as stop_at
    from drain_cvms i join drains d on d.id = i.drain_id join cvms c on c.id = i.cvm_id join apps a on a.id = c.app_id join teams m on m.id = c.team_id
    left join teepods t on t.id = i.to_teepod_id`,
};

/** Locks the drain regardless of its lease. */
export const lockAnyDrain = (trx: Tx, id: number) =>
  trx.selectFrom('drains').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
