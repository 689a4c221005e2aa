import { sql } from 'kysely';
import type { AdminQueue, AdminQueueJob, AdminSchedule, AdminWorker } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import { hostShard } from '../hosts/hostShards';
import { queueFigures, type QueueRow } from './queueFigures';
import type { Json } from '../core/json';
import { LIVE_OPERATION } from '../../../console/lib/cvms/allowedActions';
import { STEPS, type StepName } from '../../../console/lib/cvms/steps';
import { LIVE_ROLLOUT } from '../../../console/lib/apps/allowedActions';
import { KIND_NAMES } from '../../../console/lib/texts/notificationKinds';
import { isIn } from '../core/states';
import { SILENT_AFTER } from './workersTable';

/** Queues, their contents, schedules and processes, as listed in the admin area. */

export const adminQueues: AdminListSource<QueueRow> = {
  fields: {
    id: 'text',
    name: 'text',
    about: 'text',
    state: 'text',
    waiting: 'integer',
    running: 'integer',
    failed: 'integer',
    oldest_due_at: 'time',
    done_last_hour: 'integer',
    failed_last_hour: 'integer',
  } satisfies Record<keyof AdminQueue, AdminFieldKind>,
  searched: ['name', 'about'],
  select: queueFigures,
};

type Moments = 'created_at' | 'due_at' | 'lease_until' | 'finished_at';
export type QueueJobRow = Omit<AdminQueueJob, Moments | 'payload'> & {
  created_at: Date;
  due_at: Date | null;
  lease_until: Date | null;
  finished_at: Date | null;
  payload: Json;
};

const WEEK = sql`now() - interval '7 days'`;

/** Recipients are private: show just enough to tell two apart. */
const masked = sql`regexp_replace(o."to", '^(.).*@', '\\1•••@')`;

/** The display name of the kind of notification `n`, as in the settings. */
const kindName = sql`case n.kind ${sql.join(
  Object.entries(KIND_NAMES).map(([kind, name]) => sql`when ${sql.lit(kind)} then ${sql.lit(name)}`),
  sql` `,
)} else n.kind end`;

const began = (name: StepName) => sql`o.steps @> ${JSON.stringify([{ name }])}::jsonb`;

/** Whether operation `o` can be canceled: the rule of `cancelling`, whose reasons a list doesn't show. */
const CAN_CANCEL = sql<boolean>`(${isIn('o.state', LIVE_OPERATION)} and o.cancel_requested_at is null
  and not o.payload ? 'rollout_id' and o.type not in ('delete', 'move', 'purge') and case
    when o.state = 'queued' or o.type = 'deploy' then true
    when o.type = 'update' then not (${began(STEPS.size)} or ${began(STEPS.go_back)})
    when o.type = 'resize' then not ${began(STEPS.size)}
    when o.type = 'start' then o.payload #>> '{previous,status}' is distinct from 'running'
    else false end)`;

/** The part of each job omitted from lists. */
const payloads = (whole: boolean, payload: ReturnType<typeof sql>) => (whole ? payload : sql`null::jsonb`);

const jobs = (whole: boolean) => sql<QueueJobRow>`
  select 'operation-' || o.id as id, 'operations' as queue_id, o.type || ' of ' || c.name as name,
    case when o.state = 'failed' then 'failed' when o.lease_until >= now() then 'running' else 'waiting' end as state,
    o.attempts, t.id as team_id, t.slug as workspace, o.created_at, case when o.finished_at is null then o.created_at end as due_at,
    o.lease_owner as worker_id, o.lease_until, o.finished_at,
    coalesce(o.error_code || ': ', '') || o.error_message as last_error,
    o.state <> 'failed' and (o.lease_until is null or o.lease_until < now()) as can_retry,
    ${CAN_CANCEL} as can_cancel,
    ${payloads(whole, sql`o.payload || jsonb_build_object('cvm', c.vm_uuid, 'correlation_id', o.correlation_id, 'steps', o.steps, 'deadline_at', o.deadline_at)`)} as payload
  from operations o join cvms c on c.id = o.cvm_id join teams t on t.id = o.team_id
  where ${isIn('o.state', LIVE_OPERATION)} or (o.state = 'failed' and o.finished_at > ${WEEK})
  union all
  select 'mail-' || o.id, 'mail', o.template || ' to ' || ${masked},
    case o.state when 'sending' then 'running' when 'failed' then 'failed' else 'waiting' end,
    o.attempts, t.id, t.slug, o.created_at, o.next_attempt_at, o.lease_owner, o.lease_until, null, o.last_error,
    o.state in ('queued', 'failed') and o.sealed_content is not null, o.state = 'queued',
    ${payloads(whole, sql`jsonb_build_object('template', o.template, 'to', ${masked}, 'content', case when o.sealed_content is not null then '•••' end)`)}
  from outbox o left join teams t on t.id = o.team_id
  where o.state in ('queued', 'sending') or (o.state = 'failed' and o.created_at > ${WEEK})
  union all
  select 'delivery-' || d.id, 'webhooks', d.event || ' to ' || coalesce(w.name, substring(w.url from '^[a-z]+://(?:[^@/]*@)?([^/?#]+)')),
    case when d.state = 'failed' then 'failed' when w.lease_until >= now() and d.next_attempt_at <= now() then 'running' else 'waiting' end,
    d.tries, t.id, t.slug, d.created_at, d.next_attempt_at, w.lease_owner, w.lease_until, d.finished_at,
    d.attempts -> -1 ->> 'message', w.enabled or d.test, d.state = 'pending',
    ${payloads(whole, sql`jsonb_build_object('event_id', d.event_id, 'body', d.body::jsonb, 'attempts', d.attempts)`)}
  from webhook_deliveries d join webhooks w on w.id = d.webhook_id join teams t on t.id = w.team_id
  where d.state = 'pending' or (d.state = 'failed' and d.finished_at > ${WEEK})
  union all
  select 'rollout-' || r.id, 'rollouts', 'rollout of ' || a.name,
    case when r.state = 'failed' then 'failed' when r.lease_until >= now() then 'running' else 'waiting' end,
    0, t.id, t.slug, r.created_at, case when r.finished_at is null then r.created_at end, r.lease_owner, r.lease_until, r.finished_at,
    coalesce(r.error_code || ': ', '') || r.error_message, false, false,
    ${payloads(whole, sql`r.payload || jsonb_build_object('rollout_id', r.public_id, 'state', r.state, 'reason', r.reason)`)}
  from rollouts r join apps a on a.id = r.app_id join teams t on t.id = r.team_id
  where ${isIn('r.state', LIVE_ROLLOUT)} or (r.state = 'failed' and r.finished_at > ${WEEK})
  union all
  select 'domain-' || d.id, 'domains', 'check of ' || d.domain,
    case when d.lease_until >= now() then 'running' when d.unanswered > 0 then 'failed' else 'waiting' end,
    d.failures, t.id, t.slug, d.created_at, d.next_check_at, d.lease_owner, d.lease_until, d.checked_at,
    case when d.unanswered > 0 then 'DNS gave no answer' end, true, false,
    ${payloads(whole, sql`jsonb_build_object('domain', d.domain, 'state', d.state, 'port', d.port)`)}
  from domains d join teams t on t.id = d.team_id
  where d.next_check_at <= now() + interval '1 minute' or d.unanswered > 0 or d.lease_until >= now()
  union all
  select 'notification-' || n.id, 'notifications', 'mail: ' || ${kindName}, 'waiting', 0, t.id, t.slug, n.created_at, n.mail_due_at,
    null, null, null, null, n.mail_due_at > now(), true,
    ${payloads(whole, sql`jsonb_build_object('kind', n.kind, 'title', n.title, 'count', n.count)`)}
  from notifications n join teams t on t.id = n.team_id where n.mail_due_at is not null
  union all
  select 'chat-' || m.id, 'chat', m.part || ' to ' || c.title,
    case m.state when 'sending' then 'running' when 'failed' then 'failed' else 'waiting' end,
    m.attempts, null, null, m.created_at, m.next_attempt_at, m.lease_owner, m.lease_until, null, m.last_error,
    m.state in ('waiting', 'failed') and c.state = 'linked', m.state = 'waiting',
    ${payloads(whole, sql`jsonb_build_object('chat', c.title, 'part', m.part, 'alert', m.alert_id)`)}
  from chat_messages m join chats c on c.id = m.chat_id
  where m.state in ('waiting', 'sending') or (m.state = 'failed' and m.created_at > ${WEEK})
  union all
  select 'bulk-' || b.id, 'bulk_jobs', b.action || ' of ' || b.total || ' ' || b.resource,
    case when b.state in ('queued', 'running') then case when b.lease_until >= now() then 'running' else 'waiting' end else 'failed' end,
    0, null, null, b.created_at, case when b.finished_at is null then b.created_at end, b.lease_owner, b.lease_until, b.finished_at,
    case when b.failed > 0 then b.failed || ' rows failed' end, false, b.state in ('queued', 'running') and b.cancel_requested_at is null,
    ${payloads(whole, sql`jsonb_build_object('resource', b.resource, 'action', b.action, 'total', b.total, 'succeeded', b.succeeded, 'failed', b.failed, 'body', b.body)`)}
  from admin_bulk_jobs b where b.state in ('queued', 'running') or (b.failed > 0 and b.finished_at > ${WEEK})`;

export const adminQueueJobs: AdminListSource<QueueJobRow> = {
  fields: {
    id: 'text',
    queue_id: 'text',
    name: 'text',
    state: 'text',
    attempts: 'integer',
    team_id: 'integer',
    workspace: 'text',
    created_at: 'time',
    due_at: 'time',
    worker_id: 'text',
    lease_until: 'time',
    finished_at: 'time',
    last_error: 'text',
    can_retry: 'boolean',
    can_cancel: 'boolean',
    payload: 'none',
  } satisfies Record<keyof AdminQueueJob, AdminFieldKind>,
  searched: ['name', 'last_error', 'workspace'],
  select: jobs(false),
};

export const adminQueueJob = { select: jobs(true) };

export type ScheduleRow = Omit<
  AdminSchedule,
  'last_run_at' | 'next_run_at' | 'last_failed_at' | 'last_cut_at'
> & {
  last_run_at: Date | null;
  next_run_at: Date | null;
  last_failed_at: Date | null;
  last_cut_at: Date | null;
};

export const adminSchedules: AdminListSource<ScheduleRow> = {
  fields: {
    id: 'text',
    name: 'text',
    every_seconds: 'integer',
    last_run_at: 'time',
    next_run_at: 'time',
    duration_ms: 'integer',
    runs: 'integer',
    failures: 'integer',
    last_failed_at: 'time',
    worker_id: 'text',
    last_error: 'text',
    cut_short: 'integer',
    last_cut_at: 'time',
    left_over: 'integer',
  } satisfies Record<keyof AdminSchedule, AdminFieldKind>,
  searched: ['name', 'last_error'],
  select: sql<ScheduleRow>`select * from schedule_runs`,
};

export type WorkerRow = Omit<AdminWorker, 'started_at' | 'seen_at'> & { started_at: Date; seen_at: Date };

export const adminWorkers: AdminListSource<WorkerRow> = {
  fields: {
    id: 'text',
    hostname: 'text',
    pid: 'integer',
    role: 'text',
    version: 'text',
    state: 'text',
    holds: 'integer',
    teepods: 'integer',
    shards: 'integer',
    started_at: 'time',
    seen_at: 'time',
  } satisfies Record<keyof AdminWorker, AdminFieldKind>,
  searched: ['id', 'hostname', 'version'],
  select: sql<WorkerRow>`
    select w.id, w.hostname, w.pid, w.role, w.version, w.started_at, w.seen_at,
      case when w.seen_at < now() - ${SILENT_AFTER} then 'silent' else 'alive' end as state,
      (select count(*)::int from operations o where ${isIn('o.state', LIVE_OPERATION)} and o.lease_owner = w.id)
        + (select count(*)::int from outbox o where o.state = 'sending' and o.lease_owner = w.id)
        + (select count(*)::int from webhooks h where h.lease_owner = w.id and h.lease_until >= now()) as holds,
      coalesce(own.teepods, 0) as teepods, coalesce(own.shards, 0) as shards
    from workers w
    left join (
      select s.lease_owner, count(distinct s.shard)::int as shards, count(t.id)::int as teepods
      from host_shards s left join teepods t on ${hostShard('t.id')} = s.shard and t.state <> 'offline'
      where s.lease_until >= now() group by s.lease_owner
    ) own on own.lease_owner = w.id`,
};
