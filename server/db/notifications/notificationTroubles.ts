import { sql } from 'kysely';
import { KINDS, SILENT_HOST } from '../../domain/notifications/notify';
import type { TeamEvent } from '../activity/eventFeed';
import type { Tx } from '../core/client';
import { resolveNotices } from './notifications';

/** Report a host after this much silence; a shorter one is a restart or a network hiccup. */
const SILENT_SECONDS = 120;
/** A host that responds for this long is back. */
const BACK_SECONDS = 30;

/** Arbitrary; identifies the one process that checks tokens. */
const TOKENS_LOCK = 7_310_214_912;

interface HostRow {
  id: number;
  name: string;
  team_id: number;
  cvms: number;
}

const asEvents = (rows: readonly HostRow[], back: boolean): TeamEvent[] =>
  rows.map(({ id, name, team_id, cvms }) => {
    const what = cvms === 1 ? '1 of the team’s CVMs is affected' : `${cvms} of the team’s CVMs are affected`;
    const affected = cvms === 0 ? '' : `; ${what}`;
    return {
      team_id,
      kind: back ? 'host.recovered' : 'host.unreachable',
      severity: back ? 'info' : 'error',
      message: back
        ? `The host ${name} is responding again${affected}`
        : `The host ${name} isn’t responding${affected}`,
      data: { teepod: name, teepod_id: id, cvms },
    };
  });

/** Hosts per transaction: each may have CVMs of a thousand teams. */
const MAX_HOSTS = 20;

const teamsOn = (hosts: readonly number[]) => sql<HostRow>`
  select p.id, p.name, c.team_id, count(*) as cvms
  from teepods p join cvms c on c.teepod_id = p.id and c.deleted_at is null and c.desired = 'running'
  where p.id = any(${hosts}::bigint[]) group by p.id, p.name, c.team_id order by p.id, c.team_id`;

/**
 * The same, and teams that were notified of the silence: their CVMs may have been stopped, moved or deleted since, and
 * nothing else would end the notices.
 */
const notifiedTeamsOn = (hosts: readonly number[]) => sql<HostRow>`
  select p.id, p.name, t.team_id, (
    select count(*) from cvms c
    where c.teepod_id = p.id and c.team_id = t.team_id and c.deleted_at is null and c.desired = 'running') as cvms
  from teepods p cross join lateral (
    select team_id from cvms where teepod_id = p.id and deleted_at is null and desired = 'running'
    union
    select team_id from notifications
    where kind = 'host_trouble' and subject = ${SILENT_HOST}::text || p.id and resolved_at is null
  ) t
  where p.id = any(${hosts}::bigint[]) order by p.id, t.team_id`;

/**
 * Ends the notices about a silent host that an administrator took out of service or removed: it isn't asked anymore, so
 * its response can't end them. Teams that got mail about the silence get mail about this.
 */
export async function endSilence(
  trx: Tx,
  { id, name }: Pick<HostRow, 'id' | 'name'>,
  what: 'taken out of service' | 'removed',
): Promise<void> {
  const subject = `${SILENT_HOST}${id}`;
  const { rows: told } = await sql<{ team_id: number; now: Date }>`
    select team_id, now() as now from notifications
    where kind = 'host_trouble' and subject = ${subject} and resolved_at is null group by team_id`.execute(
    trx,
  );
  const [first] = told;
  if (!first) return;
  await resolveNotices(
    trx,
    told.map(({ team_id }) => ({
      kind: 'host_trouble',
      subject,
      message: `The host ${name} was ${what}`,
      team_id,
    })),
    first.now,
  );
}

/**
 * Returns events for teams with CVMs on a host that went silent or came back, once each. `more`: further hosts have,
 * too. Ends the notices about hosts that were taken out of service.
 */
export async function hostTroubles(trx: Tx): Promise<{ events: TeamEvent[]; more: boolean }> {
  await sql`
    insert into host_troubles (teepod_id) select id from teepods where not reachable and state <> 'offline'
    on conflict do nothing`.execute(trx);
  const { rows: ended } = await sql<{ id: number; name: string; told_at: Date | null; is_offline: boolean }>`
    delete from host_troubles t using teepods p where p.id = t.teepod_id and t.teepod_id = any(array(
      select h.teepod_id from host_troubles h join teepods p on p.id = h.teepod_id
      where p.state = 'offline'
        or p.reachable and (h.told_at is null or p.reachable_since < now() - make_interval(secs => ${BACK_SECONDS}))
      order by h.teepod_id limit ${MAX_HOSTS} for update of h skip locked))
    returning p.id, p.name, t.told_at, p.state = 'offline' as is_offline`.execute(trx);
  const known = ended.filter(({ told_at }) => told_at !== null);
  for (const host of known.filter(({ is_offline }) => is_offline))
    await endSilence(trx, host, 'taken out of service');
  const back = known.filter(({ is_offline }) => !is_offline).map(({ id }) => id);
  const { rows: told } = await sql<{ teepod_id: number }>`
    update host_troubles set told_at = now() where teepod_id = any(array(
      select teepod_id from host_troubles
      where told_at is null and since < now() - make_interval(secs => ${SILENT_SECONDS})
      order by teepod_id limit ${MAX_HOSTS} for update skip locked))
    returning teepod_id`.execute(trx);
  const silent = told.map(({ teepod_id }) => teepod_id);
  return {
    events: [
      ...asEvents((await notifiedTeamsOn(back).execute(trx)).rows, true),
      ...asEvents((await teamsOn(silent).execute(trx)).rows, false),
    ],
    more: ended.length === MAX_HOSTS || told.length === MAX_HOSTS,
  };
}

export interface ExpiringToken {
  id: number;
  public_id: string;
  name: string;
  user_id: number;
  team_id: number;
  expires_at: Date;
  days: number;
}

/**
 * Returns tokens that expire within a week, and within a day, once each. A token whose whole lifetime is no
 * longer than that isn't reported. Tokens whose owners `recipientsOf` would leave out aren't returned: they get no
 * notice, so they would be returned each time and could leave no room for others.
 */
export async function expiringTokens(trx: Tx, limit: number): Promise<ExpiringToken[]> {
  // Serialized: the second process sees what the first has reported.
  await sql`select pg_advisory_xact_lock(${TOKENS_LOCK})`.execute(trx);
  const { rows } = await sql<ExpiringToken>`
    select k.id, k.public_id, k.name, k.user_id, k.team_id, k.expires_at, d.days
    from api_tokens k
    join memberships m on m.team_id = k.team_id and m.user_id = k.user_id
      and m.role = any(${[...KINDS.token_expiring.roles]}::text[])
    join users u on u.id = k.user_id and u.state = 'active'
    join teams t on t.id = k.team_id and (not t.require_second_factor or u.second_factor_at is not null)
    left join notification_preferences p on p.user_id = k.user_id and p.team_id = k.team_id and p.kind = 'token_expiring'
    cross join (values (7), (1)) as d(days)
    where (coalesce(p.console, true) or coalesce(p.mail, true) and u.email_verified_at is not null)
      and k.revoked_at is null and k.expires_at > now() and k.expires_at <= now() + make_interval(days => d.days)
      and k.created_at <= k.expires_at - make_interval(days => d.days)
      -- Within the last day there is nothing more to say of the week.
      and (d.days = 1 or k.expires_at > now() + interval '1 day')
      and not exists (
        select 1 from notifications n where n.user_id = k.user_id and n.team_id = k.team_id
          and n.kind = 'token_expiring' and n.subject = 'token:' || k.public_id || ':' || d.days)
    order by k.expires_at limit ${limit}`.execute(trx);
  return rows;
}

/** Ends notices of tokens that were revoked, expired or reached their last day. */
export async function endTokenNotices(trx: Tx, at: Date): Promise<void> {
  await sql`
    update notifications n set resolved_at = ${at}, position = nextval('notification_positions')
    where n.kind = 'token_expiring' and n.resolved_at is null and not exists (
      select 1 from api_tokens k where k.team_id = n.team_id and k.user_id = n.user_id and k.revoked_at is null
        and (n.subject = 'token:' || k.public_id || ':1' and k.expires_at > ${at}
          or n.subject = 'token:' || k.public_id || ':7' and k.expires_at > ${at}::timestamptz + interval '1 day')
    )`.execute(trx);
}
