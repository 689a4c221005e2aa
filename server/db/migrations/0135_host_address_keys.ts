import { sql, type Kysely } from 'kysely';
import { addressKey } from './addressKey';

/**
 * Keys of addresses stored before `0.0.0.0`, `/var/run` and escaped letters counted as other spellings. If rows
 * turn out to share an address, the oldest keeps it; the others get theirs when they move.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: number; url: string; address_key: string | null }>`
    select id, url, address_key from teepods where kind <> 'local' order by id`.execute(db);
  const taken = new Set<string>();
  const changed: { id: number; key: string | null }[] = [];
  for (const { id, url, address_key } of rows) {
    const found = addressKey(url);
    const key = found === null || taken.has(found) ? null : found;
    if (key !== null) taken.add(key);
    if (key !== address_key) changed.push({ id, key });
  }
  // Two rows may swap keys, so uniqueness doesn't hold in between.
  for (const { id } of changed) await sql`update teepods set address_key = null where id = ${id}`.execute(db);
  for (const { id, key } of changed)
    await sql`update teepods set address_key = ${key} where id = ${id}`.execute(db);
}
