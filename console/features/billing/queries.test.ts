import { expect, it } from 'vitest';
import { operations } from '../../../generated/api/operations.gen';
import type { Payment, PaymentPage } from '../../../generated/api/types.gen';
import { ORDERED, paymentsIn, paymentsOptions } from './queries';

it('refreshes everything that an order changes', () => {
  expect(ORDERED).toEqual(
    expect.arrayContaining([
      'getBilling',
      'getCostForecast',
      'getTeamCost',
      'getAppsSummary',
      'listCvmsPaginated',
    ]),
  );
  for (const id of ORDERED) expect(operations, id).toHaveProperty(id);
});

it('pages through the payments, and polls faster while a card payment is pending', () => {
  const page = (id: string, driver: Payment['driver'], next_cursor: string | null) =>
    ({ items: [{ id, driver, state: 'pending' }], next_cursor }) as PaymentPage;
  const pages = [page('pay_2', 'manual', 'older'), page('pay_1', 'stripe', null)];
  const data = { pages, pageParams: [] };
  expect(paymentsIn(data)?.map(({ id }) => id)).toEqual(['pay_2', 'pay_1']);
  const { getNextPageParam, refetchInterval } = paymentsOptions('acme');
  expect(pages.map((one) => getNextPageParam(one))).toEqual(['older', null]);
  expect(refetchInterval({ state: { data } })).toBe(3_000);
  expect(refetchInterval({ state: { data: { ...data, pages: pages.slice(0, 1) } } })).toBe(15_000);
});
