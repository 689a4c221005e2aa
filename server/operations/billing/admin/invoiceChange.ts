import { allows } from '../../../../console/lib/billing/allowedActions';
import type { InvoiceState } from '../../../../generated/api/types.gen';
import { adminInvoices } from '../../../db/billing/adminBilling';
import { lockInvoice } from '../../../db/billing/invoices';
import type { InvoiceRow } from '../../../db/billing/invoicesTables';
import { adminOne } from '../../../db/core/adminList';
import type { Tx } from '../../../db/core/client';
import { adminInvoiceOut } from '../../../domain/billing/invoiceResponse';
import { Problem } from '../../../domain/core/problem';
import { etagOf } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { invoices } from '../../core/admin/resourcesBilling';
import type { Context, Write } from '../../types';
import { approvalFor, type Planned } from '../approvals/approval';

interface Change<S, W> {
  /** HTTP status of the reply. */
  status: S;
  /** For the audit log. */
  action: string;
  /** States that allow the change. */
  states: readonly InvoiceState[];
  reason?: string;
  /** Runs before the change of a locked invoice. @returns the reply if the change must wait */
  first?: (write: Write, invoice: InvoiceRow) => Promise<W | null>;
  /** @returns the row to reply with */
  act: (trx: Tx, invoice: InvoiceRow) => Promise<Pick<InvoiceRow, 'id'>>;
}

/** Changes a locked invoice; the transaction includes its audit entry. */
export const changeInvoice = <S extends 200 | 201, W = never>(
  ctx: Context,
  id: number,
  { status, action, states, reason, first, act }: Change<S, W>,
) =>
  ctx.write(async ({ trx, audit }) => {
    const invoice = await lockInvoice(trx, id);
    if (!invoice) throw missing(invoices, id);
    if (!allows(states, invoice.state) || (invoice.kind === 'credit_note' && invoice.state !== 'draft'))
      throw new Problem('INVOICE_STATE', {
        message:
          invoice.kind === 'credit_note'
            ? 'A credit note cannot be changed.'
            : `The invoice is ${invoice.state}. It must be ${states.join(' or ')}.`,
      });
    const waits = await first?.({ trx, audit }, invoice);
    if (waits) return waits;
    const { id: changed } = await act(trx, invoice);
    const row = await adminOne(trx, adminInvoices, changed);
    if (!row) throw missing(invoices, changed);
    const { number, total, state } = adminInvoiceOut(row);
    await audit({
      action,
      target_kind: 'invoice',
      target_id: invoice.public_id,
      team_id: invoice.team_id,
      before: { state: invoice.state },
      after: { number, total, state, ...(reason === undefined ? {} : { reason }) },
    });
    return {
      status,
      headers: { ETag: etagOf(invoices.name, row.id, row.updated_at) },
      body: adminInvoiceOut(row),
    };
  });

/** Forgiving part of an invoice may need an approval first. */
export const approvedFirst =
  (
    ctx: Context,
    planned: Pick<Planned, 'action' | 'path' | 'body' | 'reason'>,
    centsOf: (trx: Tx, invoice: InvoiceRow) => number | Promise<number>,
  ) =>
  async (write: Write, invoice: InvoiceRow) =>
    approvalFor(ctx, write, {
      ...planned,
      team_id: invoice.team_id,
      target: invoice.public_id,
      amount_micros: (await centsOf(write.trx, invoice)) * 10_000,
    });
