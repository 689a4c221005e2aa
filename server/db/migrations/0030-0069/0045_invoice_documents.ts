import { sql, type Kysely } from 'kysely';

/** Billing details of teams, the tax rule applied to an invoice, and its PDF, stored once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table billing_details (
  team_id bigint primary key references teams,
  legal_name text,
  address text,
  -- ISO 3166-1 alpha-2.
  country text check (country ~ '^[A-Z]{2}$'),
  -- With its prefix, without spaces.
  vat_id text,
  updated_at timestamptz not null default now()
);

alter table invoices add column tax_rule text not null default 'fixed'
  check (tax_rule in ('none', 'fixed', 'reverse_charge'));
alter table invoices add column seller_vat_id text;

create table invoice_documents (
  invoice_id bigint primary key references invoices,
  sha256 bytea not null check (sha256 = sha256(content)),
  content bytea not null,
  created_at timestamptz not null default now()
);
-- Already compressed.
alter table invoice_documents alter column content set storage external;

-- Finds the issued ones that have no document yet.
create index invoices_issued_at on invoices (issued_at) where issued_at is not null;

create function invoice_document_keep() returns trigger language plpgsql as $$
begin
  raise exception 'the document of an invoice is never changed: % is refused', lower(tg_op)
    using errcode = 'insufficient_privilege';
end $$;
create trigger invoice_documents_keep before update or delete on invoice_documents
  for each row execute function invoice_document_keep();
create trigger invoice_documents_keep_all before truncate on invoice_documents
  for each statement execute function ledger_refuse();
`;
