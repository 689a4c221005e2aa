import { sql, type Kysely } from 'kysely';

/**
 * How a wallet was proved, so that a contract wallet counts only on its network. Chats that hear about changed KMS keys
 * also hear about OS images whose hash only hosts reported.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
update chats set alerts = alerts || array['image_unconfirmed'] where 'kms_key_changed' = any (alerts);

-- Both are null for wallets linked before.
alter table account_wallets
  add column proof text check (proof in ('key', 'contract')),
  add column chain_id int,
  add check ((proof is not distinct from 'contract') = (chain_id is not null));
`;
