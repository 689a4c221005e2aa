import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Session } from '../../../generated/api/types.gen';
import { sessionOptions } from '../../api/session';
import { DetailsPanel } from './DetailsPanel';
import { detailsOptions } from './queries';

it('keeps the details, and what is typed in their form, if a later read fails', () => {
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionOptions().queryKey, {
    teams: [{ slug: 'acme', name: 'Acme', permissions: [] }],
  } as unknown as Session);
  const { queryKey } = detailsOptions('acme');
  queryClient.setQueryData(queryKey, {
    legal_name: 'Acme Ltd',
    address: null,
    country: null,
    vat_id: null,
    tax_rule: 'none',
    tax_percent: null,
  } as never);
  queryClient
    .getQueryCache()
    .find({ queryKey })
    ?.setState({ status: 'error', error: new Error('Couldn’t reach the server.') as never });
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <DetailsPanel teamSlug="acme" manage={{ allowed: true, reason: undefined }} />
    </QueryClientProvider>,
  );
  expect(html).toContain('Acme Ltd');
  expect(html).not.toContain('Couldn’t load');
});
