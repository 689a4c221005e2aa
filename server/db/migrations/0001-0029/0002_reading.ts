import { sql, type Kysely } from 'kysely';

/**
 * Indexes for lists and lookups that include deleted rows: an app's history, events and operations of a deleted
 * CVM.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index cvms_app_history on cvms (app_id, id)`.execute(db);
  await sql`create index cvms_revision on cvms (revision_id) where deleted_at is null`.execute(db);
  await sql`create index events_operation on events (operation_id, id desc) where operation_id is not null`.execute(
    db,
  );
}
