import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import type { ActivityEvent } from '../../../generated/api/types.gen';
import { newestOptions, pagesOptions } from './queries';
import { useEventPages } from './useEventPages';

const ASKED = { teamSlug: 'acme', scope: {}, q: '', from: undefined };
const event = (id: string, second: number) =>
  ({ id, created_at: `2026-11-23T10:00:0${second}Z` }) as ActivityEvent;
const page = (...data: ActivityEvent[]) => ({
  data,
  pagination: { total: null, has_more: false, next_cursor: null },
});

it('lists live and older events in the order in which they happened', () => {
  const client = new QueryClient();
  client.setQueryData(pagesOptions(ASKED).queryKey, {
    pages: [page(event('11', 3), event('10', 1))],
    pageParams: [''],
  });
  // The host reported 13, which happened before the deletion 12, after it.
  client.setQueryData(
    newestOptions(ASKED).queryKey,
    page(event('13', 4), event('12', 5), event('11', 3), event('10', 1)),
  );
  const rendered = vi.fn<(events: readonly ActivityEvent[] | undefined) => null>(() => null);
  function List() {
    return rendered(useEventPages(ASKED).events);
  }
  renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <List />
    </QueryClientProvider>,
  );
  expect(rendered.mock.lastCall?.[0]?.map(({ id }) => id)).toEqual(['12', '13', '11', '10']);
});
