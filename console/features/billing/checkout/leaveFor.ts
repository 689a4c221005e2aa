/** Milliseconds after which a page that opens at all has replaced this one. */
export const MAX_LEAVING_MS = 20_000;

/**
 * Opens an address in place of this page. Resolves only if this page stays: when the browser restores it, or with
 * an error if the address didn't open, because the user stopped the navigation or the network or browser blocked
 * it.
 */
export const leaveFor = (url: string) =>
  new Promise<void>((resolve, reject) => {
    const waiting = new AbortController();
    const { signal } = waiting;
    const timer = setTimeout(() => {
      waiting.abort();
      reject(new Error('The page didn’t open. Check your connection, then try again.'));
    }, MAX_LEAVING_MS);
    addEventListener('pagehide', () => clearTimeout(timer), { once: true, signal });
    addEventListener(
      'pageshow',
      ({ persisted }) => {
        // `pageshow` also fires after the initial load, which may end after the click.
        if (!persisted) return;
        waiting.abort();
        clearTimeout(timer);
        resolve();
      },
      { signal },
    );
    location.assign(url);
  });
