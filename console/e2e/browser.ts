import { setTimeout as wait } from 'node:timers/promises';
import { test as base, type Browser, type BrowserContext, type Page } from '@playwright/test';

/**
 * Playwright's `test`, with navigation that survives a network change: starting a container changes this machine's
 * interfaces, which makes Chromium abort pending loads.
 */
export const test = base.extend<object, object>({
  browser: [
    async ({ browser }, provide) => {
      await provide(withSteadyPages(browser));
    },
    { scope: 'worker' },
  ],
});
/* Re-exports everything else. */
export * from '@playwright/test';

function withSteadyPages(browser: Browser): Browser {
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => steady(await open(options));
  // Playwright's own `newPage` opens a context in a way that bypasses this override.
  browser.newPage = async (options) => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.once('close', () => void context.close().catch(() => undefined));
    return page;
  };
  return browser;
}

function steady(context: BrowserContext): BrowserContext {
  const open = context.newPage.bind(context);
  context.newPage = async () => withSteadyNavigation(await open());
  return context;
}

const TRIES = 8;
/** A started container adds its interfaces one by one, within about a second. */
const SETTLING_MS = 250;
/** The second error occurs when a navigation is repeated while the browser still shows its own error page. */
const changed = (error: unknown) =>
  error instanceof Error &&
  /net::ERR_NETWORK_CHANGED|interrupted by another navigation to "chrome-error:/.test(error.message);

/** Repeats this page's `goto` and `reload` if the network changed during the load. */
function withSteadyNavigation(page: Page): Page {
  const repeated =
    <A extends unknown[], R>(navigate: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      for (let tries = 1; ; tries += 1)
        try {
          return await navigate(...args);
        } catch (error) {
          if (tries === TRIES || !changed(error)) throw error;
          await wait(SETTLING_MS);
        }
    };
  page.goto = repeated(page.goto.bind(page));
  page.reload = repeated(page.reload.bind(page));
  return page;
}
