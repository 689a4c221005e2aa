import { sql, type RawBuilder } from 'kysely';
import { RETENTION, type PlatformKind, type TeamKind } from '../../../console/lib/activity/retention';
import type { Db } from '../core/client';

// Data deleted for its age, once that was announced (retention.ts).

/** The times (`at`) of the oldest data of team `t`. Each finds its first row by an index. */
export const OLDEST_OF_TEAM: Readonly<Record<TeamKind, RawBuilder<unknown>>> = {
  events: sql`(select created_at as at from events where team_id = t.id order by id limit 1)`,
  webhook_deliveries: sql`
    select d.created_at as at from webhooks w cross join lateral (
      select created_at from webhook_deliveries where webhook_id = w.id order by id limit 1) d
    where w.team_id = t.id`,
  rollouts: sql`
    select r.finished_at as at from apps a cross join lateral (
      select finished_at from rollouts where app_id = a.id and finished_at is not null order by id limit 1) r
    where a.team_id = t.id`,
  ai_requests: sql`(select created_at as at from ai_requests where team_id = t.id order by id limit 1)`,
};

const DECIDED = sql`state in ('dismissed', 'reinstated')`;

/** The time (`at`) of the oldest data of the platform. */
export const OLDEST_OF_PLATFORM: Readonly<Record<PlatformKind, RawBuilder<unknown>>> = {
  alerts: sql`select min(resolved_at) as at from alerts where resolved_at is not null`,
  bulk_jobs: sql`select min(finished_at) as at from admin_bulk_jobs`,
  gpu_events: sql`select min(at) as at from gpu_events`,
  abuse_reports: sql`select min(decided_at) as at from abuse_reports where ${DECIDED}`,
};

/** Rows per statement, and runs of each statement per round, as in housekeeping. */
const BATCH_ROWS = 5_000;
const BATCHES = 20;

/** Selects rows past their age. */
const expired = (kind: TeamKind | PlatformKind, at: string) =>
  sql`${sql.ref(at)} < now() - make_interval(days => ${sql.lit(RETENTION[kind].days)})`;

/** Selects rows whose deletion was announced to their team. */
export const announcedToTeam = (
  kind: TeamKind,
  team: string,
  at: string,
  now: RawBuilder<unknown> = sql`now()`,
) => sql`exists (
  select from retention_notices n where n.kind = ${sql.lit(kind)} and n.team_id = ${sql.ref(team)}
    and n.starts_at <= ${now} and ${sql.ref(at)} < n.covers_until)`;

/** Selects rows whose deletion was announced to administrators: as one value, which an index can use. */
const announcedToPlatform = (kind: PlatformKind, at: string) => sql`${sql.ref(at)} < (
  select n.covers_until from retention_notices n
  where n.kind = ${sql.lit(kind)} and n.team_id is null and n.starts_at <= now())`;

const byAge = (kind: PlatformKind, table: string, at: string, limit = BATCH_ROWS) => sql`
  delete from ${sql.table(table)} where id in (
    select id from ${sql.table(table)} where ${expired(kind, at)} and ${announcedToPlatform(kind, at)}
    order by ${sql.ref(at)} limit ${sql.lit(limit)})`;

/** Events are deleted by forgetEvents, and in partitions. */
const DELETIONS: Readonly<Record<Exclude<TeamKind | PlatformKind, 'events'>, RawBuilder<unknown>>> = {
  webhook_deliveries: sql`
    delete from webhook_deliveries where id in (
      select r.id from webhook_deliveries r join webhooks w on w.id = r.webhook_id
      where ${expired('webhook_deliveries', 'r.created_at')} and ${announcedToTeam('webhook_deliveries', 'w.team_id', 'r.created_at')}
      limit ${sql.lit(BATCH_ROWS)})`,
  rollouts: sql`
    delete from rollouts where id in (
      select r.id from rollouts r
      where ${expired('rollouts', 'r.finished_at')} and ${announcedToTeam('rollouts', 'r.team_id', 'r.finished_at')}
      limit ${sql.lit(BATCH_ROWS)})`,
  // Uncharged requests are kept until they are charged.
  ai_requests: sql`
    delete from ai_requests where id in (
      select r.id from ai_requests r
      where ${expired('ai_requests', 'r.created_at')} and (r.is_posted or r.cost_picos = 0)
        and ${announcedToTeam('ai_requests', 'r.team_id', 'r.created_at')}
      limit ${sql.lit(BATCH_ROWS)})`,
  alerts: byAge('alerts', 'alerts', 'resolved_at'),
  // Each has up to 10,000 rows, which are deleted with it.
  bulk_jobs: byAge('bulk_jobs', 'admin_bulk_jobs', 'finished_at', 10),
  // Only recent events are requested; the GPU's current holder is in its own row.
  gpu_events: byAge('gpu_events', 'gpu_events', 'at'),
  // A report that removed an app from the explorer stays for as long as the removal: reinstating the app uses it.
  abuse_reports: sql`
    delete from abuse_reports where id in (
      select id from abuse_reports
      where ${DECIDED} and ${expired('abuse_reports', 'decided_at')} and ${announcedToPlatform('abuse_reports', 'decided_at')}
      limit ${sql.lit(BATCH_ROWS)})`,
};

/**
 * Deletes data that is past its age, two weeks after that was announced. The backlog isn't read while nobody was
 * notified of it, as after an upgrade.
 */
export async function forgetExpired(db: Db): Promise<void> {
  const { rows } = await sql<{ kind: string }>`
    select kind from retention_notices where starts_at <= now() group by kind`.execute(db);
  const open = new Set(rows.map(({ kind }) => kind));
  for (const [kind, statement] of Object.entries(DELETIONS)) {
    if (!open.has(kind)) continue;
    for (let batch = 0; batch < BATCHES; batch++) {
      const { numAffectedRows = 0n } = await statement.execute(db);
      if (numAffectedRows < BATCH_ROWS) break;
    }
  }
}
