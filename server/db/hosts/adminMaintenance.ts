import { sql } from 'kysely';
import type { AdminMaintenanceWindow } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { Tx } from '../core/client';
import type { MaintenanceWindowRow } from './maintenanceWindowsTable';

export type AdminMaintenanceRow = MaintenanceWindowRow & Pick<AdminMaintenanceWindow, 'state'>;

/** A window's state, computed from the clock alone. */
const MAINTENANCE_STATE = sql<AdminMaintenanceWindow['state']>`case
  when w.ended_at is not null or w.ends_at <= now() then 'over' when w.starts_at <= now() then 'active'
  when w.notified_at is not null then 'announced' else 'planned' end`;

export const adminMaintenance: AdminListSource<AdminMaintenanceRow> = {
  fields: {
    id: 'integer',
    node_id: 'integer',
    state: 'text',
    starts_at: 'time',
    ends_at: 'time',
    notice_hours: 'integer',
    reason: 'text',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminMaintenanceWindow, AdminFieldKind>,
  searched: ['reason'],
  select: sql<AdminMaintenanceRow>`select w.*, ${MAINTENANCE_STATE} as state from maintenance_windows w`,
};

/** `state` is the current one, for rules checked under the lock. */
export async function lockMaintenance(trx: Tx, id: number): Promise<AdminMaintenanceRow | undefined> {
  const { rows } = await sql<AdminMaintenanceRow>`
    select w.*, ${MAINTENANCE_STATE} as state from maintenance_windows w where w.id = ${id} for update`.execute(
    trx,
  );
  return rows[0];
}
