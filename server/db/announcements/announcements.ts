import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../core/client';
import type { AnnouncementRow, AnnouncementState } from './announcementsTable';

/** Announcements as users see them. */

/** `a.state`, computed from the clock. */
export const stateOf = sql<AnnouncementState>`announcement_state(a.published_at, a.starts_at, a.ends_at, a.ended_at)`;

/** Whether announcement `a` targets team `t`: the single rule for visibility. */
const meansTeam = sql<boolean>`case a.audience
  when 'workspaces' then exists (
    select 1 from announcement_workspaces w where w.announcement_id = a.id and w.team_id = t.id)
  when 'teepod' then exists (
    select 1 from cvms c where c.team_id = t.id and c.teepod_id = a.teepod_id and c.deleted_at is null)
  when 'node' then exists (
    select 1 from teepods p join cvms c on c.teepod_id = p.id and c.team_id = t.id and c.deleted_at is null
    where p.node_id = a.node_id)
  when 'kms' then exists (
    select 1 from cvms c where c.team_id = t.id and c.kms_id = a.kms_id and c.deleted_at is null)
  when 'os_image' then exists (
    select 1 from os_images i join cvms c on c.os_image = i.name and c.team_id = t.id and c.deleted_at is null
    where i.id = a.os_image_id)
  else false end`;

/** The teams through which announcement `a` reaches user `u`. */
const teamsOf = sql`memberships m join teams t on t.id = m.team_id and t.deleted_at is null
  where m.user_id = u.id and ${meansTeam}`;

/** Whether announcement `a` reaches user `u`; `team_id`: only through that team. */
const reaches = (team_id: number | null) => sql<boolean>`u.state = 'active' and (a.audience = 'everybody'
  or exists (select 1 from ${teamsOf} and (${team_id}::bigint is null or t.id = ${team_id})))`;

const dismissed = sql<boolean>`exists (
  select 1 from announcement_dismissals d where d.announcement_id = a.id and d.user_id = u.id)`;

/** Shown at a time; more would cover the page. */
const MAX_SHOWN = 20;

export type ShownAnnouncement = Pick<
  AnnouncementRow,
  'public_id' | 'title' | 'text' | 'severity' | 'dismissible' | 'link'
> & { since: Date };

/** A user, and the only team they act for if their session is bound to one. */
export interface AnnouncementReader {
  user_id: number;
  team_id: number | null;
}

/** Returns live, undismissed announcements for this user, most severe first, then newest. */
export const announcementsFor = (
  db: Db,
  { user_id, team_id }: AnnouncementReader,
): Promise<ShownAnnouncement[]> =>
  shown(
    db,
    sql`join users u on u.id = ${user_id}`,
    sql`${reaches(team_id)} and not (a.dismissible and ${dismissed})`,
  );

/** Returns announcements for signed-out visitors: those not about a team, host or service. */
export const announcementsForAll = (db: Db): Promise<ShownAnnouncement[]> =>
  shown(db, sql``, sql`a.audience = 'everybody'`);

async function shown(
  db: Db,
  join: RawBuilder<unknown>,
  meant: RawBuilder<unknown>,
): Promise<ShownAnnouncement[]> {
  const { rows } = await sql<ShownAnnouncement>`
    select a.public_id, a.title, a.text, a.severity, a.dismissible, a.link,
      greatest(a.published_at, a.starts_at) as since
    from announcements a ${join}
    where a.published_at is not null and a.ended_at is null and ${stateOf} = 'live' and ${meant}
    order by array_position(array['critical', 'warning', 'info'], a.severity), since desc, a.id desc
    limit ${MAX_SHOWN}`.execute(db);
  return rows;
}

/** Returns one live announcement for this user, dismissed or not. */
export async function shownAnnouncement(
  trx: Tx,
  { user_id, team_id }: AnnouncementReader,
  public_id: string,
): Promise<Pick<AnnouncementRow, 'id' | 'dismissible'> | undefined> {
  const { rows } = await sql<Pick<AnnouncementRow, 'id' | 'dismissible'>>`
    select a.id, a.dismissible from announcements a join users u on u.id = ${user_id}
    where a.public_id = ${public_id} and ${stateOf} = 'live' and ${reaches(team_id)}`.execute(trx);
  return rows[0];
}

export const dismiss = (trx: Tx, announcement_id: number, user_id: number) =>
  trx
    .insertInto('announcement_dismissals')
    .values({ announcement_id, user_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export interface AffectedUserRow {
  id: number;
  username: string;
  email: string;
  workspaces: string[];
  workspace_names: string[];
  dismissed_at: Date | null;
}

const reachedThrough = (column: 'slug' | 'name') => sql`case when a.audience = 'everybody' then '{}'::text[]
  else array(select ${sql.ref(`t.${column}`)} from ${teamsOf} order by t.slug limit 5) end`;

/** The users one announcement targets: the same rule in the other direction. */
export const affectedUsers = (announcement_id: number): RawBuilder<AffectedUserRow> => sql<AffectedUserRow>`
  select u.id, u.username, u.email,
    ${reachedThrough('slug')} as workspaces, ${reachedThrough('name')} as workspace_names,
    (select d.dismissed_at from announcement_dismissals d where d.announcement_id = a.id and d.user_id = u.id) as dismissed_at
  from users u join announcements a on a.id = ${announcement_id} where ${reaches(null)}`;

/**
 * The teams it targets, through one of their CVMs or by name; may contain duplicates. Only its audience's
 * branch runs.
 */
function targetTeams(announcement_id: number): RawBuilder<unknown> {
  const own = (column: 'audience' | 'teepod_id' | 'node_id' | 'kms_id' | 'os_image_id') =>
    sql`(select ${sql.ref(`s.${column}`)} from announcements s where s.id = ${announcement_id})`;
  const is = (audience: AnnouncementRow['audience']) => sql`${own('audience')} = ${audience}`;
  return sql`
    select w.team_id from announcement_workspaces w where ${is('workspaces')} and w.announcement_id = ${announcement_id}
    union all select c.team_id from cvms c
      where ${is('teepod')} and c.deleted_at is null and c.teepod_id = ${own('teepod_id')}
    union all select c.team_id from teepods p join cvms c on c.teepod_id = p.id and c.deleted_at is null
      where ${is('node')} and p.node_id = ${own('node_id')}
    union all select c.team_id from cvms c
      where ${is('kms')} and c.deleted_at is null and c.kms_id = ${own('kms_id')}
    union all select c.team_id from os_images i join cvms c on c.os_image = i.name and c.deleted_at is null
      where ${is('os_image')} and i.id = ${own('os_image_id')}`;
}

/**
 * Up to this many CVMs or teams, users are looked up through them. With more, testing users one by one finds a
 * match soon enough.
 */
const FEW = 5_000;

export async function isForFew(
  db: Db,
  { id, audience }: Pick<AnnouncementRow, 'id' | 'audience'>,
): Promise<boolean> {
  if (audience === 'everybody') return false;
  const { rows } = await sql<{ few: boolean }>`
    select count(*) <= ${FEW} as few from (select 1 from (${targetTeams(id)}) t limit ${FEW + 1}) counted`.execute(
    db,
  );
  return rows[0]?.few ?? true;
}

/**
 * Only user keys, for counting, sorting and searching. Testing all users in turn would take too long for a
 * small audience.
 */
export const affectedKeys = (announcement_id: number): RawBuilder<unknown> => sql`
  select u.id, u.username, u.email, (select d.dismissed_at from announcement_dismissals d
    where d.announcement_id = ${announcement_id} and d.user_id = u.id) as dismissed_at
  from (
    select distinct m.user_id from (select distinct team_id from (${targetTeams(announcement_id)}) x) x
    join teams t on t.id = x.team_id and t.deleted_at is null join memberships m on m.team_id = t.id
  ) meant join users u on u.id = meant.user_id where u.state = 'active'`;

export interface Audience extends Pick<
  AnnouncementRow,
  'audience' | 'teepod_id' | 'node_id' | 'kms_id' | 'os_image_id'
> {
  workspaces: readonly string[];
}

/**
 * Counts the users in an audience. There is no announcement yet: it stands in for both tables under their
 * names, so that the rule above applies here too.
 */
export async function countAudience(db: Db, audience: Audience): Promise<number> {
  const { workspaces, teepod_id, node_id, kms_id, os_image_id } = audience;
  const reached =
    audience.audience === 'everybody' ? sql`select 1 from users where state = 'active'` : affectedKeys(0);
  const { rows } = await sql<{ users: number }>`
    with announcements as (
      select 0::bigint as id, ${audience.audience}::text as audience, ${teepod_id}::bigint as teepod_id,
        ${node_id}::bigint as node_id, ${kms_id}::bigint as kms_id, ${os_image_id}::bigint as os_image_id),
    announcement_workspaces as (
      select 0::bigint as announcement_id, id as team_id from teams where slug = any(${[...workspaces]}::text[]))
    select count(*)::int as users from (${reached}) reached`.execute(db);
  return rows[0]?.users ?? 0;
}

/** The subject of an announcement's notification. */
export const announcementSubject = ({ public_id }: Pick<AnnouncementRow, 'public_id'>) =>
  `announcement:${public_id}`;

/** Records which announcements went live or ended since the last run; the row's trigger notifies open pages. */
export async function noteStates(db: Db): Promise<void> {
  const { rows } = await sql<Pick<AnnouncementRow, 'public_id' | 'told_state' | 'notify'>>`
    update announcements a set told_state = ${stateOf}
    where a.published_at is not null and a.told_state <> 'ended' and a.told_state <> ${stateOf}
    returning a.public_id, a.told_state, a.notify`.execute(db);
  await resolveNotified(
    db,
    rows.filter(({ notify, told_state }) => notify && told_state === 'ended'),
  );
}

/** Resolves the notifications about ended announcements, including unsent mail. */
export async function resolveNotified(
  db: Db | Tx,
  ended: readonly Pick<AnnouncementRow, 'public_id'>[],
): Promise<void> {
  if (ended.length === 0) return;
  await sql`update notifications set resolved_at = now(), mail_due_at = null
    where kind = 'announcement' and resolved_at is null
      and subject = any(${ended.map(announcementSubject)}::text[])`.execute(db);
}

/** Returns one live announcement with users left to notify, locked; other processes skip it. */
export async function nextToNotify(trx: Tx): Promise<AnnouncementRow | undefined> {
  const { rows } = await sql<AnnouncementRow>`
    select a.* from announcements a
    where a.notify and a.notified_at is null and a.published_at is not null and a.ended_at is null
      and ${stateOf} = 'live'
    order by a.id limit 1 for update of a skip locked`.execute(trx);
  return rows[0];
}

/**
 * Returns the next users by ID, each with the team their notification belongs to: one the announcement
 * targets, their default team first. Leaves out users who were notified before its audience changed.
 */
export async function toNotify(
  trx: Tx,
  announcement: Pick<AnnouncementRow, 'id' | 'public_id' | 'notified_until'>,
  limit: number,
): Promise<{ user_id: number; team_id: number }[]> {
  const { id, notified_until } = announcement;
  const { rows } = await sql<{ user_id: number; team_id: number }>`
    select u.id as user_id, m.team_id from users u
    join announcements a on a.id = ${id}
    cross join lateral (
      select m.team_id from memberships m join teams t on t.id = m.team_id and t.deleted_at is null
      where m.user_id = u.id and (a.audience = 'everybody' or ${meansTeam})
      order by m.is_default desc, m.team_id limit 1) m
    where u.state = 'active' and u.id > ${notified_until} and not exists (
      select 1 from notifications n where n.user_id = u.id and n.kind = 'announcement'
        and n.subject = ${announcementSubject(announcement)} and n.resolved_at is null)
    order by u.id limit ${limit}`.execute(trx);
  return rows;
}

/** `until` null: everyone has been notified. */
export const noteNotified = (trx: Tx, id: number, until: number | null) =>
  trx
    .updateTable('announcements')
    .set(until === null ? { notified_at: new Date() } : { notified_until: until })
    .where('id', '=', id)
    .execute();
