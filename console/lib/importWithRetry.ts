import { untilReachable } from './connection';

/** Waits between attempts, ms. */
const RETRY_DELAYS_MS = [200, 800, 2000];
/**
 * How Chromium, Firefox and Safari report a module that failed to load. An error thrown by the module itself
 * would only repeat.
 */
const LOAD_FAILED = /dynamically imported module|Importing a module script failed/;

/** Returns whether page code failed to load, as opposed to throwing an error. */
export const isLoadFailure = (error: unknown): boolean =>
  error instanceof Error && LOAD_FAILED.test(error.message);

/**
 * Imports a module on demand and retries after a connection loss, however long it lasts. Fails only if the server
 * responds without the file, such as after a new version; the router then reloads the page. `load` is the
 * `import()` itself: `importWithRetry(() => import('./queries'))`.
 */
export async function importWithRetry<T>(load: () => Promise<T>): Promise<T> {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await load();
    } catch (error) {
      if (!isLoadFailure(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      await untilReachable();
    }
  }
  return load();
}

/** Calls `load` until it returns true, retrying after a connection loss like `importWithRetry`. */
export async function untilLoaded(load: () => Promise<boolean>): Promise<void> {
  for (const delayMs of RETRY_DELAYS_MS) {
    if (await load()) return;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await untilReachable();
  }
  await load();
}
