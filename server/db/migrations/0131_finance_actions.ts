import { sql, type Kysely } from 'kysely';

/** Staff actions that move a team's money, recorded while BILLING_APPROVAL_LIMIT is set. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table finance_actions (
  id bigint generated always as identity primary key,
  -- What was requested: the API's operation, with this path and body.
  action text not null,
  path jsonb not null,
  body jsonb not null,
  team_id bigint not null references teams,
  -- Public ID of the credit, payment, invoice or order; of the team for a new credit.
  target text not null,
  amount_micros bigint not null check (amount_micros > 0),
  reason text not null,
  state text not null check (state in ('pending', 'done', 'rejected')),
  requested_by bigint not null references users,
  -- A pending action can't be approved from then on.
  expires_at timestamptz not null,
  -- Who approved or rejected it; null also if no approval was needed. Only its requester may reject their own.
  decided_by bigint references users,
  decided_at timestamptz,
  decision text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((state = 'pending') = (decided_at is null)),
  check (state = 'rejected' or decided_by <> requested_by)
);
create index finance_actions_own on finance_actions (requested_by, team_id, decided_at)
  where state = 'done' and decided_by is null;
create index finance_actions_pending on finance_actions (team_id) where state = 'pending';
`;
