import type { Db } from '../core/client';

/** Returns the team currently at this address; null when there is none. */
export async function teamAtAddress(db: Db, slug: string): Promise<{ name: string } | null> {
  const row = await db
    .selectFrom('teams')
    .select('name')
    .where('slug', '=', slug)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}
