import { sql } from 'kysely';
import type { Db } from '../../db/core/client';
import { isDatabaseUnavailable } from '../../db/core/unavailable';
import { AI_HOLD_HOURS } from '../../db/ai/aiCharges';
import { forgetE2eeNonces } from '../../db/ai/e2eeNonces';
import { STOPPED_DAYS, WATCH_DAYS } from '../../domain/public/watch';
import { announceEventExpiry, forgetEvents } from '../../db/activity/eventRetention';
import { evidenceHousekeeping } from '../../db/attestation/evidence';
import { forgetMetrics } from '../../db/metrics/metrics';

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
/** Runs of each statement per round: 100,000 rows a minute, more than a billion in 90 days. */
const BATCHES = 20;

/**
 * Deletes expired rows. Each statement is bounded, so a backlog never holds long locks, and is repeated while
 * it hits its limit. One that fails doesn't keep the others from their turn. @throws the first failure, at the end
 */
export async function housekeeping(db: Db, monitoring_bytes = MONITORING_BYTES): Promise<void> {
  const statements = [
    sql`delete from reservations where id in (select id from reservations where expires_at < now() limit 5000)`,
    sql`delete from provisions where id in (select id from provisions where committed_at is null and expires_at < now() limit 5000)`,
    // A hold is obsolete an hour after its operation, whose deadline is hours.
    sql`delete from balance_holds where operation_id in (select operation_id from balance_holds where created_at < now() - interval '7 days' limit 5000)`,
    sql`delete from idempotency_keys where ctid in (select ctid from idempotency_keys where created_at < now() - interval '24 hours' limit 5000)`,
    sql`delete from stripe_events where id in (
      select id from stripe_events where state <> 'pending' and received_at < now() - interval '30 days' limit 5000)`,
    sql`delete from sessions where id in (select id from sessions where expires_at < now() limit 5000)`,
    // Kept a day longer, for investigating "the link does not work".
    sql`delete from mail_links where id in (select id from mail_links where expires_at < now() - interval '1 day' limit 5000)`,
    sql`delete from email_changes where user_id in (select user_id from email_changes where expires_at < now() limit 5000)`,
    sql`delete from device_authorizations where id in (select id from device_authorizations where expires_at < now() - interval '1 day' limit 5000)`,
    sql`delete from monitoring_events where id in (select id from monitoring_events where received_at < now() - interval '30 days' limit 5000)`,
    sql`delete from monitoring_events where id < (select max(id) - 20000 from monitoring_events)`,
    // Anyone may send these, so their disk usage is bounded as well as their number.
    sql`delete from monitoring_events where id in (
      select id from (select id, sum(octet_length(envelope)) over (order by id desc) as bytes from monitoring_events) kept
      where bytes > ${monitoring_bytes} limit 5000)`,
    // Links in unsent mail have expired; who received which mail stays useful a little longer.
    sql`delete from outbox where id in (select id from outbox where state = 'kept' and created_at < now() - interval '7 days' limit 5000)`,
    sql`update outbox set sealed_content = null where id in (
      select id from outbox where state = 'failed' and sealed_content is not null and created_at < now() - interval '7 days' limit 5000)`,
    sql`delete from outbox where id in (
      select id from outbox where state in ('sent', 'failed') and created_at < now() - interval '30 days' limit 5000)`,
    sql`delete from rate_limits where key in (select key from rate_limits where expire < extract(epoch from now()) * 1000 limit 5000)`,
    sql`delete from guesses where key in (select key from guesses where window_ends_at < now() - interval '1 day' limit 5000)`,
    sql`delete from pending_sign_ins where id in (select id from pending_sign_ins where expires_at < now() limit 5000)`,
    sql`delete from passkey_challenges where challenge_hash in (select challenge_hash from passkey_challenges where expires_at < now() limit 5000)`,
    sql`delete from used_wallet_messages where message_hash in (select message_hash from used_wallet_messages where expires_at < now() limit 5000)`,
    sql`delete from totp_credentials where user_id in (
      select user_id from totp_credentials where confirmed_at is null and created_at < now() - interval '1 day' limit 5000)`,
    // A device last used a year ago counts as new again.
    sql`delete from sign_in_devices where ctid in (select ctid from sign_in_devices where last_seen_at < now() - interval '1 year' limit 5000)`,
    // Without a worker, events aren't processed. Older ones are no longer news.
    sql`delete from event_feed where id in (select id from event_feed where created_at < now() - interval '7 days' limit 5000)`,
    // Each has up to 10,000 rows, which are deleted with it.
    sql`delete from admin_bulk_jobs where id in (
      select id from admin_bulk_jobs where finished_at < now() - interval '90 days' order by finished_at limit 10)`,
    sql`delete from webhook_deliveries where id in (
      select id from webhook_deliveries where created_at < now() - interval '30 days' limit 5000)`,
    // A hanging receiver is tried one event at a time, so its backlog is bounded too.
    sql`delete from webhook_deliveries where id in (
      select d.id from webhooks w cross join lateral (
        select id from webhook_deliveries where webhook_id = w.id order by id desc offset 10000) d
      where w.last_leased_at > now() - interval '10 minutes' limit 5000)`,
    // Uncharged requests are kept until they are charged.
    sql`delete from ai_requests where id in (select id from ai_requests
      where created_at < now() - interval '90 days' and (is_posted or cost_picos = 0) limit 5000)`,
    sql`delete from ai_holds where request_id in (
      select request_id from ai_holds where created_at < now() - make_interval(hours => ${AI_HOLD_HOURS}) limit 5000)`,
    // Reports come within minutes of the end of a request, and a hold no longer counts by then.
    sql`delete from ai_consults where id in (
      select id from ai_consults where created_at < now() - interval '1 day' limit 5000)`,
    sql`delete from gpu_waits where id in (select id from gpu_waits
      where notified_at < now() - interval '7 days' or created_at < now() - interval '180 days' limit 5000)`,
    // A report that removed an app from the explorer stays for as long as the removal: reinstating the app uses
    // it.
    sql`delete from abuse_reports where id in (
      select id from abuse_reports where state in ('dismissed', 'reinstated') and decided_at < now() - interval '1 year' limit 5000)`,
    sql`delete from app_watches where id in (
      select id from app_watches where confirmed_at is null and asked_at < now() - make_interval(days => ${WATCH_DAYS}) limit 5000)`,
    sql`delete from stopped_watches where hash in (
      select hash from stopped_watches where stopped_at < now() - make_interval(days => ${STOPPED_DAYS}) limit 5000)`,
    // For apps that can no longer be restored, once their watchers were notified.
    sql`delete from app_watches where id in (
      select w.id from app_watches w join apps a on a.id = w.app_id
      where a.archived_at < now() - interval '2 days' and w.seen_revision_id is null and w.body is null limit 5000)`,
    // A budget's longest period is a month.
    sql`delete from ai_key_days where ctid in (
      select ctid from ai_key_days where day < (now() at time zone 'utc')::date - 62 limit 5000)`,
    sql`update ai_keys set previous_hash = null, previous_until = null where previous_until < now()`,
    sql`delete from notifications where id in (
      select id from notifications where updated_at < now() - interval '90 days' limit 5000)`,
    // Only for users notified recently: others have no new rows.
    sql`delete from notifications where id in (
      select o.id from (select distinct user_id from notifications where updated_at > now() - interval '10 minutes') p
      cross join lateral (
        select id from notifications where user_id = p.user_id order by position desc offset 500) o limit 5000)`,
    sql`update webhooks set sealed_previous_secret = null, previous_secret_until = null where previous_secret_until < now()`,
    // For deleted apps that can no longer be restored.
    sql`delete from secret_copies where ctid in (
      select c.ctid from secret_copies c join apps a on a.id = c.app_id where a.archived_at < now() - interval '2 days' limit 5000)`,
    sql`delete from compose_drafts where id in (select id from compose_drafts where expires_at < now() limit 5000)`,
    sql`delete from rollouts where id in (select id from rollouts where finished_at < now() - interval '1 year' limit 5000)`,
    ...evidenceHousekeeping,
    // Only recent events are requested; the GPU's current holder is in its own row.
    sql`delete from gpu_events where id in (select id from gpu_events where at < now() - interval '1 year' limit 5000)`,
    sql`delete from chat_codes where expires_at < now()`,
    // Those of an unresolved alert are still updated, and show which chats get the message about its end.
    sql`delete from chat_messages where id in (
      select m.id from chat_messages m where m.created_at < now() - interval '30 days'
        and not exists (select from alerts a where a.id = m.alert_id and a.resolved_at is null) limit 5000)`,
    // An undeliverable message must not wait forever.
    sql`delete from chat_messages where id in (
      select m.id from chat_messages m join chats c on c.id = m.chat_id
      where m.state = 'waiting' and (c.state = 'refused' or (m.message_ref is null and m.created_at < now() - interval '1 day')) limit 5000)`,
    sql`delete from alerts where id in (select id from alerts where resolved_at < now() - interval '90 days' limit 5000)`,
    sql`delete from schedule_runs where last_run_at < now() - interval '30 days'`,
    sql`delete from workers where seen_at < now() - interval '1 day'`,
  ];
  const repeated = statements.map((statement) => async () => {
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
    forgetEvents,
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
