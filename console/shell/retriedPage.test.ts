import type { RouteComponent } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { retriedPage } from './retriedPage';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** As the router's: its failures are only seen when it is rendered. */
function lazyPage(failures: number) {
  const page: RouteComponent & { calls: number } = Object.assign(() => null, { calls: 0 });
  page.preload = async () => {
    if (++page.calls > failures) delete page.preload;
  };
  return page;
}

it('loads page code again that did not arrive, and is done once it did', async () => {
  const lazy = lazyPage(2);
  const page = retriedPage(lazy);
  // Hovering and clicking the link load it once.
  const loading = Promise.all([page.preload?.(), page.preload?.()]);
  await vi.advanceTimersByTimeAsync(1_000);
  await loading;
  expect(lazy.calls).toBe(3);
  expect(lazy.preload).toBeUndefined();
  expect(page.preload?.()).toBeUndefined();
});

it('gives up on code that is gone, which the next visit tries again', async () => {
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

it('leaves a page alone whose code is there', () => {
  const page: RouteComponent = () => null;
  expect(retriedPage(page)).toBe(page);
});
