import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import type { AppsSummary, Session } from '../../../../generated/api/types.gen';
import { sessionOptions } from '../../../api/session';
import { summaryOptions } from './queries';
import { UsageSummary } from './UsageSummary';

afterEach(() => void vi.unstubAllGlobals());

function shown(recycled_hourly_rate: string): string {
  vi.stubGlobal('location', { pathname: '/acme' });
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionOptions().queryKey, {
    teams: [{ slug: 'acme', permissions: [] }],
  } as unknown as Session);
  const summary: AppsSummary = {
    cvm_count: 1,
    statuses: [{ status: 'running', cvm_count: 1 }],
    hourly_rate: '0.058',
    hourly_rate_after_orders: null,
    recycled_cvm_count: 2,
    recycled_hourly_rate,
  };
  queryClient.setQueryData(summaryOptions('acme').queryKey, summary);
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <UsageSummary teamSlug="acme" />
    </QueryClientProvider>,
  ).replaceAll(/<style.*?<\/style>|<[^>]*>/gs, '');
}

it('includes disks in the recycle bin in the current spend, and says so', () => {
  expect(shown('0.004')).toContain('$0.062/h incl. $0.004/h for the recycle bin');
  // They are destroyed within a day.
  expect(shown('0.004')).toContain('$42.34/month');
  expect(shown('0.00')).toContain('$0.058/h');
  expect(shown('0.00')).not.toContain('recycle bin');
});
