import { sql, type RawBuilder } from 'kysely';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { TeamRole } from '../../domain/core/caller';
import {
  COOL_DOWN_SECONDS,
  GATHER_SECONDS,
  KINDS,
  usualPreference,
  type Notice,
  type NotificationKind,
} from '../../domain/notifications/notify';
import { publicId } from '../../domain/core/publicId';
import type { Tx } from '../core/client';

/** Notifying users: open problems, and resolved ones. */

export interface Recipient {
  user_id: number;
  console: boolean;
  mail: boolean;
}

const MAX_RECIPIENTS = 5_000;

/**
 * Returns the recipients of a kind in a team: active members the kind concerns, by their settings; excludes
 * those the team locks out for lack of a second factor. Mail goes only to confirmed addresses.
 */
export async function recipientsOf(
  trx: Tx,
  team_id: number,
  kind: NotificationKind,
  user_id: number | null = null,
): Promise<Recipient[]> {
  const { rows } = await sql<{
    user_id: number;
    role: TeamRole;
    confirmed: boolean;
    console: boolean | null;
    mail: boolean | null;
  }>`
    select m.user_id, m.role, u.email_verified_at is not null as confirmed, p.console, p.mail
    from memberships m
    join users u on u.id = m.user_id and u.state = 'active'
    join teams t on t.id = m.team_id and t.deleted_at is null
    left join notification_preferences p on p.user_id = m.user_id and p.team_id = m.team_id and p.kind = ${kind}
    where m.team_id = ${team_id} and (not t.require_second_factor or u.second_factor_at is not null)
      and (${user_id}::bigint is null or m.user_id = ${user_id})
    order by m.user_id limit ${MAX_RECIPIENTS}`.execute(trx);
  return rows.flatMap((row) => {
    const usual = usualPreference(kind, row.role);
    if (!usual) return [];
    const shown = row.console ?? usual.console;
    const mail = (row.mail ?? usual.mail) && row.confirmed;
    return shown || mail ? [{ user_id: row.user_id, console: shown, mail }] : [];
  });
}

export interface ToldOf {
  team_id: number;
  cvm_id: number | null;
  at: Date;
}

const later = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1000);

/** When new mail of the kind is due for the user: with the mail already collected, otherwise in five minutes. */
const gathered = (user_id: RawBuilder<unknown>, kind: RawBuilder<unknown> | NotificationKind, at: Date) => {
  const last = later(at, GATHER_SECONDS);
  return sql`coalesce((select min(x.mail_due_at) from notifications x
    where x.user_id = ${user_id} and x.kind = ${kind} and x.mail_due_at between ${at} and ${last}), ${last})`;
};

/**
 * Reports a problem. One that is still open, or was resolved less than an hour ago, is the same problem: it
 * is counted and marked unread again; mail is sent again only after the cooldown or when it got worse.
 * @returns the users notified
 */
export async function openNotices(
  trx: Tx,
  notice: Extract<Notice, { state: 'open' }>,
  { team_id, cvm_id, at }: ToldOf,
  recipients: readonly Recipient[],
): Promise<void> {
  if (recipients.length === 0) return;
  const { kind, subject, severity } = notice;
  const title = cutWhole(notice.title, 200);
  const message = cutWhole(notice.message, 1000);
  const all = recipients.map(({ user_id }) => user_id);
  const shown = recipients.filter((one) => one.console).map(({ user_id }) => user_id);
  const mailed = recipients.filter(({ mail }) => mail).map(({ user_id }) => user_id);
  const due = gathered(sql`n.user_id`, kind, at);
  const again = sql`greatest(${due}, n.mailed_at + make_interval(secs => ${COOL_DOWN_SECONDS}))`;
  const { rows: known } = await sql<{ user_id: number }>`
    update notifications n set resolved_at = null, read_at = null, count = n.count + 1, updated_at = ${at},
      position = nextval('notification_positions'), severity = ${severity}, title = ${title}, message = ${message},
      -- By the settings of today, which may have changed since the last time.
      hidden = n.user_id <> all(${shown}::bigint[]),
      mail_due_at = case
        when n.user_id <> all(${mailed}::bigint[]) then null
        when n.mailed_at is null then coalesce(n.mail_due_at, ${due})
        when n.severity <> 'error' and ${severity} = 'error' then coalesce(n.mail_due_at, ${due})
        -- They know that it is so; that it was over for a moment was not mailed yet, and need not be.
        when n.resolved_at is not null and n.mailed_state = 'open' and ${KINDS[kind].notifiesRecovery} then null
        else coalesce(n.mail_due_at, ${again}) end
    where n.id in (
        select distinct on (user_id) id from notifications
        where team_id = ${team_id} and kind = ${kind} and subject = ${subject} and user_id = any(${all}::bigint[])
        order by user_id, id desc)
      and (n.resolved_at is null or n.resolved_at > ${later(at, -COOL_DOWN_SECONDS)})
    returning n.user_id`.execute(trx);
  const told = new Set(known.map(({ user_id }) => user_id));
  const fresh = recipients.filter(({ user_id }) => !told.has(user_id));
  if (fresh.length === 0) return;
  await sql`
    insert into notifications (public_id, team_id, user_id, kind, subject, severity, title, message, cvm_id, hidden,
      created_at, updated_at, mail_due_at)
    select r.public_id, ${team_id}, r.user_id, ${kind}, ${subject}, ${severity}, ${title}, ${message}, ${cvm_id}::bigint,
      not r.console, ${at}, ${at}, case when r.mail then ${gathered(sql`r.user_id`, kind, at)} end
    from unnest(${fresh.map(() => publicId('ntf'))}::text[], ${fresh.map(({ user_id }) => user_id)}::bigint[],
      ${fresh.map((one) => one.console)}::boolean[], ${fresh.map(({ mail }) => mail)}::boolean[])
      as r(public_id, user_id, console, mail)`.execute(trx);
}

/** A problem of a team that is over. */
export interface EndedNotice extends Omit<Extract<Notice, { state: 'over' }>, 'state'> {
  team_id: number;
}

/**
 * Resolves problems in this order; their titles and messages then say how they ended, if that is known. Users who got mail
 * about one get another when its kind reports recovery; an email still pending covers both. One statement for all: a busy
 * server ends many operations a second.
 */
export async function resolveNotices(trx: Tx, over: readonly EndedNotice[], at: Date): Promise<void> {
  // The first of several about a problem resolves it.
  const first = new Map<string, EndedNotice>();
  for (const one of over) {
    const about = JSON.stringify([one.team_id, one.kind, one.subject]);
    if (!first.has(about)) first.set(about, one);
  }
  const all = [...first.values()];
  if (all.length === 0) return;
  const notifies = all.map(({ kind, message }) => message !== null && KINDS[kind].notifiesRecovery);
  await sql`
    with ended as materialized (
      select f.*, nextval('notification_positions') as position
      from (
        select n.id, o.title, o.message, o.notifies
        from unnest(${all.map(({ team_id }) => team_id)}::bigint[], ${all.map(({ kind }) => kind)}::text[],
          ${all.map(({ subject }) => subject)}::text[], ${all.map(({ title }) => title ?? null)}::text[],
          ${all.map(({ message }) => message)}::text[], ${notifies}::boolean[])
          with ordinality as o(team_id, kind, subject, title, message, notifies, nth)
        join notifications n on n.team_id = o.team_id and n.kind = o.kind and n.subject = o.subject
        where n.resolved_at is null order by o.nth
      ) f
    )
    update notifications n set resolved_at = ${at}, position = ended.position,
      title = coalesce(ended.title, n.title), message = coalesce(ended.message, n.message),
      mail_due_at = case
        when n.mailed_state = 'open' and ended.notifies then ${gathered(sql`n.user_id`, sql`n.kind`, at)}
        else n.mail_due_at end
    from ended where n.id = ended.id and n.resolved_at is null`.execute(trx);
}
