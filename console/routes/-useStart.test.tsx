import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import type { Session } from '../../generated/api/types.gen';
import { sessionOptions } from '../api/session';
import { useDeployForm } from '../features/apps/deploy/useDeployForm';
import type { DeployForm } from '../features/apps/deploy/form';
import { useStart } from './-useStart';

/** A page that starts from a launch option, with the deploy form it fills in. */
function page() {
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionOptions().queryKey, {
    user: { id: 'usr_a' },
    teams: [],
  } as unknown as Session);
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  const opened = vi.spyOn(router, 'navigate').mockResolvedValue(undefined);
  const shown = vi.fn<(form: DeployForm, change: (next: Partial<DeployForm>) => void) => void>();
  const started = vi.fn<(start: ReturnType<typeof useStart>) => void>();
  function Page() {
    const [form, change] = useDeployForm('acme');
    shown(form, change);
    started(useStart('acme'));
    return null;
  }
  const render = () => {
    renderToStaticMarkup(
      <QueryClientProvider client={queryClient}>
        <RouterContextProvider router={router}>
          <Page />
        </RouterContextProvider>
      </QueryClientProvider>,
    );
    const [form, change] = shown.mock.lastCall!;
    return { form, change, onStart: started.mock.lastCall![0].onStart };
  };
  return { render, opened };
}

it('fills in the deploy form and opens it', () => {
  const { render, opened } = page();
  render().onStart({ compose: '', size: 'h200.small' });
  expect(render().form).toMatchObject({ compose: '', size: 'h200.small' });
  expect(opened).toHaveBeenCalledWith({ href: '/acme/deploy' });
});

it('asks before it replaces a draft, on whichever page it starts', () => {
  const { render, opened } = page();
  render().change({ compose: 'services: {}', name: 'mine' });
  render().onStart({ compose: '', size: 'h200.small' });
  expect(render().form).toMatchObject({ compose: 'services: {}', name: 'mine' });
  expect(opened).not.toHaveBeenCalled();
});
