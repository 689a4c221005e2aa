import { expect, it } from 'vitest';
import { topUpDrivers } from '../../../console/lib/billing/waysToPay';
import { transfersText } from './transfersText';

it.each([
  [true, 'aren’t offered bank transfers'],
  [false, 'are offered bank transfers'],
])(
  'says whether teams are offered transfers without a bank account; card payments: %s',
  (card_payments, says) => {
    expect(topUpDrivers({ card_payments, bank_transfer: null }).includes('manual')).toBe(!card_payments);
    expect(transfersText({ bank_account: null, card_payments })).toContain(says);
  },
);

it('names the account', () => {
  const text = transfersText({ bank_account: 'Example Ltd, DE02', card_payments: true });
  expect(text).toContain('Teams send transfers to Example Ltd, DE02.');
});
