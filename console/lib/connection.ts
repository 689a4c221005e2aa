/** `offline`: the device has no network. `unreachable`: it has, but the server doesn't respond. */
export type Connection = 'online' | 'offline' | 'unreachable';

/** Not `/healthz`: a server whose database is away responds to that, and to nothing else. */
const PROBE = '/readyz';
/** Wait between attempts to reach the server, ms. */
const PROBE_MS = 3_000;
/** A server that takes longer counts as unreachable, ms. */
const PROBE_LIMIT_MS = 10_000;

/**
 * Retries of a read that got no response. A device that changes networks breaks every connection several times within a
 * few seconds, one for each interface.
 */
export const NETWORK_RETRIES = 4;
/** Wait before retry `attempt`, from 0, ms. */
export const retryDelayMs = (attempt: number): number => 500 * 2 ** attempt;
/** Least time between two announcements that the server responds, ms: some request may fail each time. */
const ANNOUNCE_MS = 10_000;

/** Responses of a proxy whose server is away, and of a server that is stopping. */
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
 * Resolves once the server responds, which it is asked until then. One failed request alone says little: it may have met
 * a closing connection.
 */
export function untilReachable(): Promise<void> {
  if (!watching) return Promise.resolve();
  probing ??= probe().finally(() => (probing = undefined));
  return probing;
}

async function probe(): Promise<void> {
  // Without a network, a request may still be answered while the device is going offline.
  while (!navigator.onLine || !(await isReachable())) {
    change(navigator.onLine ? 'unreachable' : 'offline');
    // Ends the listener, too: an outage may last for days.
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
      // A TypeError is fetch's network error; an AbortError is the page's own doing.
      if (error instanceof TypeError) void untilReachable();
      throw error;
    }
  };
}

/**
 * Announces that the server responds, as soon as it does, to the listeners of `onResponsive`. Called when a read has
 * failed for good: unlike `onReconnect`, this also helps after an outage that was over before anyone noticed it.
 */
export async function announceResponsive(): Promise<void> {
  if (!watching) return;
  await untilReachable();
  announcing ??= setTimeout(
    () => {
      announcing = undefined;
      // The server may have gone away again meanwhile.
      if (probing) return void announceResponsive();
      announcedAt = Date.now();
      for (const listener of failing) listener();
    },
    Math.max(0, announcedAt + ANNOUNCE_MS - Date.now()),
  );
}

/** Runs `listener` when failed reads can be sent again. @returns a function that ends this */
export function onResponsive(listener: () => void): () => void {
  failing.add(listener);
  return () => void failing.delete(listener);
}

/** Runs `listener` each time the connection is back after it was seen to be gone. @returns a function that ends this */
export function onReconnect(listener: () => void): () => void {
  waiting.add(listener);
  return () => void waiting.delete(listener);
}

export const currentConnection = (): Connection => connection;

/** Runs `watcher` after each change. @returns a function that ends this */
export function subscribeConnection(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}
