import { expect, it } from 'vitest';
import { deletionEffects } from './deletionEffects';

it('says what ends with a team, without mentioning what it doesn’t have', () => {
  const none = { recycled_cvms: 0, balance: '0.00', payments: 0, orders: 0 };
  expect(deletionEffects(none)).toEqual([]);
  expect(deletionEffects({ ...none, recycled_cvms: 5 })).toEqual([
    '5 CVMs in the recycle bin can’t be restored anymore; their disks and secrets are destroyed.',
  ]);
  expect(deletionEffects({ recycled_cvms: 1, balance: '2.50', payments: 1, orders: 1 })).toHaveLength(4);
});
