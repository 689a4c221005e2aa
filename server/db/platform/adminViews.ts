import { sql } from 'kysely';
import type { AdminView } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { Db, Tx } from '../core/client';

export interface AdminViewRow extends Omit<AdminView, 'created_at' | 'updated_at'> {
  created_at: Date;
  updated_at: Date;
}

const fields = {
  id: 'integer',
  resource: 'text',
  name: 'text',
  query: 'none',
  shared: 'boolean',
  mine: 'boolean',
  owner: 'text',
  created_at: 'time',
  updated_at: 'time',
} satisfies Record<keyof AdminView, AdminFieldKind>;

/**
 * A user's own views, and shared ones of the lists they may read.
 * @param user_id null: only shared ones
 * @param resources names of those lists
 */
export const adminViewsFor = (
  user_id: number | null,
  resources: readonly string[],
): AdminListSource<AdminViewRow> => ({
  fields,
  searched: ['name'],
  select: sql<AdminViewRow>`select v.id, v.resource, v.name, v.query, v.shared, coalesce(v.user_id = ${user_id}::bigint, false) as mine,
    u.username as owner, v.created_at, v.updated_at
    from admin_views v join users u on u.id = v.user_id where v.user_id = ${user_id}::bigint or (v.shared and v.resource = any(${[...resources]}::text[]))`,
});

export const lockView = (trx: Tx, id: number) =>
  trx.selectFrom('admin_views').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** The same as one user sees it. */
export const lockViewAs = (user_id: number) => async (trx: Tx, id: number) => {
  const view = await lockView(trx, id);
  if (!view) return undefined;
  const { user_id: owner, ...rest } = view;
  return { ...rest, mine: owner === user_id };
};

/** Counts a user's views with their row locked, so that concurrent requests count each other. */
export async function countViews(trx: Tx, user_id: number): Promise<number> {
  await trx.selectFrom('users').select('id').where('id', '=', user_id).forUpdate().execute();
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from admin_views where user_id = ${user_id}`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** @returns its number */
export async function insertView(
  db: Db,
  view: { user_id: number; resource: string; name: string; query: string; shared: boolean },
): Promise<number> {
  const row = await db.insertInto('admin_views').values(view).returning('id').executeTakeFirstOrThrow();
  return row.id;
}
