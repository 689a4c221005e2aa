import { invoiceNotice } from '../../domain/billing/invoiceNotice';
import type { Tx } from '../core/client';
import { openNotices, recipientsOf, resolveNotices } from '../notifications/notifications';
import type { InvoiceRow } from './invoicesTables';

const about = ({ public_id }: Pick<InvoiceRow, 'public_id'>) =>
  ({ kind: 'invoice', subject: `invoice:${public_id}` }) as const;

/** Notifies payers that an invoice is issued, issued and paid, or overdue, according to its state. */
export async function notifyInvoice(trx: Tx, invoice: InvoiceRow, now: Date): Promise<void> {
  const { team_id } = invoice;
  await openNotices(
    trx,
    { state: 'open', ...about(invoice), ...invoiceNotice(invoice) },
    { team_id, cvm_id: null, at: now },
    await recipientsOf(trx, team_id, 'invoice'),
  );
}

/**
 * Resolves notices about an invoice.
 * @param ended its state, which they then report; null: without mail
 */
export async function resolveInvoice(
  trx: Tx,
  invoice: InvoiceRow,
  ended: 'paid' | 'void' | null,
  at: Date,
): Promise<void> {
  const notice = ended === null ? { message: null } : invoiceNotice({ ...invoice, state: ended });
  await resolveNotices(trx, [{ ...about(invoice), ...notice, team_id: invoice.team_id }], at);
}
