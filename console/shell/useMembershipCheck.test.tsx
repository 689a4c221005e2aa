import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { client } from '../../generated/api/client.gen';
import type { Session } from '../../generated/api/types.gen';
import { sessionOptions } from '../api/session';
import { useMembershipCheck } from './useMembershipCheck';

// Test files share the client.
const before = client.getConfig();
afterEach(() => {
  client.setConfig(before);
  vi.unstubAllGlobals();
});

const sessionOf = (id: string): Session =>
  ({ user: { id, username: id }, teams: [{ slug: 'acme', role: 'member' }] }) as Session;

/** Checks in a page opened as `known` whose session is now `now`. @returns the page's reload */
async function check(known: Session, now: Session) {
  const reload = vi.fn();
  vi.stubGlobal('location', { pathname: '/acme', search: '', reload, replace: vi.fn() });
  const answered = vi.fn(async () => Response.json(now));
  client.setConfig({ baseUrl: 'http://console.test/api/v1', fetch: answered });
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionOptions().queryKey, known);
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  const asked = vi.fn<(ask: () => void) => null>(() => null);
  function Page() {
    return asked(useMembershipCheck('acme'));
  }
  renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <RouterContextProvider router={router}>
        <Page />
      </RouterContextProvider>
    </QueryClientProvider>,
  );
  asked.mock.lastCall![0]();
  await vi.waitFor(() => expect(answered).toHaveBeenCalledOnce());
  return reload;
}

it('reloads the page after another account signed in in another tab', async () => {
  const reload = await check(sessionOf('usr_a'), sessionOf('usr_b'));
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

it('leaves the page alone while it belongs to the signed-in user', async () => {
  const reload = await check(sessionOf('usr_a'), sessionOf('usr_a'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(reload).not.toHaveBeenCalled();
});
