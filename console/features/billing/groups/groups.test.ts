import { expect, it } from 'vitest';
import { counted } from '../../../lib/texts/count';
import { groupName, groupsHeader, groupsNoun } from './groups';

it('counts apps as apps, or as items if they include models or orders', () => {
  const app = { kind: 'app' as const };
  expect(counted(1, groupsNoun('app', [app]))).toBe('1 app');
  expect(counted(2, groupsNoun('cvm', []))).toBe('2 CVMs');
  expect(counted(1, groupsNoun('basis', []))).toBe('1 service');
  const mixed = [app, { kind: 'ai_model' as const }, { kind: 'order' as const }];
  expect(counted(mixed.length, groupsNoun('app', mixed))).toBe('3 items');
  expect(groupsHeader('app', [app])).toBe('App');
  expect(groupsHeader('cvm', mixed)).toBe('CVM, model or order');
});

it('distinguishes orders for one product', () => {
  const order = { kind: 'order', name: 'Small for a day', app_id: null, deleted: false, count: 1 } as const;
  const [first, second] = [
    { ...order, key: 'ord_0123456789abcd12' },
    { ...order, key: 'ord_0123456789abcd34' },
  ];
  expect(groupName(first, [first])).toBe('Small for a day (order)');
  expect([first, second].map((one) => groupName(one, [first, second]))).toEqual([
    'Small for a day (order …cd12)',
    'Small for a day (order …cd34)',
  ]);
});
