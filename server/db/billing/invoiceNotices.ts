import { invoiceNotice } from '../../domain/billing/invoiceNotice';
import type { Tx } from '../core/client';
import { openNotices, recipientsOf, resolveNotices } from '../notifications/notifications';
import type { InvoiceRow } from './invoicesTables';

const about = ({ public_id }: Pick<InvoiceRow, 'public_id'>) =>
  ({ kind: 'invoice', subject: `invoice:${public_id}` }) as const;

/** Notifies payers that an invoice is issued, or issued and paid, or overdue: what its state is. */
export async function tellIssued(trx: Tx, invoice: InvoiceRow, now: Date): Promise<void> {
  const { team_id } = invoice;
  await openNotices(
    trx,
    { state: 'open', ...about(invoice), ...invoiceNotice(invoice) },
    { team_id, cvm_id: null, at: now },
    await recipientsOf(trx, team_id, 'invoice'),
  );
}

/** Resolves notices about an invoice. @param message null: without mail */
export const tellOver = (trx: Tx, invoice: InvoiceRow, message: string | null, now: Date): Promise<void> =>
  resolveNotices(trx, { state: 'over', ...about(invoice), message }, { team_id: invoice.team_id, at: now });
