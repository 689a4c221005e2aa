import type { Billing, TopUpDriver } from '../../../generated/api/types.gen';

type Ways = Pick<Billing, 'card_payments' | 'bank_transfer'>;

/** Transfers require a published bank account. */
export const takesTransfers = ({ bank_transfer }: Ways): boolean => bank_transfer !== null;

/** Returns the ways for a team to add funds. Without any other, it can arrange a transfer with the operator. */
export const topUpDrivers = (ways: Ways): TopUpDriver[] => {
  if (!ways.card_payments) return ['manual'];
  return takesTransfers(ways) ? ['stripe', 'manual'] : ['stripe'];
};
