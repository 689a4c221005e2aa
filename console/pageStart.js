// Runs before the app's code arrives. Shows the page's frame in the right colors (names as in ui/theme.ts).
let scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
try {
  const stored = localStorage.getItem('teehouse-theme');
  if (stored === 'light' || stored === 'dark') scheme = stored;
} catch {
  // Without storage the page follows the operating system.
}
document.documentElement.setAttribute('data-theme', scheme);

// Sends the page's first requests, as predicted by the server; api/client.ts uses the responses.
const first = document.querySelector('meta[name="first-requests"]');
if (first) {
  const { team, version } = first.dataset;
  const headers = { 'X-Workspace': team, 'X-Phala-Version': version };
  const send = (path) => fetch(path, { headers }).catch(() => undefined);
  const responses = new Map(first.content.split(' ').map((path) => [path, send(path)]));
  window.firstResponses = { team, responses };
}

// If a start script fails to load, the page stays empty: reloads it, at most three times in a row.
const START_RETRIES = 'teehouse.start_retries';

addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return;
    let count = 3;
    try {
      count = Number(sessionStorage.getItem(START_RETRIES));
      sessionStorage.setItem(START_RETRIES, String(count + 1));
    } catch {
      // Without storage the attempts can't be counted.
    }
    const reload = () => location.reload();
    if (!navigator.onLine) addEventListener('online', reload, { once: true });
    else if (count < 3) setTimeout(reload, 300 * 3 ** count);
    else {
      const root = document.getElementById('root');
      // A public page has none: it stays readable without its script.
      if (!root) return;
      document.getElementById('shell')?.remove();
      root.textContent = 'Couldn’t load this page. Check your connection, then reload.';
    }
  },
  true,
);

// Long after a successful start, a later failure counts as a new event.
addEventListener('load', () =>
  setTimeout(() => {
    try {
      if (document.querySelector('#root main')) sessionStorage.removeItem(START_RETRIES);
    } catch {
      // Nothing was counted.
    }
  }, 5_000),
);
