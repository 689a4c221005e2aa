import { expect, it } from 'vitest';
import { topUpDrivers } from '../../../console/lib/billing/waysToPay';
import { transfersText } from './transfersText';

it('says when teams are offered transfers without a bank account', () => {
  expect(topUpDrivers({ card_payments: true, bank_transfer: null })).not.toContain('manual');
  expect(topUpDrivers({ card_payments: false, bank_transfer: null })).toContain('manual');
  const text = transfersText({ bank_account: null });
  expect(text).toContain('Teams that can pay by card aren’t offered bank transfers.');
  expect(text).toContain('On a server without card payments they are');
});
