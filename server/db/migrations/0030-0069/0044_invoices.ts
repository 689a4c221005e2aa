import { sql, type Kysely } from 'kysely';

/**
 * Invoices and credit notes. An issued document never changes: triggers refuse any update beyond its state, and any
 * change of its lines.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- The last number of each series. Updated by the issuing transaction, so that one that fails leaves no gap.
create table invoice_series (
  series text primary key,
  last_number integer not null check (last_number > 0)
);

create table invoices (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  team_id bigint not null references teams,
  kind text not null check (kind in ('invoice', 'credit_note')),
  state text not null default 'draft' check (state in ('draft', 'open', 'paid', 'uncollectible', 'void')),
  -- A UTC month, half-open.
  period_start timestamptz not null,
  period_end timestamptz not null check (period_end > period_start),
  -- Both are null until it is issued.
  series text references invoice_series,
  number integer,
  -- The parties as they were when it was issued.
  payer jsonb,
  seller text,
  -- Exact, and what it is rounded to. Tax is computed on the sum.
  subtotal_micros bigint not null,
  subtotal_cents bigint not null,
  -- In 1/10000: 1900 is 19 %.
  tax_rate integer not null default 0 check (tax_rate between 0 and 10000),
  tax_cents bigint not null default 0,
  total_cents bigint not null,
  -- The invoice that a credit note corrects, and why.
  corrects bigint references invoices,
  reason text,
  created_at timestamptz not null default now(),
  issued_at timestamptz,
  paid_at timestamptz,
  closed_at timestamptz,
  updated_at timestamptz not null default now(),
  check (total_cents = subtotal_cents + tax_cents),
  check ((series is null) = (number is null) and (series is null) = (issued_at is null)),
  check ((series is null) = (payer is null) and (state <> 'draft' or series is null)),
  check (state in ('draft', 'void') or series is not null),
  check ((kind = 'credit_note') = (corrects is not null)),
  unique (series, number)
);
create unique index invoices_month on invoices (team_id, period_start) where kind = 'invoice';
create index invoices_team on invoices (team_id, id desc);
create index invoices_unsettled on invoices (id) where state in ('draft', 'open');
create index invoices_corrects on invoices (corrects) where corrects is not null;

create table invoice_lines (
  invoice_id bigint not null references invoices,
  position integer not null check (position > 0),
  -- No reference: the names are what they were.
  cvm_id bigint not null,
  vm_uuid text not null,
  cvm_name text not null,
  app_name text not null,
  basis text not null check (basis in ('size', 'disk', 'gpu')),
  seconds bigint not null,
  -- Micro-dollars per hour; null if it changed during the month.
  rate_micros bigint,
  amount_micros bigint not null,
  amount_cents bigint not null,
  primary key (invoice_id, position)
);

create function invoice_keep() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (old.state <> 'draft' and (to_jsonb(new) - '{state,paid_at,closed_at,updated_at}'::text[])
      is distinct from (to_jsonb(old) - '{state,paid_at,closed_at,updated_at}'::text[])) then
    raise exception 'an issued invoice is never changed: % of % is refused', lower(tg_op), old.public_id
      using errcode = 'insufficient_privilege';
  end if;
  if new.state is distinct from old.state and not (
      (old.state = 'draft' and new.state in ('open', 'paid', 'void'))
      or (old.state = 'open' and new.state in ('paid', 'uncollectible', 'void'))
      or (old.state = 'uncollectible' and new.state = 'paid')) then
    raise exception 'an invoice cannot become % once it is %', new.state, old.state using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger invoices_keep before update or delete on invoices for each row execute function invoice_keep();
create trigger invoices_keep_all before truncate on invoices for each statement execute function ledger_refuse();

create function invoice_line_keep() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' or not exists (select 1 from invoices where id = new.invoice_id and state = 'draft') then
    raise exception 'the lines of an invoice are never changed: % is refused', lower(tg_op)
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger invoice_lines_keep before insert or update or delete on invoice_lines
  for each row execute function invoice_line_keep();
create trigger invoice_lines_keep_all before truncate on invoice_lines
  for each statement execute function ledger_refuse();
`;
