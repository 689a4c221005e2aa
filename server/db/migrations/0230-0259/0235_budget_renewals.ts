import { sql, type Kysely } from 'kysely';

/**
 * 0203 took every earlier notice of a failed renewal for one about funds. If the term's event was about a
 * budget, it is recorded as such, so that payers are also notified of missing funds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

/** Limited to the current term. Events before 0203 don't name the reason: their message starts with it. */
const OF_TERM = `select from events e where e.team_id = o.team_id and e.kind = 'order.renewal_failed'
  and e.data->>'order_id' = o.public_id
  and nullif(e.data->>'term', '')::timestamptz = date_trunc('milliseconds', o.ends_at)`;
const ABOUT_FUNDS = `e.message like 'The balance does not cover the next term.%'`;

const DDL = `
update orders o set renewal_told = array_remove(renewal_told, 'funds')
  || case when 'budget' = any (renewal_told) then '{}'::text[] else array['budget'] end
where o.state = 'active' and 'funds' = any (o.renewal_told)
  and exists (${OF_TERM} and e.data->>'why' is null and not ${ABOUT_FUNDS})
  and not exists (${OF_TERM} and ${ABOUT_FUNDS});
`;
