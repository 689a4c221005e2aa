import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  getCvmCreateResourcesOptions,
  listInstanceTypesOptions,
  listOrderProductsOptions,
} from '../../../../generated/api/@tanstack/react-query.gen';
import type { OrderProduct, Session } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { sessionOptions } from '../../../api/session';
import { GpuTeePage } from './GpuTeePage';

beforeAll(() => void vi.stubGlobal('location', { pathname: '/dashboard/gpu-tee' }));
afterAll(() => void vi.unstubAllGlobals());

const month: OrderProduct = {
  id: 'prd_1',
  name: 'H200 for a month',
  description: '',
  instance_type: 'h200.small',
  vcpu: 24,
  memory_mb: 262_144,
  gpus: 1,
  covers: 'gpus',
  period: 'month',
  price: '1500.00',
  hourly_rate: '3.50',
  min_periods: 1,
  max_periods: 12,
  refund_percent: 0,
  left: 3,
  starts_at: null,
  ends_at: null,
  version: 1,
  rules: [],
};

/** @returns the page as markup, for a member with these permissions */
function page(items: OrderProduct[], permissions = ['billing.read']): string {
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionOptions().queryKey, {
    user: null,
    teams: [{ slug: 'acme', name: 'Acme', role: 'billing', permissions }],
  } as unknown as Session);
  queryClient.setQueryData(getCvmCreateResourcesOptions({ ...inTeam('acme') }).queryKey, {} as never);
  queryClient.setQueryData(listInstanceTypesOptions().queryKey, { result: [] } as never);
  queryClient.setQueryData(listOrderProductsOptions({ ...inTeam('acme') }).queryKey, { items });
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <GpuTeePage teamSlug="acme" onStart={() => undefined} />
    </QueryClientProvider>,
  ).replace(/<style.*?<\/style>/gs, '');
}
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

it('shows what reserving GPUs costs, compared with the hourly price', () => {
  const day = {
    ...month,
    id: 'prd_2',
    name: 'H200 for days',
    period: 'day',
    price: '90.00',
    left: 0,
  } as const;
  const shown = page([month, day, { ...month, id: 'prd_3', name: 'Small for a month', gpus: 0 }]);
  const text = textOf(shown);
  expect(text).toContain('GPUs of h200.small');
  expect(text).toContain('$3.50 / hour');
  expect(text).toContain('$1,500.00 / month');
  expect(text).toContain('1 to 12 months');
  // 28 days at $3.50 an hour are $2,352, and a day is $84.
  expect(text).toContain('36% less');
  expect(text).toContain('$90.00 / day');
  expect(text).toContain('8% more');
  expect(text).not.toContain('Small for a month');
  expect(shown).toMatch(/<a href="[^"]*tab=reservations" aria-label="Reserve H200 for a month"/);
  expect(shown).not.toContain('aria-label="Reserve H200 for days"');
  expect(text).toContain('Sold out');
});

it('says that no GPUs can be reserved, and nothing to members who can’t read prices', () => {
  expect(textOf(page([]))).toContain('This cloud doesn’t offer any GPUs for a term right now.');
  expect(textOf(page([month], ['cvms.read']))).not.toContain('H200 for a month');
});
