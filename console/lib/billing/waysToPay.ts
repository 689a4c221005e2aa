import type { Billing, TopUpDriver } from '../../../generated/api/types.gen';

type Ways = Pick<Billing, 'card_payments' | 'bank_transfer'>;

/** Nobody can send a transfer without knowing where to. */
export const takesTransfers = ({ bank_transfer }: Ways): boolean => bank_transfer !== null;

/** How a team adds funds. Without any other way, a transfer can be arranged with the operator. */
export const topUpDrivers = (ways: Ways): TopUpDriver[] => {
  if (!ways.card_payments) return ['manual'];
  return takesTransfers(ways) ? ['stripe', 'manual'] : ['stripe'];
};
