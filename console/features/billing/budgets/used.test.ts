import { expect, it } from 'vitest';
import { usedOf } from './used';

const budget = { amount: '100.00', used: '120.50', used_by_orders: '90.00' };

it('counts orders only where they make the budget act', () => {
  expect(usedOf({ ...budget, action: 'notify' })).toEqual({
    usd: '120.50',
    percent: 120,
    withOrders: null,
  });
  for (const action of ['stop', 'refuse'] as const)
    expect(usedOf({ ...budget, action })).toEqual({
      usd: '30.50',
      percent: 30,
      withOrders: { usd: '120.50', percent: 120 },
    });
  expect(usedOf({ ...budget, used: '30.50', used_by_orders: '0.00', action: 'stop' }).withOrders).toBeNull();
});
