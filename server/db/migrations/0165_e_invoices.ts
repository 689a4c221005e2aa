import { sql, type Kysely } from 'kysely';

/** Electronic invoices (EN 16931), stored once when an invoice or a credit note is issued. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table e_invoices (
  invoice_id bigint primary key references invoices,
  sha256 bytea not null check (sha256 = sha256(convert_to(content, 'UTF8'))),
  content text not null,
  created_at timestamptz not null default now()
);
create trigger e_invoices_keep before update or delete on e_invoices
  for each row execute function invoice_document_keep();
create trigger e_invoices_keep_all before truncate on e_invoices
  for each statement execute function ledger_refuse();
`;
