import { sql } from 'kysely';
import type { Db } from '../core/client';

/** Returns display names for compose hashes: the app's newest revision with each hash. */
export async function revisionNames(
  db: Db,
  app: number,
  hashes: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ compose_hash: string; number: number }>`
    select compose_hash, max(number)::int as number from revisions
    where app_id = ${app} and compose_hash = any(${[...hashes]}::text[]) group by 1`.execute(db);
  return new Map(rows.map(({ compose_hash, number }) => [compose_hash, `revision ${number}`]));
}
