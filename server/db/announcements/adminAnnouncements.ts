import { sql } from 'kysely';
import type { AdminAffectedUser, AdminAnnouncement } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import { affectedKeys, affectedUsers, stateOf, type AffectedUserRow } from './announcements';
import type { Tx } from '../core/client';
import type { AnnouncementRow, AnnouncementState } from './announcementsTable';

export type AdminAnnouncementRow = Omit<AnnouncementRow, 'created_by'> & {
  state: AnnouncementState;
  workspaces: string[];
  dismissed_count: number;
  created_by: string | null;
};

export const adminAnnouncements: AdminListSource<AdminAnnouncementRow> = {
  fields: {
    id: 'integer',
    title: 'text',
    text: 'text',
    state: 'text',
    severity: 'text',
    audience: 'text',
    workspaces: 'none',
    teepod_id: 'integer',
    node_id: 'integer',
    kms_id: 'integer',
    os_image_id: 'integer',
    starts_at: 'time',
    ends_at: 'time',
    dismissible: 'boolean',
    link: 'text',
    notify: 'boolean',
    dismissed_count: 'integer',
    created_by: 'text',
    published_at: 'time',
    ended_at: 'time',
    notified_at: 'time',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminAnnouncement, AdminFieldKind>,
  searched: ['title', 'text'],
  select: sql<AdminAnnouncementRow>`
    select a.id, a.public_id, a.title, a.text, ${stateOf} as state, a.severity, a.audience, a.teepod_id, a.node_id,
      a.kms_id, a.os_image_id, a.starts_at, a.ends_at, a.dismissible, a.link, a.notify, a.published_at, a.ended_at,
      a.notified_at, a.notified_until, a.told_state, a.created_at, a.updated_at, u.username as created_by,
      array(select t.slug from announcement_workspaces w join teams t on t.id = w.team_id
        where w.announcement_id = a.id order by t.slug) as workspaces,
      (select count(*)::int from announcement_dismissals d where d.announcement_id = a.id) as dismissed_count
    from announcements a left join users u on u.id = a.created_by`,
};

const userFields = {
  id: 'integer',
  username: 'text',
  email: 'text',
  workspaces: 'none',
  workspace_names: 'none',
  dismissed_at: 'time',
} satisfies Record<keyof AdminAffectedUser, AdminFieldKind>;

export const adminAffectedUsers = (
  announcement_id: number,
  { few = false } = {},
): AdminListSource<AffectedUserRow> => ({
  fields: userFields,
  searched: ['username', 'email'],
  select: affectedUsers(announcement_id),
  ...(few ? { large: { keys: affectedKeys(announcement_id), indexed: ['id'], thenBy: 'id' } } : {}),
});

export const lockAnnouncement = async (
  trx: Tx,
  id: number,
): Promise<(AnnouncementRow & { state: AnnouncementState; workspaces: string[] }) | undefined> => {
  const { rows } = await sql<AnnouncementRow & { state: AnnouncementState; workspaces: string[] }>`
    select a.*, ${stateOf} as state,
      array(select t.slug from announcement_workspaces w join teams t on t.id = w.team_id
        where w.announcement_id = a.id order by t.slug) as workspaces
    from announcements a where a.id = ${id} for update of a`.execute(trx);
  return rows[0];
};

/** @returns the slugs that match no workspace */
export async function setWorkspaces(
  trx: Tx,
  announcement_id: number,
  slugs: readonly string[],
): Promise<string[]> {
  await trx.deleteFrom('announcement_workspaces').where('announcement_id', '=', announcement_id).execute();
  if (slugs.length === 0) return [];
  const { rows } = await sql<{ slug: string }>`
    with wanted as (select distinct unnest(${[...slugs]}::text[]) as slug),
    found as (select t.id, t.slug from teams t join wanted w on w.slug = t.slug where t.deleted_at is null),
    added as (
      insert into announcement_workspaces (announcement_id, team_id)
      select ${announcement_id}::bigint, id from found returning 1)
    select slug from wanted where slug not in (select slug from found)`.execute(trx);
  return rows.map(({ slug }) => slug);
}

/** Whether the audience's target exists, by the column that names it. */
export async function targetExists(
  trx: Tx,
  column: 'teepod_id' | 'node_id' | 'kms_id' | 'os_image_id',
  id: number,
): Promise<boolean> {
  const table = (
    { teepod_id: 'teepods', node_id: 'nodes', kms_id: 'kms', os_image_id: 'os_images' } as const
  )[column];
  const row = await trx.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}
