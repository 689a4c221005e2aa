/** `offline`: the device has no network. `unreachable`: it has one, but the server doesn't respond. */
export type Connection = 'online' | 'offline' | 'unreachable';

/** Not `/healthz`, which also responds if the database is down and every other request fails. */
const PROBE = '/readyz';
/** Wait between attempts to reach the server, ms. */
const PROBE_MS = 3_000;
/** A server that takes longer counts as unreachable, ms. */
const PROBE_LIMIT_MS = 10_000;

/**
 * Retries of a read that got no response. A device that changes networks breaks every connection several times
 * within a few seconds, once per interface.
 */
export const NETWORK_RETRIES = 4;
/** Wait before retry `attempt`, from 0, ms. */
export const retryDelayMs = (attempt: number): number => 500 * 2 ** attempt;
/** Minimum interval between announcements that the server responds, ms: one request may fail each time. */
const ANNOUNCE_MS = 10_000;

/** Responses of a proxy whose server is down, and of a server that is stopping. */
export const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

let connection: Connection = 'online';
let watching = false;
let probing: Promise<void> | undefined;
const watchers = new Set<() => void>();
const waiting = new Set<() => void>();
const failing = new Set<() => void>();
let announcedAt = -Infinity;
let announcing: ReturnType<typeof setTimeout> | undefined;

function change(next: Connection): void {
  if (next === connection) return;
  connection = next;
  for (const watcher of watchers) watcher();
  if (next === 'online') for (const listener of waiting) listener();
}

async function isReachable(): Promise<boolean> {
  try {
    const { ok } = await fetch(PROBE, { cache: 'no-store', signal: AbortSignal.timeout(PROBE_LIMIT_MS) });
    return ok;
  } catch {
    return false;
  }
}

/**
 * Resolves once the server responds, which is probed until then. A single failed request says little: it may have
 * hit a closing connection.
 */
export function untilReachable(): Promise<void> {
  if (!watching) return Promise.resolve();
  probing ??= probe().finally(() => (probing = undefined));
  return probing;
}

async function probe(): Promise<void> {
  // While the device is going offline, a request may still be answered.
  while (!navigator.onLine || !(await isReachable())) {
    change(navigator.onLine ? 'unreachable' : 'offline');
    // Also removes the listener: an outage may last for days.
    const waited = new AbortController();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PROBE_MS);
      addEventListener('online', () => (clearTimeout(timer), resolve()), { signal: waited.signal });
    });
    waited.abort();
  }
  change('online');
}

/** Starts watching the network and the server; called once by each app. */
export function watchConnection(): void {
  watching = true;
  addEventListener('offline', () => {
    change('offline');
    void untilReachable();
  });
}

/** fetch that notices when the server can't be reached. */
export function withConnection(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      const response = await send(input, init);
      if (AWAY.has(response.status)) void untilReachable();
      return response;
    } catch (error) {
      // A TypeError is fetch's network error; an AbortError comes from the page itself.
      if (error instanceof TypeError) void untilReachable();
      throw error;
    }
  };
}

/**
 * Notifies the listeners of `onResponsive` as soon as the server responds. Called when a read has failed for good:
 * unlike `onReconnect`, this also covers outages that ended before they were detected.
 */
export async function announceResponsive(): Promise<void> {
  if (!watching) return;
  await untilReachable();
  announcing ??= setTimeout(
    () => {
      announcing = undefined;
      // The server may have gone away again by now.
      if (probing) return void announceResponsive();
      announcedAt = Date.now();
      for (const listener of failing) listener();
    },
    Math.max(0, announcedAt + ANNOUNCE_MS - Date.now()),
  );
}

/** Runs `listener` when failed reads can be sent again. @returns a function that unsubscribes */
export function onResponsive(listener: () => void): () => void {
  failing.add(listener);
  return () => void failing.delete(listener);
}

/**
 * Runs `listener` each time the connection is back after an outage was detected. @returns a function that
 * unsubscribes
 */
export function onReconnect(listener: () => void): () => void {
  waiting.add(listener);
  return () => void waiting.delete(listener);
}

export const currentConnection = (): Connection => connection;

/** Runs `watcher` after each change. @returns a function that unsubscribes */
export function subscribeConnection(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}
