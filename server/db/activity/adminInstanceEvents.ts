import { sql } from 'kysely';
import type { AdminInstanceEvent } from '../../../generated/api/types.gen';
import { APP_FAULTS } from '../../domain/activity/appFaults';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';

export interface AdminInstanceEventRow {
  id: number;
  created_at: Date;
  kind: string;
  severity: 'info' | 'warning' | 'error';
  message: string;
  team_id: number;
  team_slug: string;
  app_id: string | null;
  cvm_id: string | null;
  cvm_name: string | null;
  correlation_id: string | null;
  request_id: string | null;
  operation_type: string | null;
  is_step: boolean;
  is_app_fault: boolean;
  actor_id: number | null;
  actor: string | null;
  data: Record<string, unknown> | null;
}

const fields = {
  id: 'integer',
  created_at: 'time',
  kind: 'text',
  severity: 'text',
  message: 'none',
  team_id: 'integer',
  team_slug: 'text',
  app_id: 'text',
  cvm_id: 'uuid',
  cvm_name: 'text',
  correlation_id: 'uuid',
  request_id: 'text',
  operation_type: 'none',
  is_step: 'boolean',
  is_app_fault: 'boolean',
  actor_id: 'integer',
  actor: 'text',
  data: 'none',
} satisfies Record<keyof AdminInstanceEvent, AdminFieldKind>;

/**
 * Folded as in console/lib/activity/foldEvents: steps, and the request once the operation has an event that
 * ended it. Never null, so that the planner can estimate its negation.
 */
const isStep = sql`(e.operation_id is not null
  and (e.kind like 'host.%' or e.kind like 'boot.%' or e.kind in ('cvm.recycled', 'cvm.restored')
    or e.kind like '%.requested' and o.finished_at is not null))`;
/** Never null, for the same reason. */
const isAppFault = sql`coalesce(e.severity = 'error' and o.state = 'failed'
  and o.error_keys->0->>'id' in (${sql.join(APP_FAULTS.map((id) => sql.lit(id)))}), false)`;
const own = sql`e.id, e.created_at, e.kind, e.severity, e.team_id, e.actor_id, t.slug as team_slug, a.app_id,
  c.vm_uuid as cvm_id, c.name as cvm_name, o.correlation_id, e.request_id, u.username as actor,
  ${isStep} as is_step, ${isAppFault} as is_app_fault`;
const from = sql`events e
  join teams t on t.id = e.team_id
  left join apps a on a.id = e.app_id
  left join cvms c on c.id = e.cvm_id
  left join operations o on o.id = e.operation_id
  left join users u on u.id = e.actor_id`;

/** The events of all teams' apps and CVMs, as their pages show them. */
export const adminInstanceEvents: AdminListSource<AdminInstanceEventRow> = {
  fields,
  searched: [],
  select: sql<AdminInstanceEventRow>`select ${own}, e.message, o.type as operation_type, null::jsonb as data from ${from}`,
  large: {
    keys: sql`select ${own}, e.search from ${from}`,
    indexed: ['created_at', 'id', 'kind'],
    thenBy: 'created_at',
    onlyIndexed: true,
    words: (text) => sql`select id from events where search @@ event_words_query(${text})`,
  },
};

export const adminInstanceEvent = {
  select: sql<AdminInstanceEventRow>`select ${own}, e.message, o.type as operation_type, e.data from ${from}`,
};
