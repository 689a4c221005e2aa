import { sql, type RawBuilder } from 'kysely';
import { problemCodes } from '../../../generated/api/permissions.gen';
import type { AdminQueue } from '../../../generated/api/types.gen';
import type { Db } from '../core/client';
import { LIVE_OPERATION } from '../../../console/lib/cvms/allowedActions';
import { LIVE_ROLLOUT } from '../../../console/lib/apps/allowedActions';
import { APP_FAULTS } from '../../domain/activity/appFaults';
import { CANCELED } from '../../domain/platform/queueTexts';
import { isIn } from '../core/states';

/** This installation's queues and their state. */

export interface QueueRow extends Omit<AdminQueue, 'oldest_due_at'> {
  oldest_due_at: Date | null;
}

/** An item due for this long is late: no worker takes it, or more arrives than is processed. */
const LATE_SECONDS = 300;

interface Queue {
  id: string;
  name: string;
  about: string;
  /** A select of `due_at` (null: not now) of waiting items. */
  waiting: RawBuilder<unknown>;
  /** Selects of one row per item. */
  running: RawBuilder<unknown>;
  failed: RawBuilder<unknown>;
  done_hour: RawBuilder<unknown>;
  failed_hour: RawBuilder<unknown>;
  /** The part of `failed_hour` that makes the queue failing, if not all: a team's own errors don't count. */
  faults_hour?: RawBuilder<unknown>;
}

const WEEK = sql`now() - interval '7 days'`;
const HOUR = sql`now() - interval '1 hour'`;
const none = sql`select null::timestamptz as due_at where false`;

/** Leaves out what an administrator canceled. */
const notCanceled = sql`last_error is distinct from ${sql.lit(CANCELED)}`;

const FAILED_OPERATIONS = sql`select 1 from operations where state = 'failed' and finished_at > ${HOUR}`;

const QUEUES: readonly Queue[] = [
  {
    id: 'operations',
    name: 'Operations',
    about: 'CVM operations: deploy, start, stop, update.',
    waiting: sql`select created_at as due_at from operations where ${isIn('state', LIVE_OPERATION)}
      and (lease_owner is null or lease_until < now())`,
    running: sql`select 1 from operations where ${isIn('state', LIVE_OPERATION)} and lease_until >= now()`,
    failed: sql`select 1 from operations where state = 'failed' and finished_at > ${WEEK}`,
    done_hour: sql`select 1 from operations where finished_at > ${HOUR}`,
    failed_hour: FAILED_OPERATIONS,
    faults_hour: sql`${FAILED_OPERATIONS} and coalesce(error_keys->0->>'id', '') not in (${sql.join(APP_FAULTS.map((id) => sql.lit(id)))})`,
  },
  {
    id: 'mail',
    name: 'Mail',
    about: 'Outgoing mail, if a mail server is configured.',
    waiting: sql`select next_attempt_at as due_at from outbox where state = 'queued'`,
    running: sql`select 1 from outbox where state = 'sending'`,
    failed: sql`select 1 from outbox where state = 'failed' and created_at > ${WEEK}`,
    done_hour: sql`select 1 from outbox where sent_at > ${HOUR}`,
    failed_hour: sql`select 1 from outbox where state = 'failed' and created_at > ${HOUR}`,
    faults_hour: sql`select 1 from outbox where state = 'failed' and created_at > ${HOUR} and ${notCanceled}`,
  },
  {
    id: 'webhooks',
    name: 'Webhook deliveries',
    about: 'Events being delivered to team webhooks.',
    // A receiver gets one request at a time, so a slow one makes its own deliveries wait. They are due to a worker since
    // the last of them.
    waiting: sql`select greatest(d.next_attempt_at, w.last_leased_at) as due_at
      from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where d.state = 'pending' and (w.enabled or d.test)`,
    running: sql`select 1 from webhooks where lease_until >= now()`,
    failed: sql`select 1 from webhook_deliveries where state = 'failed' and finished_at > ${WEEK}`,
    done_hour: sql`select 1 from webhook_deliveries where state = 'delivered' and finished_at > ${HOUR}`,
    failed_hour: sql`select 1 from webhook_deliveries where state = 'failed' and finished_at > ${HOUR}`,
    // The team runs the receiver.
    faults_hour: none,
  },
  {
    id: 'events',
    name: 'Event fan-out',
    about: 'Events waiting to be sent to webhooks and notifications.',
    waiting: sql`select created_at as due_at from event_feed`,
    running: none,
    failed: none,
    done_hour: sql`select 1 from notifications where updated_at > ${HOUR}`,
    failed_hour: none,
  },
  {
    id: 'notifications',
    name: 'Notification mail',
    about: "Notifications collected for each user's next email.",
    waiting: sql`select mail_due_at as due_at from notifications where mail_due_at is not null`,
    running: none,
    failed: none,
    done_hour: sql`select 1 from notifications where mailed_at > ${HOUR}`,
    failed_hour: none,
  },
  {
    id: 'rollouts',
    name: 'Rollouts',
    about: "Updates of all of an app's CVMs, one at a time.",
    waiting: sql`select created_at as due_at from rollouts where ${isIn('state', LIVE_ROLLOUT)}
      and (lease_owner is null or lease_until < now() - interval '1 minute')`,
    running: sql`select 1 from rollouts where ${isIn('state', LIVE_ROLLOUT)} and lease_until >= now() - interval '1 minute'`,
    failed: sql`select 1 from rollouts where state = 'failed' and finished_at > ${WEEK}`,
    done_hour: sql`select 1 from rollouts where finished_at > ${HOUR}`,
    failed_hour: sql`select 1 from rollouts where state = 'failed' and finished_at > ${HOUR}`,
    // The failed update is an operation, and counts there.
    faults_hour: none,
  },
  {
    id: 'domains',
    name: 'Domain checks',
    about: 'Checks that custom domains still route to their apps.',
    waiting: sql`select next_check_at as due_at from domains where lease_until is null or lease_until < now()`,
    running: sql`select 1 from domains where lease_until >= now()`,
    failed: sql`select 1 from domains where unanswered > 0`,
    done_hour: sql`select 1 from domains where checked_at > ${HOUR}`,
    failed_hour: none,
  },
  {
    id: 'bulk_jobs',
    name: 'Bulk jobs',
    about: 'Bulk changes made in the admin area.',
    waiting: sql`select created_at as due_at from admin_bulk_jobs where state in ('queued', 'running')
      and (lease_until is null or lease_until < now())`,
    running: sql`select 1 from admin_bulk_jobs where state in ('queued', 'running') and lease_until >= now()`,
    failed: sql`select 1 from admin_bulk_jobs where failed > 0 and finished_at > ${WEEK}`,
    done_hour: sql`select 1 from admin_bulk_jobs where finished_at > ${HOUR}`,
    failed_hour: sql`select 1 from admin_bulk_jobs where failed > 0 and finished_at > ${HOUR}`,
    // A record that refuses the change isn't a fault.
    faults_hour: sql`select 1 from admin_bulk_jobs j join admin_bulk_job_rows r on r.job_id = j.id
      where j.failed > 0 and j.finished_at > ${HOUR} and r.code = ${sql.lit(problemCodes.INTERNAL)}`,
  },
  {
    id: 'chat',
    name: 'Chat messages',
    about: 'Alerts and replies of the chat bot.',
    waiting: sql`select m.next_attempt_at as due_at from chat_messages m join chats c on c.id = m.chat_id
      join chat_bots b on b.service = c.service where m.state = 'waiting'`,
    running: sql`select 1 from chat_messages where state = 'sending'`,
    failed: sql`select 1 from chat_messages where state = 'failed' and created_at > ${WEEK}`,
    done_hour: sql`select 1 from chat_messages where sent_at > ${HOUR}`,
    failed_hour: sql`select 1 from chat_messages where state = 'failed' and created_at > ${HOUR}`,
    faults_hour: sql`select 1 from chat_messages where state = 'failed' and created_at > ${HOUR} and ${notCanceled}`,
  },
];

/** Counting stops here: the figure is for display. */
const MAX_COUNTED = 100_000;

const figure = (rows: RawBuilder<unknown>) =>
  sql`(select count(*)::int from (${rows} limit ${sql.lit(MAX_COUNTED)}) n)`;

const one = ({
  id,
  name,
  about,
  waiting,
  running,
  failed,
  done_hour,
  failed_hour,
  faults_hour = failed_hour,
}: Queue) => sql`
  select ${sql.lit(id)}::text as id, ${sql.lit(name)}::text as name, ${sql.lit(about)}::text as about,
    ${figure(waiting)} as waiting, ${figure(running)} as running, ${figure(failed)} as failed,
    (select min(due_at) from (${waiting}) w where due_at <= now()) as oldest_due_at,
    ${figure(done_hour)} as done_last_hour, ${figure(failed_hour)} as failed_last_hour,
    exists (${faults_hour}) as is_failing`;

export const queueFigures = sql<QueueRow>`
  select q.id, q.name, q.about,
    case when q.oldest_due_at < now() - make_interval(secs => ${sql.lit(LATE_SECONDS)}) then 'late'
      when q.is_failing then 'failing' when q.running > 0 then 'working'
      when q.waiting > 0 then 'waiting' else 'idle' end as state,
    q.waiting, q.running, q.failed, q.oldest_due_at, q.done_last_hour, q.failed_last_hour
  from (${sql.join(QUEUES.map(one), sql` union all `)}) q`;

export async function lateQueues(
  db: Db,
): Promise<{ id: string; name: string; waiting: number; minutes: number }[]> {
  const { rows } = await sql<{ id: string; name: string; waiting: number; minutes: number }>`
    select id, name, waiting, floor(extract(epoch from now() - oldest_due_at) / 60)::int as minutes
    from (${queueFigures}) q where state = 'late' order by id`.execute(db);
  return rows;
}
