import { sql, type Kysely } from 'kysely';

/**
 * Bank transfers count once, regardless of how their number is spelled. If a transfer was already counted
 * twice, the later ones keep a separate key: reversing them is up to finance.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_receipts add column reference_key text`.execute(db);
  const { rows } = await sql<{ id: number; driver: string; bank_reference: string; counts: boolean }>`
    select r.id, p.driver, r.bank_reference, r.reversed_at is null as counts
    from payment_receipts r join payments p on p.id = r.payment_id order by r.id`.execute(db);
  const taken = new Set<string>();
  for (const { id, driver, bank_reference, counts } of rows) {
    const found = driver === 'stripe' ? bank_reference : keyOf(bank_reference);
    // Transfer keys contain no lowercase letters.
    const key = counts && taken.has(found) ? `${found} again ${id}` : found;
    if (counts) taken.add(key);
    await sql`update payment_receipts set reference_key = ${key} where id = ${id}`.execute(db);
  }
  await sql.raw(DDL).execute(db);
}

const keyOf = (reference: string) =>
  reference
    .normalize('NFKC')
    .replace(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toUpperCase();

const DDL = `
alter table payment_receipts alter column reference_key set not null;
drop index payment_receipts_bank_reference_key;
create unique index payment_receipts_reference_key on payment_receipts (reference_key) where reversed_at is null;
`;
