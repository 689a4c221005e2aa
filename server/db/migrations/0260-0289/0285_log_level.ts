import { sql, type Kysely } from 'kysely';

/** A log level that all processes use until a time. Older processes ignore it and keep LOG_LEVEL. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table platform_settings
  add column log_level text check (log_level in ('error', 'warn', 'info', 'debug', 'trace')),
  add column log_level_until timestamptz,
  add check ((log_level is null) = (log_level_until is null));
`;
