import { sql, type Kysely } from 'kysely';

/**
 * The span of operations and rollouts, so that the worker running them continues the request's trace. Older
 * workers ignore it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- Columns first, defaults after: rows that are there already have none, and are not written again.
alter table operations add column traceparent text;
alter table rollouts add column traceparent text;
-- Set for the transaction of a request's write, like its ID.
alter table operations alter column traceparent set default nullif(current_setting('teehouse.traceparent', true), '');
alter table rollouts alter column traceparent set default nullif(current_setting('teehouse.traceparent', true), '');
`;
