import { environmentManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** Whether `/readyz` responds. */
let serverUp = true;
const isServer = environmentManager.isServer();

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  serverUp = true;
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('fetch', async () => {
    if (!serverUp) throw new TypeError('Failed to fetch');
    return new Response('ok');
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  environmentManager.setIsServer(() => isServer);
  // Test files share modules, and these watch a connection.
  vi.resetModules();
});

interface Failure {
  status: number;
  retry_after?: number;
}

/** Renders a read of the console and counts its requests; `fails` returns how a request fails, if it does. */
async function consoleRead(fails: (sent: number) => Failure | undefined) {
  const { ApiError } = await import('./apiError');
  const { createQueryClient } = await import('./queryClient');
  const client = createQueryClient({ onUnauthenticated: vi.fn(), onTeamRefused: vi.fn() });
  return read(client, (sent) => {
    const failure = fails(sent);
    if (failure) throw new ApiError({ message: 'Failed', ...failure });
  });
}

/** The same for the admin area. */
async function adminRead(fails: (sent: number) => Failure | undefined) {
  const { HttpError } = await import('react-admin');
  const { createQueryClient } = await import('../../admin/queryClient');
  return read(createQueryClient(), (sent) => {
    const failure = fails(sent);
    if (!failure) return;
    const { status, retry_after } = failure;
    const body = retry_after === undefined ? {} : { retry_at: Date.now() + retry_after * 1000 };
    throw new HttpError('Failed', status, body);
  });
}

async function read(client: ConstructorParameters<typeof QueryObserver>[0], failOr: (sent: number) => void) {
  const { watchConnection } = await import('../lib/connection');
  const query = await import('@tanstack/react-query');
  // Without a page, queries are never retried.
  query.environmentManager.setIsServer(() => false);
  watchConnection();
  let sent = 0;
  const observer = new query.QueryObserver(client, {
    queryKey: ['read'],
    queryFn: () => {
      sent += 1;
      failOr(sent);
      return 'data';
    },
  });
  const stop = observer.subscribe(() => undefined);
  return {
    stop,
    sent: () => sent,
    data: () => observer.getCurrentResult().data,
  };
}

for (const [area, shown] of [
  ['the console', consoleRead],
  ['the admin area', adminRead],
] as const) {
  for (const status of [0, 502, 503, 504])
    test(`in ${area}, a read that failed with ${status} is resent once the server responds, even after an hour`, async () => {
      serverUp = false;
      const page = await shown(() => (serverUp ? undefined : { status }));
      await vi.advanceTimersByTimeAsync(3_600_000);
      const before = page.sent();
      expect(page.data()).toBeUndefined();
      // Only the probes continue.
      expect(before).toBeLessThanOrEqual(5);
      serverUp = true;
      await vi.advanceTimersByTimeAsync(10_000);
      expect(page.data()).toBe('data');
      expect(page.sent()).toBe(before + 1);
      page.stop();
    });

  test(`in ${area}, a read recovers from an outage that went unnoticed`, async () => {
    const page = await shown((sent) => (sent <= 5 ? { status: 0 } : undefined));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(page.data()).toBe('data');
    page.stop();
  });

  test(`in ${area}, a read that keeps failing while the server responds is repeated at most every ten seconds`, async () => {
    const page = await shown(() => ({ status: 502 }));
    await vi.advanceTimersByTimeAsync(60_000);
    // Three attempts each time.
    expect(page.sent()).toBeGreaterThanOrEqual(15);
    expect(page.sent()).toBeLessThanOrEqual(24);
    page.stop();
  });

  test(`in ${area}, a read is not resent before its Retry-After`, async () => {
    const page = await shown((sent) => (sent === 1 ? { status: 503, retry_after: 40 } : undefined));
    await vi.advanceTimersByTimeAsync(39_000);
    expect(page.sent()).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(page.data()).toBe('data');
    page.stop();
  });

  test(`in ${area}, a refused request is not resent`, async () => {
    const page = await shown(() => ({ status: 404 }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(page.sent()).toBe(1);
    page.stop();
  });
}

test('a change made while the device is offline is refused, and not sent later', async () => {
  const query = await import('@tanstack/react-query');
  const { createQueryClient } = await import('./queryClient');
  const client = createQueryClient({ onUnauthenticated: vi.fn(), onTeamRefused: vi.fn() });
  query.onlineManager.setOnline(false);
  try {
    let sent = 0;
    const start = new query.MutationObserver(client, {
      mutationFn: async () => {
        sent += 1;
        throw new Error('Couldn’t reach the server.');
      },
    });
    await expect(start.mutate()).rejects.toThrow('Couldn’t reach the server.');
    expect(start.getCurrentResult()).toMatchObject({ isPending: false, isPaused: false });
    query.onlineManager.setOnline(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toBe(1);
  } finally {
    query.onlineManager.setOnline(true);
  }
});
