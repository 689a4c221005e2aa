import { sql, type Kysely } from 'kysely';
import { addressKey } from '../addressKey';

/**
 * One teepod per address. If rows already share one, the oldest keeps it; the others get theirs when they move.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table teepods add column address_key text`.execute(db);
  const { rows } = await sql<{ id: number; url: string }>`
    select id, url from teepods where kind <> 'local' order by id`.execute(db);
  const taken = new Set<string>();
  for (const { id, url } of rows) {
    const key = addressKey(url);
    if (key === null || taken.has(key)) continue;
    taken.add(key);
    await sql`update teepods set address_key = ${key} where id = ${id}`.execute(db);
  }
  await sql`create unique index teepods_address_key on teepods (address_key)`.execute(db);
}
