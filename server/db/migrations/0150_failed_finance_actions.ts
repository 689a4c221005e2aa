import { sql, type Kysely } from 'kysely';

/** Actions, approved or without need for approval, that Stripe then refused permanently. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table finance_actions drop constraint finance_actions_state_check;
alter table finance_actions add constraint finance_actions_state_check
  check (state in ('pending', 'done', 'rejected', 'failed'));
-- The action that this refund is.
alter table card_refunds add column finance_action_id bigint unique references finance_actions;
`;
