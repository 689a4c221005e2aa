import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { ApiError } from '../apiError';
import { useContractWait } from './useContractWait';

const PAGE = '/acme/cvms/web/kms';
const waits = new ApiError({ status: 409, message: 'Waits for the contract.', code: 'ERR-01-005' });
const other = new ApiError({ status: 409, message: 'Another operation is in progress.' });

/** The hook as used in a dialog, with what it closes and opens. */
function dialog(page: string | null) {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  const opened = vi.spyOn(router, 'navigate').mockResolvedValue(undefined);
  const closed = vi.fn();
  const rendered = vi.fn<(wait: ReturnType<typeof useContractWait>) => null>(() => null);
  function Dialog() {
    return rendered(useContractWait('acme', page, closed));
  }
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <RouterContextProvider router={router}>
        <Dialog />
      </RouterContextProvider>
    </QueryClientProvider>,
  );
  const [wait] = rendered.mock.lastCall ?? [];
  if (!wait) throw new Error('not rendered');
  return { wait, opened, closed };
}

it('closes the dialog and opens the page where the change waits', async () => {
  const { wait, opened, closed } = dialog(PAGE);
  expect(wait.shown(waits)).toBeNull();
  await wait.lead(waits);
  expect(closed).toHaveBeenCalledOnce();
  expect(opened).toHaveBeenCalledWith(expect.objectContaining({ href: PAGE }));
});

it('keeps the dialog open with the refusal if there is no page to open', async () => {
  const { wait, opened, closed } = dialog(null);
  expect(wait.shown(waits)).toBe(waits);
  await wait.lead(waits);
  expect(closed).not.toHaveBeenCalled();
  expect(opened).not.toHaveBeenCalled();
});

it('keeps it open with any other error', async () => {
  const { wait, opened, closed } = dialog(PAGE);
  expect(wait.shown(other)).toBe(other);
  await wait.lead(other);
  expect(closed).not.toHaveBeenCalled();
  expect(opened).not.toHaveBeenCalled();
});
