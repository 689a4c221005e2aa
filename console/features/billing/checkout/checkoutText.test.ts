import { expect, it } from 'vitest';
import { checkoutText } from './checkoutText';
import { billingPageSearch } from '../search';
import { paymentState } from '../texts';

const payment = { amount: '20.00', received: '0.00', reason: null, waits_for_payer: true } as const;

it('shows returning payers the status of their payment', () => {
  expect(checkoutText({ ...payment, state: 'pending' }, 'done')).toMatchObject({
    title: 'The $20.00 payment is processing',
    isOpen: false,
  });
  expect(checkoutText({ ...payment, state: 'paid', received: '20.00' }, 'done').title).toBe(
    '$20.00 received',
  );
  expect(checkoutText({ ...payment, state: 'pending' }, 'left')).toMatchObject({
    title: '$20.00 wasn’t paid',
    text: 'You left the payment page before paying. Nothing was charged.',
    isOpen: true,
  });
  expect(checkoutText({ ...payment, state: 'pending', reason: 'Your card was declined.' }, 'left').text).toBe(
    'Your card was declined. Nothing was charged.',
  );
  expect(checkoutText({ ...payment, state: 'cancelled' }, 'left').isOpen).toBe(false);
});

it('never shows a declined payment as pending, whatever the address says', () => {
  const declined = { ...payment, state: 'pending', reason: 'Your card was declined.' } as const;
  const { title, text, isOpen } = checkoutText(declined, 'done');
  expect([title, isOpen]).toEqual(['$20.00 wasn’t paid', true]);
  expect(text).toMatch(/^Your card was declined\. If you paid with another card/);
});

it('requires both a payment and how its page was left', () => {
  expect(billingPageSearch({ team: 'acme', payment: 'pay_1', checkout: 'left' })).toEqual({
    team: 'acme',
    payment: 'pay_1',
    checkout: 'left',
  });
  for (const search of [{ payment: 'pay_1' }, { checkout: 'done' }, { payment: '<b>', checkout: 'done' }])
    expect(billingPageSearch(search)).toEqual({ team: undefined, payment: undefined, checkout: undefined });
});

it('doesn’t show an unpaid card payment as a pending transfer', () => {
  expect(paymentState({ ...payment, state: 'pending' }).word).toBe('Incomplete');
  expect(paymentState({ ...payment, state: 'pending', reason: 'Your card was declined.' }).word).toBe(
    'Not paid',
  );
  expect(paymentState({ ...payment, state: 'pending' }, true).word).toBe('Processing');
  // The same applies to one that was paid on its page and then declined.
  expect(paymentState({ ...payment, state: 'pending', reason: 'Your card was declined.' }, true).word).toBe(
    'Not paid',
  );
  // Transfers, and automatic payments that Stripe has not yet answered.
  expect(paymentState({ ...payment, state: 'pending', waits_for_payer: false }).word).toBe('Waiting');
});
