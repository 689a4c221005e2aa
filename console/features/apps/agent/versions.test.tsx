import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { ApiError } from '../../../api/apiError';
import { useCharacterUpdate } from './useCharacter';
import { earlierThan } from './versions';

const { patchCvm } = vi.hoisted(() => ({ patchCvm: vi.fn<() => Promise<{ data: unknown }>>() }));
vi.mock('../../../../generated/api/sdk.gen', async (original) => ({
  ...(await original<object>()),
  getCvm: () =>
    Promise.resolve({
      data: { compose_file: { docker_compose_file: 'before' } },
      response: new Response(),
    }),
  patchCvm,
}));

const revisions = [4, 3, 2, 1].map((revision_number) => ({ revision_number }));
const numbers = (running: number | null) =>
  earlierThan(running, revisions).map(({ revision_number }) => revision_number);

it('compares with revisions earlier than the running one, not than the newest', () => {
  expect(numbers(4)).toEqual([3, 2, 1]);
  expect(numbers(3)).toEqual([2, 1]);
  expect(numbers(1)).toEqual([]);
});

it('takes the newest for the running one if that is unknown', () => {
  expect(numbers(null)).toEqual([3, 2, 1]);
});

/** The update as used by the editor, with what it drops and opens. */
function editor() {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  const opened = vi.spyOn(router, 'navigate').mockResolvedValue(undefined);
  const saved = vi.fn();
  const address = { by: 'team', teamSlug: 'acme', vmUuid: '1', base: '/acme/cvms/1' } as const;
  const rendered = vi.fn<(update: ReturnType<typeof useCharacterUpdate>) => null>(() => null);
  function Editor() {
    return rendered(useCharacterUpdate(address, 'cvm_1', saved));
  }
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <RouterContextProvider router={router}>
        <Editor />
      </RouterContextProvider>
    </QueryClientProvider>,
  );
  const [update] = rendered.mock.lastCall ?? [];
  if (!update) throw new Error('not rendered');
  const change = { compose: 'after', before: 'before', reason: 'edited' };
  return { save: () => update.mutateAsync(change).catch(() => undefined), opened, saved };
}

it('drops the edit once the change is saved, and opens the page where it waits for the contract', async () => {
  const { save, opened, saved } = editor();
  patchCvm.mockResolvedValueOnce({ data: {} });
  await save();
  expect(saved).toHaveBeenCalledOnce();
  expect(opened).toHaveBeenLastCalledWith(expect.objectContaining({ href: '/acme/cvms/1' }));
  patchCvm.mockRejectedValueOnce(new ApiError({ status: 465, code: 'ERR-01-005', message: 'Waits' }));
  await save();
  expect(saved).toHaveBeenCalledTimes(2);
  expect(opened).toHaveBeenLastCalledWith(expect.objectContaining({ href: '/acme/cvms/1/kms' }));
  patchCvm.mockRejectedValueOnce(new ApiError({ status: 409, message: 'Busy' }));
  await save();
  expect(saved).toHaveBeenCalledTimes(2);
});
