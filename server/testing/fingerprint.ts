import { sql } from 'kysely';
import type { Db } from '../db/client';

/** What changes by itself, or by merely asking: notes of last use, what hosts report, counters of attempts. */
const TABLES_THAT_LIVE = [
  'rate_limits',
  'workers',
  'teepods',
  'nodes',
  'teepod_os_images',
  'os_images',
  'kms',
  'event_feed',
  'cvm_metric_samples',
  'cvm_metric_rollups',
  'cvm_metric_state',
  'metric_rounds',
  'metric_progress',
  'schedule_runs',
];
const COLUMNS_THAT_LIVE = ['last_seen_at', 'last_used_at', 'last_used_ip', 'observed_at', 'boot_progress'];

/** Of everything a person could notice in the database: equal before and after means that nothing was changed. */
export async function fingerprint(db: Db): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name <> all(${TABLES_THAT_LIVE})
    order by table_name`.execute(db);
  const parts = tables.map(
    ({ name }) => sql`
      select ${name}::text as name, count(*)::int as n,
        md5(coalesce(string_agg(row_text, '|' order by row_text), '')) as digest
      from (select (to_jsonb(t) - ${COLUMNS_THAT_LIVE}::text[])::text as row_text from ${sql.table(name)} t) x`,
  );
  const { rows } = await sql<{
    name: string;
    n: number;
    digest: string;
  }>`${sql.join(parts, sql` union all `)}`.execute(db);
  // Many parts are asked in parallel, and answered in no order.
  return rows
    .map(({ name, n, digest }) => `${name} ${n} ${digest}`)
    .sort()
    .join('\n');
}
