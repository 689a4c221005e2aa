import { sql, type Kysely } from 'kysely';

/**
 * The payment that earned a percentage bonus, so that its return reverses the bonus; and the card used when
 * redeeming a code.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table promotion_redemptions
  -- Null for amounts, while a percentage waits, and for bonuses of earlier versions.
  add column payment_id bigint references payments,
  -- Of the bonus, because the payment was returned.
  add column taken_micros bigint not null default 0 check (taken_micros >= 0),
  -- Of the card the team had saved: the same card in another team is the same payer.
  add column card_fingerprint text;
create index promotion_redemptions_payment on promotion_redemptions (payment_id) where payment_id is not null;
create index promotion_redemptions_code on promotion_redemptions (code_id, user_id);
`;
