import { environmentManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from './apiError';
import { createQueryClient } from './queryClient';

beforeEach(() => {
  vi.useFakeTimers();
  // Nothing is repeated where there is no page.
  environmentManager.setIsServer(() => false);
});
afterEach(() => {
  vi.useRealTimers();
  environmentManager.setIsServer(() => true);
});

/** Shows a read that fails with this status as often as said, for a minute. */
async function shown(status: number, failures: number) {
  const client = createQueryClient({ onUnauthenticated: vi.fn(), onTeamRefused: vi.fn() });
  let sent = 0;
  const observer = new QueryObserver(client, {
    queryKey: ['read'],
    queryFn: () => {
      sent += 1;
      if (sent <= failures) throw new ApiError({ status, message: 'Failed' });
      return 'data';
    },
  });
  const stop = observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  const { data } = observer.getCurrentResult();
  stop();
  return { data, sent };
}

test('a page whose read got no response recovers by itself, however long that takes', async () => {
  expect(await shown(0, 7)).toEqual({ data: 'data', sent: 8 });
  expect(await shown(503, 7)).toEqual({ data: 'data', sent: 8 });
});

test('what the server refused is not asked again', async () => {
  expect(await shown(404, 1)).toEqual({ data: undefined, sent: 1 });
});
