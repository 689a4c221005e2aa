import { sql, type Kysely } from 'kysely';

/** Messages that linked a wallet: each is accepted once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table used_wallet_messages (
  -- SHA-256 of the message, whose nonce is unique to account, address and time.
  message_hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  -- When the message expires: from then on it is refused anyway.
  expires_at timestamptz not null
);
create index used_wallet_messages_age on used_wallet_messages (expires_at);
create index used_wallet_messages_user on used_wallet_messages (user_id);
`;
