import type { Selectable } from 'kysely';
import type { Db, Tx } from '../core/client';
import type { BillingDetailsTable } from './invoicesTables';

export type BillingDetailsFields = Pick<
  Selectable<BillingDetailsTable>,
  'legal_name' | 'address' | 'country' | 'vat_id'
>;

const NONE: BillingDetailsFields = { legal_name: null, address: null, country: null, vat_id: null };

/** Returns a team's details for invoices. */
export async function billingDetails(db: Db | Tx, team_id: number): Promise<BillingDetailsFields> {
  const row = await db
    .selectFrom('billing_details')
    .select(['legal_name', 'address', 'country', 'vat_id'])
    .where('team_id', '=', team_id)
    .executeTakeFirst();
  return row ?? NONE;
}

export const saveBillingDetails = (trx: Tx, team_id: number, details: BillingDetailsFields) =>
  trx
    .insertInto('billing_details')
    .values({ team_id, ...details })
    .onConflict((conflict) => conflict.column('team_id').doUpdateSet({ ...details, updated_at: new Date() }))
    .execute();
