import { sql, type Kysely } from 'kysely';

/** Bank transfers confirmed by mistake, and invoices whose PDF can't be rendered yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table payment_receipts
  add column reversed_at timestamptz,
  add column reversed_by bigint references users,
  add column reversed_reason text;
-- A transfer that was confirmed with the wrong payment counts for the right one.
alter table payment_receipts drop constraint payment_receipts_bank_reference_key;
create unique index payment_receipts_bank_reference_key on payment_receipts (bank_reference) where reversed_at is null;

-- 'reversed': all of its receipts were.
alter table payments drop constraint payments_state_check;
alter table payments add constraint payments_state_check
  check (state in ('pending', 'part_paid', 'paid', 'cancelled', 'rejected', 'reversed'));

-- One row per invoice whose PDF could not be rendered.
create table invoice_render_failures (
  invoice_id bigint primary key references invoices,
  tries integer not null,
  due_at timestamptz not null
);
`;
