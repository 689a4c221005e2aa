import { sql } from 'kysely';
import type { Db } from '../db/client';
import { forgetEvents } from '../db/eventRetention';
import { evidenceHousekeeping } from '../db/evidence';
import { forgetMetrics } from '../db/metrics';

const MONITORING_BYTES = 256 * 1024 * 1024;

/** Deletes what has served its time. Each statement is bounded, so that a backlog never holds long locks. */
export async function housekeeping(db: Db, monitoring_bytes = MONITORING_BYTES): Promise<void> {
  const statements = [
    sql`delete from reservations where id in (select id from reservations where expires_at < now() limit 5000)`,
    sql`delete from provisions where id in (select id from provisions where committed_at is null and expires_at < now() limit 5000)`,
    sql`delete from idempotency_keys where ctid in (select ctid from idempotency_keys where created_at < now() - interval '24 hours' limit 5000)`,
    sql`delete from sessions where id in (select id from sessions where expires_at < now() limit 5000)`,
    // Kept a day longer, so that who looks into "the link does not work" finds it.
    sql`delete from mail_links where id in (select id from mail_links where expires_at < now() - interval '1 day' limit 5000)`,
    sql`delete from email_changes where user_id in (select user_id from email_changes where expires_at < now() limit 5000)`,
    sql`delete from device_authorizations where id in (select id from device_authorizations where expires_at < now() - interval '1 day' limit 5000)`,
    sql`delete from monitoring_events where id in (select id from monitoring_events where received_at < now() - interval '30 days' limit 5000)`,
    sql`delete from monitoring_events where id < (select max(id) - 20000 from monitoring_events)`,
    // Anybody may send these, so what they take on the disk is bounded too, not only how many there are.
    sql`delete from monitoring_events where id in (
      select id from (select id, sum(octet_length(envelope)) over (order by id desc) as bytes from monitoring_events) kept
      where bytes > ${monitoring_bytes} limit 5000)`,
    // Links in mail that was never sent have expired; who got which mail is of use a little longer.
    sql`delete from outbox where id in (select id from outbox where state = 'kept' and created_at < now() - interval '7 days' limit 5000)`,
    sql`update outbox set sealed_content = null where id in (
      select id from outbox where state = 'failed' and sealed_content is not null and created_at < now() - interval '7 days' limit 5000)`,
    sql`delete from outbox where id in (
      select id from outbox where state in ('sent', 'failed') and created_at < now() - interval '30 days' limit 5000)`,
    sql`delete from rate_limits where key in (select key from rate_limits where expire < extract(epoch from now()) * 1000 limit 5000)`,
    sql`delete from guesses where key in (select key from guesses where window_ends_at < now() - interval '1 day' limit 5000)`,
    sql`delete from pending_sign_ins where id in (select id from pending_sign_ins where expires_at < now() limit 5000)`,
    sql`delete from passkey_challenges where challenge_hash in (select challenge_hash from passkey_challenges where expires_at < now() limit 5000)`,
    sql`delete from totp_credentials where user_id in (
      select user_id from totp_credentials where confirmed_at is null and created_at < now() - interval '1 day' limit 5000)`,
    // Where somebody signed in a year ago is news when they do it again.
    sql`delete from sign_in_devices where ctid in (select ctid from sign_in_devices where last_seen_at < now() - interval '1 year' limit 5000)`,
    // Nobody tells events where no worker runs; what is older than this is no news any more.
    sql`delete from event_feed where id in (select id from event_feed where created_at < now() - interval '7 days' limit 5000)`,
    // Each has up to 10,000 rows, which go with it.
    sql`delete from admin_bulk_jobs where id in (
      select id from admin_bulk_jobs where finished_at < now() - interval '90 days' order by finished_at limit 10)`,
    sql`delete from webhook_deliveries where id in (
      select id from webhook_deliveries where created_at < now() - interval '30 days' limit 5000)`,
    // A receiver that hangs is waited for one event at a time, so what waits for it is bounded too.
    sql`delete from webhook_deliveries where id in (
      select d.id from webhooks w cross join lateral (
        select id from webhook_deliveries where webhook_id = w.id order by id desc offset 10000) d
      where w.last_leased_at > now() - interval '10 minutes' limit 5000)`,
    sql`delete from notifications where id in (
      select id from notifications where updated_at < now() - interval '90 days' limit 5000)`,
    // Only of those who were told something lately: of the others there is no more than there was.
    sql`delete from notifications where id in (
      select o.id from (select distinct user_id from notifications where updated_at > now() - interval '10 minutes') p
      cross join lateral (
        select id from notifications where user_id = p.user_id order by position desc offset 500) o limit 5000)`,
    sql`update webhooks set sealed_previous_secret = null, previous_secret_until = null where previous_secret_until < now()`,
    // Of an app that is gone, when nothing of it can be restored any more.
    sql`delete from secret_copies where ctid in (
      select c.ctid from secret_copies c join apps a on a.id = c.app_id where a.archived_at < now() - interval '2 days' limit 5000)`,
    sql`delete from compose_drafts where id in (select id from compose_drafts where expires_at < now() limit 5000)`,
    sql`delete from rollouts where id in (select id from rollouts where finished_at < now() - interval '1 year' limit 5000)`,
    ...evidenceHousekeeping,
    // What happened lately is asked for; who has a GPU now stands in its own row.
    sql`delete from gpu_events where id in (select id from gpu_events where at < now() - interval '1 year' limit 5000)`,
    sql`delete from chat_codes where expires_at < now()`,
    sql`delete from chat_messages where id in (select id from chat_messages where created_at < now() - interval '30 days' limit 5000)`,
    // One that nobody reads any more must not wait for ever.
    sql`delete from chat_messages where id in (
      select m.id from chat_messages m join chats c on c.id = m.chat_id
      where m.state = 'waiting' and (c.state = 'refused' or (m.message_ref is null and m.created_at < now() - interval '1 day')) limit 5000)`,
    sql`delete from alerts where id in (select id from alerts where resolved_at < now() - interval '90 days' limit 5000)`,
    sql`delete from schedule_runs where last_run_at < now() - interval '30 days'`,
    sql`delete from workers where seen_at < now() - interval '1 day'`,
  ];
  for (const statement of statements) await statement.execute(db);
  await forgetMetrics(db);
  await forgetEvents(db);
}
