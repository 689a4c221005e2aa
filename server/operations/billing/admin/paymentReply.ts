import { adminPayments } from '../../../db/billing/adminBilling';
import { adminOne } from '../../../db/core/adminList';
import type { Tx } from '../../../db/core/client';
import { adminPaymentOut } from '../../../domain/billing/billingResponse';
import { etagOf } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { payments } from '../../core/admin/resourcesBilling';

/** The response of a change to a payment: its record with all receipts. */
export async function paymentReply(trx: Tx, id: number) {
  const row = await adminOne(trx, adminPayments, id);
  if (!row) throw missing(payments, id);
  return {
    status: 200,
    headers: { ETag: etagOf(payments.name, row.id, row.updated_at) },
    body: adminPaymentOut(row),
  } as const;
}
