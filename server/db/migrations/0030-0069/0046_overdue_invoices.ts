import { sql, type Kysely } from 'kysely';

/** Invoices have a due date, fixed when they are issued, and are overdue if they are not paid by then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table invoices add column due_at timestamptz check (due_at >= issued_at);
alter table invoices drop constraint invoices_state_check, add constraint invoices_state_check
  check (state in ('draft', 'open', 'paid', 'overdue', 'uncollectible', 'void'));
drop index invoices_unsettled;
create index invoices_unsettled on invoices (id) where state in ('draft', 'open', 'overdue');

create or replace function invoice_keep() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (old.state <> 'draft' and (to_jsonb(new) - '{state,paid_at,closed_at,updated_at}'::text[])
      is distinct from (to_jsonb(old) - '{state,paid_at,closed_at,updated_at}'::text[])) then
    raise exception 'an issued invoice is never changed: % of % is refused', lower(tg_op), old.public_id
      using errcode = 'insufficient_privilege';
  end if;
  if new.state is distinct from old.state and not (
      (old.state = 'draft' and new.state in ('open', 'paid', 'void'))
      or (old.state = 'open' and new.state in ('paid', 'overdue', 'uncollectible', 'void'))
      or (old.state = 'overdue' and new.state in ('paid', 'uncollectible', 'void'))
      or (old.state = 'uncollectible' and new.state = 'paid')) then
    raise exception 'an invoice cannot become % once it is %', new.state, old.state using errcode = 'check_violation';
  end if;
  return new;
end $$;
`;
