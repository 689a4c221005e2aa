import { sql, type Kysely } from 'kysely';

/**
 * The span that operations and rollouts belong to, so that the worker that runs them continues the trace of the request.
 * Older workers don't look at it.
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
