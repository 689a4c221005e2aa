import { sql, type Kysely } from 'kysely';

/** Finds canceled card payments whose Stripe page is still open: they keep its address until it is closed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index payments_open_pages on payments (updated_at)
    where state = 'cancelled' and checkout_url is not null`.execute(db);
}
