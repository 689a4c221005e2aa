import { sql, type RawBuilder } from 'kysely';
import { operationLeases } from '../activity/operations';
import { rolloutLeases } from '../apps/rollouts';
import { auditDestinationLeases } from '../audit/auditDestinations';
import { prepared, type Db } from '../core/client';
import { drainLeases } from '../hosts/drains';
import { domainLeases } from '../network/domains';
import { mailLeases } from '../notifications/outbox';
import { bulkLeases } from './adminBulkJobs';
import { botLeases, messageLeases } from './chat';

const exists = (rows: RawBuilder<unknown>) => sql<boolean>`exists (${rows})`;

/**
 * Work that workers look for every two seconds or sooner. Each condition covers everything that its sweep would
 * do, including rows held by a dead worker, and may cover more.
 */
const CONDITIONS = {
  operations: operationLeases.waiting,
  rollouts: rolloutLeases.waiting,
  drains: drainLeases.waiting,
  bulk_jobs: bulkLeases.waiting,
  events: exists(sql`select from event_feed`),
  webhook_deliveries: exists(
    sql`select from webhook_deliveries where state = 'pending' and next_attempt_at <= now()`,
  ),
  // Any webhook may be leased, so the deliveries determine whether there is work.
  webhooks: exists(sql`select from webhooks where lease_owner is not null`),
  audit_destinations: auditDestinationLeases.waiting,
  mail: mailLeases.waiting,
  chat_bots: botLeases.waiting,
  chat_messages: messageLeases.waiting,
  scheduled_stops: exists(sql`select from cvms where scheduled_stop_at is not null and deleted_at is null`),
  scheduled_deletions: exists(
    sql`select from cvms where scheduled_delete_at is not null and deleted_at is null`,
  ),
  recycled_cvms: exists(sql`select from cvms where purge_at is not null`),
  domains: domainLeases.waiting,
} satisfies Record<string, RawBuilder<boolean>>;

export type DueWork = Record<keyof typeof CONDITIONS, boolean>;

// Prepared: planning this many conditions costs several times their execution, and every worker runs it several
// times per second.
const QUERY = sql<DueWork>`${prepared} select ${sql.join(
  Object.entries(CONDITIONS).map(([kind, condition]) => sql`${condition} as ${sql.ref(kind)}`),
)}`;

/** Returns what workers may have to do now, in one query. */
export async function dueWork(db: Db): Promise<DueWork> {
  const { rows } = await QUERY.execute(db);
  return rows[0]!;
}
