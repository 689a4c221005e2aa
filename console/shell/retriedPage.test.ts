import type { RouteComponent } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { retriedPage } from './retriedPage';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Like the router's lazy components: failures only surface on render. */
function lazyPage(failures: number) {
  const page: RouteComponent & { calls: number } = Object.assign(() => null, { calls: 0 });
  page.preload = async () => {
    if (++page.calls > failures) delete page.preload;
  };
  return page;
}

it('reloads page code that failed to arrive, and is done once it has', async () => {
  const lazy = lazyPage(2);
  const page = retriedPage(lazy);
  // Hovering over the link and clicking it load the code once.
  const loading = Promise.all([page.preload?.(), page.preload?.()]);
  await vi.advanceTimersByTimeAsync(1_000);
  await loading;
  expect(lazy.calls).toBe(3);
  expect(lazy.preload).toBeUndefined();
  expect(page.preload?.()).toBeUndefined();
});

it('gives up on code that no longer exists, and tries again on the next visit', async () => {
  const lazy = lazyPage(5);
  const page = retriedPage(lazy);
  const first = page.preload?.();
  await vi.advanceTimersByTimeAsync(3_000);
  await first;
  expect([lazy.calls, lazy.preload === undefined]).toEqual([4, false]);
  const next = page.preload?.();
  await vi.advanceTimersByTimeAsync(3_000);
  await next;
  expect(lazy.preload).toBeUndefined();
});

it('doesn’t change a page whose code has loaded', () => {
  const page: RouteComponent = () => null;
  expect(retriedPage(page)).toBe(page);
});
