import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import type { CostForecast, Session } from '../../generated/api/types.gen';
import { sessionOptions } from '../api/session';
import { TokensAside } from '../features/accounts/tokens/TokensAside';
import { CurrentCosts } from '../features/billing/current/CurrentCosts';
import { forecastOptions } from '../features/billing/queries';
import { MembersAside } from '../features/teams/members/MembersAside';

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  useParams: () => ({ teamSlug: 'acme' }),
}));

afterEach(() => void vi.unstubAllGlobals());

/** Returns the addresses linked for a role with these permissions. */
function linksOf(page: ReactNode, permissions: string[]): string[] {
  vi.stubGlobal('location', { pathname: '/acme' });
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionOptions().queryKey, {
    teams: [{ slug: 'acme', name: 'Acme', role: 'viewer', permissions }],
  } as unknown as Session);
  queryClient.setQueryData(forecastOptions('acme').queryKey, {
    current: [],
    current_total: 0,
  } as unknown as CostForecast);
  const html = renderToStaticMarkup(<QueryClientProvider client={queryClient}>{page}</QueryClientProvider>);
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!);
}

it('links only what the role may use', () => {
  const audit = '/acme/members?tab=audit';
  expect(linksOf(<TokensAside />, ['tokens.read'])).not.toContain(audit);
  expect(linksOf(<TokensAside />, ['team.audit'])).toContain(audit);
  expect(linksOf(<MembersAside />, [])).not.toContain('/acme/tokens');
  expect(linksOf(<MembersAside />, ['tokens.write'])).toContain('/acme/tokens');
  expect(linksOf(<CurrentCosts teamSlug="acme" />, ['billing.read'])).not.toContain('/acme/deploy');
  expect(linksOf(<CurrentCosts teamSlug="acme" />, ['billing.read', 'cvms.write'])).toContain('/acme/deploy');
});
