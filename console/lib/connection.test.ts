import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** A minimal window: the device's network, and a server that the tests switch off. */
let serverUp = true;
let browser: EventTarget & { navigator: { onLine: boolean } };

beforeEach(() => {
  vi.resetModules();
  serverUp = true;
  browser = Object.assign(new EventTarget(), { navigator: { onLine: true } });
  vi.stubGlobal('navigator', browser.navigator);
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
  vi.stubGlobal('fetch', async () => {
    if (!serverUp) throw new TypeError('Failed to fetch');
    return new Response('ok');
  });
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  // Test files share modules, and this one watches a connection.
  vi.resetModules();
});

async function setUp(send: typeof fetch) {
  const { onReconnect, watchConnection, withConnection } = await import('./connection');
  let reconnects = 0;
  onReconnect(() => (reconnects += 1));
  watchConnection();
  return { load: withConnection(send), reconnects: () => reconnects };
}

const fails: typeof fetch = async () => {
  throw new TypeError('Failed to fetch');
};

it('reconnects once the server responds again', async () => {
  serverUp = false;
  const { load, reconnects } = await setUp(fails);
  await expect(load('/x')).rejects.toThrow('Failed to fetch');
  await vi.advanceTimersByTimeAsync(7_000);
  expect(reconnects()).toBe(0);
  serverUp = true;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(reconnects()).toBe(1);
});

it('ignores a single failed request while the server responds', async () => {
  const { load, reconnects } = await setUp(fails);
  await expect(load('/x')).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reconnects()).toBe(0);
});

it('announces that the server responds if a read failed although the server never went away', async () => {
  await setUp(fails);
  const { announceResponsive, onResponsive } = await import('./connection');
  let announced = 0;
  onResponsive(() => (announced += 1));
  for (const _read of ['first', 'second']) void announceResponsive();
  await vi.advanceTimersByTimeAsync(1);
  expect(announced).toBe(1);
  void announceResponsive();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(announced).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(announced).toBe(2);
});

it('announces nothing while the server is away', async () => {
  serverUp = false;
  await setUp(fails);
  const { announceResponsive, onResponsive } = await import('./connection');
  let announced = 0;
  onResponsive(() => (announced += 1));
  void announceResponsive();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(announced).toBe(0);
  serverUp = true;
  await vi.advanceTimersByTimeAsync(3_001);
  expect(announced).toBe(1);
});

it('detects a proxy that answers for a stopped server', async () => {
  serverUp = false;
  const { load, reconnects } = await setUp(async () => new Response('', { status: 502 }));
  expect((await load('/x')).status).toBe(502);
  await vi.advanceTimersByTimeAsync(1);
  serverUp = true;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(reconnects()).toBe(1);
});

it('tries immediately when the device is back online', async () => {
  serverUp = false;
  browser.navigator.onLine = false;
  const { reconnects } = await setUp(fails);
  browser.dispatchEvent(new Event('offline'));
  await vi.advanceTimersByTimeAsync(1);
  serverUp = true;
  browser.navigator.onLine = true;
  browser.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(1);
  expect(reconnects()).toBe(1);
});

it('ignores requests that the page aborts', async () => {
  serverUp = false;
  const { load, reconnects } = await setUp(async () => {
    throw new DOMException('aborted', 'AbortError');
  });
  await expect(load('/x')).rejects.toThrow('aborted');
  serverUp = true;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reconnects()).toBe(0);
});

it('imports page code as soon as the connection is back, no matter how long it was gone', async () => {
  serverUp = false;
  browser.navigator.onLine = false;
  await setUp(fails);
  const { importWithRetry } = await import('./importWithRetry');
  let attempts = 0;
  const loading = importWithRetry(async () => {
    attempts += 1;
    if (!serverUp) throw new TypeError('Failed to fetch dynamically imported module: /assets/page.js');
    return 'page';
  });
  await vi.advanceTimersByTimeAsync(3_600_000);
  // No attempt per probe: without a network there is nothing to try.
  expect(attempts).toBe(1);
  serverUp = true;
  browser.navigator.onLine = true;
  browser.dispatchEvent(new Event('online'));
  expect(await loading).toBe('page');
});

it('gives up on page code that a responding server no longer has', async () => {
  await setUp(fails);
  const { importWithRetry } = await import('./importWithRetry');
  let attempts = 0;
  const loading = importWithRetry(async () => {
    attempts += 1;
    throw new TypeError('Failed to fetch dynamically imported module: /assets/old.js');
  });
  const failure = expect(loading).rejects.toThrow('/assets/old.js');
  await vi.advanceTimersByTimeAsync(10_000);
  await failure;
  expect(attempts).toBe(4);
});
