import { sql, type Kysely, type QueryExecutorProvider } from 'kysely';

/**
 * Bills the disk of a running CVM as a separate line. A size line with `disk_gb` includes its disk, like all
 * lines so far and those still posted by processes of an earlier version: it excludes both others.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addDiskLines(db);
}

/**
 * Building the constraint over all lines of a large installation would take minutes, with postings blocked.
 * With more than `most` lines it starts at the first hour that isn't posted everywhere. Earlier lines never
 * change, and only corrections can be added to them.
 */
export async function addDiskLines(db: QueryExecutorProvider, most = 100_000): Promise<void> {
  await sql.raw(DDL).execute(db);
  const { rows } = await sql<{ since: string | null }>`
    select case when (select count(*) from (select from usage_lines limit ${most}::int + 1) l) > ${most}::int
      then to_char(date_trunc('hour', coalesce((select min(closed_until) from usage_meters where not ended), now()), 'UTC')
        at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS+00') end as since`.execute(db);
  const since = rows[0]?.since ?? null;
  const from = since === null ? sql`` : sql` and starts_at >= ${sql.lit(since)}`;
  await sql`alter table usage_lines add constraint usage_lines_apart
    exclude using gist (${TRACKS} with &&, tstzrange(starts_at, ends_at) with &&) where (corrects is null${from})`.execute(
    db,
  );
  if (since !== null)
    await sql`alter table usage_lines add constraint usage_lines_since
      check (corrects is not null or starts_at >= ${sql.lit(since)}) not valid`.execute(db);
}

/** Numbers what a line bills: size, disk or GPUs. */
const TRACKS = sql`int8range(cvm_id * 3 + case basis when 'disk' then 1 when 'gpu' then 2 else 0 end,
  cvm_id * 3 + case when basis = 'gpu' then 2 when basis = 'disk' or disk_gb > 0 then 1 else 0 end, '[]')`;

const DDL = `
-- Lines that another process adds meanwhile would be in neither constraint.
lock table usage_lines in access exclusive mode;

alter table usage_meters
  add column disk_carry smallint not null default 0 check (disk_carry between 0 and 3599);

do $$
declare
  old text;
begin
  select conname into strict old from pg_constraint where conrelid = 'usage_lines'::regclass and contype = 'x';
  execute format('alter table usage_lines drop constraint %I', old);
end $$;
`;
