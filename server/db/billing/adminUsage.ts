import { sql } from 'kysely';
import type { AdminUsage } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';

export interface AdminUsageRow {
  /** `vm_uuid` */
  id: string;
  cvm_id: number;
  name: string;
  user_id: number | null;
  team_id: number;
  app_id: string;
  created_at: Date;
  deleted_at: Date | null;
}

/**
 * CVMs that existed during the current month (UTC). Usage is computed from the record of states for the
 * page's rows only, so it can't be sorted.
 */
export const adminUsage: AdminListSource<AdminUsageRow> = {
  fields: {
    id: 'uuid',
    name: 'text',
    user_id: 'integer',
    team_id: 'integer',
    app_id: 'text',
    running_hours: 'none',
    disk_hours: 'none',
    amount: 'none',
    created_at: 'time',
    deleted_at: 'time',
  } satisfies Record<keyof AdminUsage, AdminFieldKind>,
  searched: ['name'],
  select: sql<AdminUsageRow>`select c.vm_uuid as id, c.id as cvm_id, c.name, c.created_by as user_id, c.team_id, a.app_id,
      c.created_at, c.deleted_at
    from cvms c join apps a on a.id = c.app_id
    where c.status <> 'deleted' or c.deleted_at > date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'`,
};
