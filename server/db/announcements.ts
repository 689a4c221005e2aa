import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from './client';
import type { AnnouncementRow, AnnouncementState } from './schemaAnnouncements';

/** Announcements as people see them. */

/** `a.state`, from the clock. */
export const stateOf = sql<AnnouncementState>`announcement_state(a.published_at, a.starts_at, a.ends_at, a.ended_at)`;

/** Whether the members of team `t` are meant by announcement `a`: the one rule of who sees what. */
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

/** The teams through which announcement `a` is for person `u`. */
const teamsOf = sql`memberships m join teams t on t.id = m.team_id and t.deleted_at is null
  where m.user_id = u.id and ${meansTeam}`;

const isFor = sql<boolean>`u.state = 'active' and (a.audience = 'everybody' or exists (select 1 from ${teamsOf}))`;

const dismissed = sql<boolean>`exists (
  select 1 from announcement_dismissals d where d.announcement_id = a.id and d.user_id = u.id)`;

/** What is shown at once; more would hide the page under it. */
const MOST_SHOWN = 20;

export type ShownAnnouncement = Pick<
  AnnouncementRow,
  'public_id' | 'title' | 'text' | 'severity' | 'dismissible' | 'link'
> & { since: Date };

/** Live, for this person, not dismissed; the most severe first, then the newest. */
export const announcementsFor = (db: Db, user_id: number): Promise<ShownAnnouncement[]> =>
  shown(db, sql`join users u on u.id = ${user_id}`, sql`${isFor} and not (a.dismissible and ${dismissed})`);

/** What strangers may read too: no team, host or service is what it is about. */
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
    limit ${MOST_SHOWN}`.execute(db);
  return rows;
}

/** One that is live and for this person, dismissed or not. */
export async function shownAnnouncement(
  trx: Tx,
  user_id: number,
  public_id: string,
): Promise<Pick<AnnouncementRow, 'id' | 'dismissible'> | undefined> {
  const { rows } = await sql<Pick<AnnouncementRow, 'id' | 'dismissible'>>`
    select a.id, a.dismissible from announcements a join users u on u.id = ${user_id}
    where a.public_id = ${public_id} and ${stateOf} = 'live' and ${isFor}`.execute(trx);
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
  dismissed_at: Date | null;
}

/** The people one announcement is for: the same rule, asked the other way round. */
export const affectedUsers = (announcement_id: number): RawBuilder<AffectedUserRow> => sql<AffectedUserRow>`
  select u.id, u.username, u.email,
    case when a.audience = 'everybody' then '{}'::text[]
      else array(select t.slug from ${teamsOf} order by t.slug limit 5) end as workspaces,
    (select d.dismissed_at from announcement_dismissals d where d.announcement_id = a.id and d.user_id = u.id) as dismissed_at
  from users u join announcements a on a.id = ${announcement_id} where ${isFor}`;

/** The teams it is for, through one of their CVMs or by name; some twice. Only the branch of its audience is ever run. */
function teamsMeant(announcement_id: number): RawBuilder<unknown> {
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

/** CVMs or teams up to which the people are found from them: of more, whoever is looked at is soon one of them. */
const FEW = 5_000;

export async function isForFew(
  db: Db,
  { id, audience }: Pick<AnnouncementRow, 'id' | 'audience'>,
): Promise<boolean> {
  if (audience === 'everybody') return false;
  const { rows } = await sql<{ few: boolean }>`
    select count(*) <= ${FEW} as few from (select 1 from (${teamsMeant(id)}) t limit ${FEW + 1}) counted`.execute(
    db,
  );
  return rows[0]?.few ?? true;
}

/** Who they are and no more, to be counted, sorted and searched through: asking all people in turn finds few too late. */
export const affectedKeys = (announcement_id: number): RawBuilder<unknown> => sql`
  select u.id, u.username, u.email, (select d.dismissed_at from announcement_dismissals d
    where d.announcement_id = ${announcement_id} and d.user_id = u.id) as dismissed_at
  from (
    select distinct m.user_id from (select distinct team_id from (${teamsMeant(announcement_id)}) x) x
    join teams t on t.id = x.team_id and t.deleted_at is null join memberships m on m.team_id = t.id
  ) meant join users u on u.id = meant.user_id where u.state = 'active'`;

/** Where a notification of an announcement is about it. */
export const announcementSubject = ({ public_id }: Pick<AnnouncementRow, 'public_id'>) =>
  `announcement:${public_id}`;

/** Notes which announcements went live or ended since somebody looked; pages are told by the row's trigger. */
export async function noteStates(db: Db): Promise<void> {
  const { rows } = await sql<Pick<AnnouncementRow, 'public_id' | 'told_state' | 'notify'>>`
    update announcements a set told_state = ${stateOf}
    where a.published_at is not null and a.told_state <> 'ended' and a.told_state <> ${stateOf}
    returning a.public_id, a.told_state, a.notify`.execute(db);
  const over = rows.filter(({ notify, told_state }) => notify && told_state === 'ended');
  if (over.length === 0) return;
  await sql`update notifications set resolved_at = now(), mail_due_at = null
    where kind = 'announcement' and resolved_at is null
      and subject = any(${over.map(announcementSubject)}::text[])`.execute(db);
}

/** One that is live and whose people are still to be notified, locked; another process takes another one. */
export async function nextToNotify(trx: Tx): Promise<AnnouncementRow | undefined> {
  const { rows } = await sql<AnnouncementRow>`
    select a.* from announcements a
    where a.notify and a.notified_at is null and a.published_at is not null and a.ended_at is null
      and ${stateOf} = 'live'
    order by a.id limit 1 for update of a skip locked`.execute(trx);
  return rows[0];
}

/** The next people by id, each with the team they are told it in: one of those it is for, their default one first. */
export async function toNotify(
  trx: Tx,
  { id, notified_until }: Pick<AnnouncementRow, 'id' | 'notified_until'>,
  limit: number,
): Promise<{ user_id: number; team_id: number }[]> {
  const { rows } = await sql<{ user_id: number; team_id: number }>`
    select u.id as user_id, m.team_id from users u
    join announcements a on a.id = ${id}
    cross join lateral (
      select m.team_id from memberships m join teams t on t.id = m.team_id and t.deleted_at is null
      where m.user_id = u.id and (a.audience = 'everybody' or ${meansTeam})
      order by m.is_default desc, m.team_id limit 1) m
    where u.state = 'active' and u.id > ${notified_until} order by u.id limit ${limit}`.execute(trx);
  return rows;
}

/** `until` null: everybody has been. */
export const noteNotified = (trx: Tx, id: number, until: number | null) =>
  trx
    .updateTable('announcements')
    .set(until === null ? { notified_at: new Date() } : { notified_until: until })
    .where('id', '=', id)
    .execute();
