import { tunnelOf } from '../console/lib/scrub';
import type { Environment } from '../generated/api/types.gen';
import { isAnswer } from './http';
import type { CaughtError } from './monitoringReporter';

/*
 * Reports faults of the admin area through the server's own tunnel. Small and first: the reporter is loaded when the page
 * has long been usable, or at once when something fails.
 */

type Settings = Pick<Environment, 'monitoring_dsn' | 'version'>;

const MOST_WAITING = 10;
/** Idle callbacks are no measure: a page that waits for its rows is idle too. */
const LOAD_AFTER_MS = 10_000;

let settings: Settings = { monitoring_dsn: null, version: 'unknown' };
let reporter: ((caught: CaughtError) => void) | undefined;
let loading = false;
const waiting: CaughtError[] = [];
const known = new WeakMap<object, string>();

const onError = (event: ErrorEvent) => void (event.error && reportError(event.error));
const onRejection = (event: PromiseRejectionEvent) => void reportError(event.reason);

/** Listens from the first line of the app on. */
export function startMonitoring(): void {
  addEventListener('error', onError);
  addEventListener('unhandledrejection', onRejection);
}

/** Called when the server's settings are known; the reporter comes when the page has long been usable. */
export function configureMonitoring(environment: Settings): void {
  settings = environment;
  setTimeout(load, LOAD_AFTER_MS);
}

/** Reports a fault; the same object only once. @returns the id under which it is found in the report, 32 hex digits */
export function reportError(error: unknown): string {
  const isObject = typeof error === 'object' && error !== null;
  const before = isObject ? known.get(error) : undefined;
  if (before !== undefined) return before;
  const event_id = crypto.randomUUID().replaceAll('-', '');
  if (isObject) known.set(error, event_id);
  if (isAnswer(error)) return event_id;
  if (reporter) reporter({ error, event_id });
  else if (waiting.length < MOST_WAITING) waiting.push({ error, event_id });
  load();
  return event_id;
}

function load(): void {
  if (loading) return;
  loading = true;
  import('./monitoringReporter')
    .then(({ createReporter }) => {
      reporter = createReporter(tunnelOf(settings.monitoring_dsn), settings.version);
      removeEventListener('error', onError);
      removeEventListener('unhandledrejection', onRejection);
      for (const caught of waiting.splice(0)) reporter(caught);
    })
    .catch(() => {
      // Without a network there is nobody to tell; the next fault tries again.
      loading = false;
    });
}
