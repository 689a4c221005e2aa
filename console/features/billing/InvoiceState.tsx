import type { Invoice } from '../../../generated/api/types.gen';
import { ToneChip } from '../../ui/feedback/ToneChip';
import { invoiceStates } from './texts';

export function InvoiceState({ invoice: { state, kind } }: { invoice: Invoice }) {
  const { word, ...look } = invoiceStates[state];
  return <ToneChip {...look}>{kind === 'credit_note' ? 'Credited' : word}</ToneChip>;
}
