import { expect, it } from 'vitest';
import { usedOf } from './used';

const budget = { amount: '100.00', used: '120.50', used_by_orders: '90.00' };

it('shows one sum that includes orders, and the part that doesn’t count for the action', () => {
  const used = { usd: '120.50', percent: 120 };
  expect(usedOf({ ...budget, action: 'notify' })).toEqual({ ...used, exempt: null });
  expect(usedOf({ ...budget, action: 'stop' })).toEqual({
    ...used,
    exempt: '$90.00 for orders, which don’t stop CVMs',
  });
  expect(usedOf({ ...budget, action: 'refuse' })).toEqual({
    ...used,
    exempt: '$90.00 for orders, which don’t block new CVMs',
  });
  expect(usedOf({ ...budget, used_by_orders: '0.00', action: 'stop' }).exempt).toBeNull();
});
