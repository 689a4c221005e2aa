/** By then a page that opens at all has replaced this one, ms. */
export const MAX_LEAVING_MS = 20_000;

/**
 * Opens an address in place of this page. Ends only if this page stays: when the browser shows it again as it was left, or
 * with an error if the address didn't open, because users may stop the navigation and their network or browser may block it.
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
        // A page also shows itself once when it has loaded, which may be after the click.
        if (!persisted) return;
        waiting.abort();
        clearTimeout(timer);
        resolve();
      },
      { signal },
    );
    location.assign(url);
  });
