import { sql, type Kysely } from 'kysely';

/** Chats that hear about changed KMS keys also hear about OS images whose hash only hosts reported. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update chats set alerts = alerts || array['image_unconfirmed'] where 'kms_key_changed' = any (alerts)`.execute(
    db,
  );
}
