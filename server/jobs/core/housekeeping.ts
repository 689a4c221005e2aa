import { sql, type RawBuilder } from 'kysely';
import { RETENTION, type RetainedKind } from '../../../console/lib/activity/retention';
import type { Db } from '../../db/core/client';
import type { Database } from '../../db/core/schema';
import { isDatabaseUnavailable } from '../../db/core/unavailable';
import { AI_HOLD_HOURS } from '../../db/ai/aiCharges';
import { forgetE2eeNonces } from '../../db/ai/e2eeNonces';
import { STOPPED_DAYS, WATCH_DAYS } from '../../domain/public/watch';
import { announceEventExpiry, forgetEvents } from '../../db/activity/eventRetention';
import { evidenceHousekeeping } from '../../db/attestation/evidence';
import { forgetMetrics } from '../../db/metrics/metrics';
import { forgetExpired } from '../../db/platform/expiring';
import { announceExpiry } from '../../db/platform/retention';
import { forgetDeliveries } from '../../db/webhooks/deliveryRetention';

const MONITORING_BYTES = 256 * 1024 * 1024;

/** Arbitrary advisory lock key, held by the one process that runs housekeeping. */
const HOUSEKEEPING_LOCK = 7_310_214_931;

/** Runs housekeeping unless another process already does: two deleting the same rows could deadlock. */
export async function housekeepingTurn(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{
      mine: boolean;
    }>`select pg_try_advisory_xact_lock(${HOUSEKEEPING_LOCK}) as mine`.execute(trx);
    if (rows[0]?.mine !== true) return;
    // This transaction only holds the lock while a backlog is processed.
    await sql`select set_config('idle_in_transaction_session_timeout', '0', true)`.execute(trx);
    await housekeeping(db);
  });
}

/** Rows per statement. */
const BATCH_ROWS = 5_000;
const LIMIT = sql.lit(BATCH_ROWS);
/** Runs of each statement per round: 100,000 rows a minute, more than a billion in 90 days. */
const BATCHES = 20;

/** Deletes a batch of a table's expired rows. @param key a unique column, or `ctid` */
const deleteFrom = (
  // The rate limiter has queries of its own, so its table isn't in the schema.
  table: keyof Database | 'rate_limits',
  key: string,
  expired: RawBuilder<unknown>,
) =>
  sql`delete from ${sql.raw(table)} where ${sql.raw(key)} in (
    select ${sql.raw(key)} from ${sql.raw(table)} where ${expired} limit ${LIMIT})`;

/** Selects rows of a kind that are past its age. */
const expired = (kind: RetainedKind, at: string) =>
  sql`${sql.ref(at)} < now() - make_interval(days => ${sql.lit(RETENTION[kind].days)})`;

/** Returns the statements that delete expired rows, in their order. */
function statements(monitoring_bytes: number): RawBuilder<unknown>[] {
  return [
    deleteFrom('reservations', 'id', sql`expires_at < now()`),
    deleteFrom('provisions', 'id', sql`committed_at is null and expires_at < now()`),
    // A hold is obsolete an hour after its operation, whose deadline is hours.
    deleteFrom('balance_holds', 'operation_id', sql`created_at < now() - interval '7 days'`),
    deleteFrom('idempotency_keys', 'ctid', sql`created_at < now() - interval '24 hours'`),
    deleteFrom('stripe_events', 'id', sql`state <> 'pending' and received_at < now() - interval '30 days'`),
    deleteFrom('sessions', 'id', sql`expires_at < now()`),
    // Kept a day longer, for investigating "the link does not work".
    deleteFrom('mail_links', 'id', sql`expires_at < now() - interval '1 day'`),
    deleteFrom('email_changes', 'user_id', sql`expires_at < now()`),
    deleteFrom('device_authorizations', 'id', sql`expires_at < now() - interval '1 day'`),
    deleteFrom('monitoring_events', 'id', expired('error_reports', 'received_at')),
    sql`delete from monitoring_events where id < (
      select max(id) - ${sql.lit(RETENTION.error_reports.newest.count)} from monitoring_events)`,
    // Anyone may send these, so their disk usage is bounded as well as their number.
    sql`delete from monitoring_events where id in (
      select id from (select id, sum(octet_length(envelope)) over (order by id desc) as bytes from monitoring_events) kept
      where bytes > ${monitoring_bytes} limit ${LIMIT})`,
    // Links in unsent mail have expired; who received which mail stays useful a little longer.
    deleteFrom('outbox', 'id', sql`state = 'kept' and created_at < now() - interval '7 days'`),
    sql`update outbox set sealed_content = null where id in (
      select id from outbox where state = 'failed' and sealed_content is not null and created_at < now() - interval '7 days' limit ${LIMIT})`,
    deleteFrom('outbox', 'id', sql`state in ('sent', 'failed') and ${expired('mail', 'created_at')}`),
    deleteFrom('rate_limits', 'key', sql`expire < extract(epoch from now()) * 1000`),
    deleteFrom('guesses', 'key', sql`window_ends_at < now() - interval '1 day'`),
    deleteFrom('pending_sign_ins', 'id', sql`expires_at < now()`),
    deleteFrom('passkey_challenges', 'challenge_hash', sql`expires_at < now()`),
    deleteFrom('used_wallet_messages', 'message_hash', sql`expires_at < now()`),
    deleteFrom(
      'totp_credentials',
      'user_id',
      sql`confirmed_at is null and created_at < now() - interval '1 day'`,
    ),
    // A device last used a year ago counts as new again.
    deleteFrom('sign_in_devices', 'ctid', sql`last_seen_at < now() - interval '1 year'`),
    // Without a worker, events aren't processed. Older ones are no longer news.
    deleteFrom('event_feed', 'id', sql`created_at < now() - interval '7 days'`),
    deleteFrom('ai_holds', 'request_id', sql`created_at < now() - make_interval(hours => ${AI_HOLD_HOURS})`),
    // Reports come within minutes of the end of a request, and a hold no longer counts by then.
    deleteFrom('ai_consults', 'id', sql`created_at < now() - interval '1 day'`),
    deleteFrom(
      'gpu_waits',
      'id',
      sql`notified_at < now() - interval '7 days' or created_at < now() - interval '180 days'`,
    ),
    deleteFrom(
      'app_watches',
      'id',
      sql`confirmed_at is null and asked_at < now() - make_interval(days => ${WATCH_DAYS})`,
    ),
    deleteFrom('stopped_watches', 'hash', sql`stopped_at < now() - make_interval(days => ${STOPPED_DAYS})`),
    // For apps that can no longer be restored, once their watchers were notified.
    sql`delete from app_watches where id in (
      select w.id from app_watches w join apps a on a.id = w.app_id
      where a.archived_at < now() - interval '2 days' and w.seen_revision_id is null and w.body is null limit ${LIMIT})`,
    deleteFrom('ai_upstream_hours', 'ctid', expired('ai_checks', 'hour')),
    // A budget's longest period is a month.
    deleteFrom('ai_key_days', 'ctid', sql`day < (now() at time zone 'utc')::date - 62`),
    sql`update ai_keys set previous_hash = null, previous_until = null where previous_until < now()`,
    deleteFrom('notifications', 'id', expired('notifications', 'updated_at')),
    // Only for users notified recently: others have no new rows.
    sql`delete from notifications where id in (
      select o.id from (select distinct user_id from notifications where updated_at > now() - interval '10 minutes') p
      cross join lateral (
        select id from notifications where user_id = p.user_id order by position desc
        offset ${sql.lit(RETENTION.notifications.newest.count)}) o limit ${LIMIT})`,
    sql`update webhooks set sealed_previous_secret = null, previous_secret_until = null where previous_secret_until < now()`,
    // For deleted apps that can no longer be restored.
    sql`delete from secret_copies where ctid in (
      select c.ctid from secret_copies c join apps a on a.id = c.app_id where a.archived_at < now() - interval '2 days' limit ${LIMIT})`,
    deleteFrom('compose_drafts', 'id', sql`expires_at < now()`),
    ...evidenceHousekeeping,
    sql`delete from chat_codes where expires_at < now()`,
    // Those of an unresolved alert are still updated, and show which chats get the message about its end.
    sql`delete from chat_messages where id in (
      select m.id from chat_messages m where ${expired('chat_messages', 'm.created_at')}
        and not exists (select from alerts a where a.id = m.alert_id and a.resolved_at is null) limit ${LIMIT})`,
    // An undeliverable message must not wait forever.
    sql`delete from chat_messages where id in (
      select m.id from chat_messages m join chats c on c.id = m.chat_id
      where m.state = 'waiting' and (c.state = 'refused' or (m.message_ref is null and m.created_at < now() - interval '1 day')) limit ${LIMIT})`,
    sql`delete from schedule_runs where last_run_at < now() - interval '30 days'`,
    sql`delete from workers where seen_at < now() - interval '1 day'`,
  ];
}

/**
 * Deletes expired rows. Each statement is bounded, so a backlog never holds long locks, and is repeated while
 * it hits its limit. One that fails doesn't keep the others from their turn. @throws the first failure, at the end
 */
export async function housekeeping(db: Db, monitoring_bytes = MONITORING_BYTES): Promise<void> {
  const repeated = statements(monitoring_bytes).map((statement) => async () => {
    for (let batch = 0; batch < BATCHES; batch++) {
      const { numAffectedRows = 0n } = await statement.execute(db);
      if (numAffectedRows < BATCH_ROWS) break;
    }
  });
  const steps: ((db: Db) => Promise<unknown>)[] = [
    ...repeated,
    forgetE2eeNonces,
    forgetMetrics,
    announceEventExpiry,
    announceExpiry,
    forgetExpired,
    forgetEvents,
    forgetDeliveries,
  ];
  const failures: unknown[] = [];
  for (const step of steps)
    try {
      await step(db);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}
