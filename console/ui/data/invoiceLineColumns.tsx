import { invoiceBasisTexts } from '../../lib/billing/basisTexts';
import type { Column } from './column';
import { Cost } from './Cost';

interface InvoiceLine {
  basis: keyof typeof invoiceBasisTexts;
  hours: number;
  /** Null if it changed during the month. */
  hourly_rate: string | null;
  amount: string;
}

/** @param decimals of the hours */
export const serviceColumns = (decimals: number): Column<InvoiceLine>[] => [
  {
    id: 'basis',
    header: 'Service',
    cell: ({ basis }) => invoiceBasisTexts[basis],
    wrap: true,
    priority: 2,
    labelled: true,
  },
  {
    id: 'hours',
    header: 'Hours',
    // AI is billed per token, and a one-time order has no hours.
    cell: ({ basis, hours }) =>
      basis === 'ai' || (basis === 'order' && hours === 0) ? '—' : hours.toFixed(decimals),
    align: 'right',
    priority: 2,
    labelled: true,
  },
  {
    id: 'rate',
    header: 'Per hour',
    cell: ({ basis, hourly_rate }) => {
      if (basis === 'order' || basis === 'ai') return '—';
      return hourly_rate === null ? 'Varies' : <Cost usd={hourly_rate} />;
    },
    align: 'right',
    priority: 3,
    labelled: true,
  },
];

export const amountColumn: Column<InvoiceLine> = {
  id: 'amount',
  header: 'Amount',
  cell: ({ amount }) => <Cost usd={amount} />,
  align: 'right',
  phone: 'end',
};
