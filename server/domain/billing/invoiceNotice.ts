import { formatUsd } from '../../../console/lib/billing/money';
import type { InvoiceState } from '../../../generated/api/types.gen';
import { utcDay } from '../core/dates';
import { documentNumber } from './invoice';

interface Told {
  public_id: string;
  series: string | null;
  number: number | null;
  state: InvoiceState;
  total_cents: number;
  due_at: Date | null;
}

interface InvoiceNotice {
  severity: 'warning' | 'error';
  title: string;
  message: string;
}

const nameOf = ({ series, number, public_id }: Told) =>
  `Invoice ${series !== null && number !== null ? documentNumber(series, number) : public_id}`;

/** Returns the notice for an invoice's state. */
export function invoiceNotice(invoice: Told): InvoiceNotice {
  const amount = formatUsd(invoice.total_cents * 10_000);
  const due = invoice.due_at === null ? '' : utcDay(invoice.due_at);
  switch (invoice.state) {
    case 'paid':
      return {
        severity: 'warning',
        title: `${nameOf(invoice)} is paid`,
        message: `${amount} was paid from the balance. No action is needed.`,
      };
    case 'void':
      return {
        severity: 'warning',
        title: `${nameOf(invoice)} is void`,
        message: 'Nothing is due for it.',
      };
    case 'overdue':
      return {
        severity: 'error',
        title: `${nameOf(invoice)} is overdue`,
        message: `${amount} was due on ${due}. Add funds, and it is paid automatically once the balance covers it.`,
      };
    default:
      return {
        severity: 'warning',
        title: `${nameOf(invoice)} is issued`,
        message: `${amount} is due on ${due}. Add funds, and it is paid automatically once the balance covers it.`,
      };
  }
}
