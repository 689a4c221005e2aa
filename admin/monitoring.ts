import type { Environment } from '../generated/api/types.gen';
import { isAnswer } from './http';
import type { CaughtError } from './monitoringReporter';

/*
 * Reports errors in the admin area through the server's tunnel. This part stays small and loads first; the reporter loads
 * well after the page is usable, or on an error as soon as the settings are known: they say which service the report is
 * for.
 */

export type MonitoringSettings = Pick<
  Environment,
  'monitoring_dsn' | 'version' | 'environment' | 'traces_sample_rate'
>;

const MAX_WAITING = 10;
/** A fixed delay, because a page waiting for its rows counts as idle too. */
const LOAD_AFTER_MS = 10_000;
const LOAD_TRACED_AFTER_MS = 1_000;

/** For reports of a page that never got the server's settings. The server stores them. */
const NO_SETTINGS: MonitoringSettings = {
  monitoring_dsn: null,
  version: 'unknown',
  environment: 'unknown',
  traces_sample_rate: 0,
};
let settings: MonitoringSettings | undefined;
/** Decided once per page load. */
let traced = false;
let reporter: ((caught: CaughtError) => void) | undefined;
let loading = false;
const waiting: CaughtError[] = [];
const known = new WeakMap<object, string>();

const onError = (event: ErrorEvent) => void (event.error && reportError(event.error));
const onRejection = (event: PromiseRejectionEvent) => void reportError(event.reason);

/** Starts listening for errors as the app starts. */
export function startMonitoring(): void {
  addEventListener('error', onError);
  addEventListener('unhandledrejection', onRejection);
  setTimeout(() => waiting.length > 0 && load(), LOAD_AFTER_MS);
}

/** Applies the server's settings and schedules loading of the reporter. */
export function configureMonitoring(environment: MonitoringSettings): void {
  settings = environment;
  traced = environment.monitoring_dsn !== null && Math.random() < environment.traces_sample_rate;
  // A trace needs its reporter soon after the page load it measures.
  if (waiting.length > 0) load();
  else setTimeout(load, traced ? LOAD_TRACED_AFTER_MS : LOAD_AFTER_MS);
}

/** Reports an error, each object only once. @returns its event ID, 32 hex digits */
export function reportError(error: unknown): string {
  const isObject = typeof error === 'object' && error !== null;
  const before = isObject ? known.get(error) : undefined;
  if (before !== undefined) return before;
  const event_id = crypto.randomUUID().replaceAll('-', '');
  if (isObject) known.set(error, event_id);
  if (isAnswer(error)) return event_id;
  if (reporter) reporter({ error, event_id });
  else if (waiting.length < MAX_WAITING) waiting.push({ error, event_id });
  if (settings) load();
  return event_id;
}

function load(): void {
  if (loading) return;
  loading = true;
  import('./monitoringReporter')
    .then(({ createReporter }) => {
      reporter = createReporter(settings ?? NO_SETTINGS, traced);
      removeEventListener('error', onError);
      removeEventListener('unhandledrejection', onRejection);
      for (const caught of waiting.splice(0)) reporter(caught);
    })
    .catch(() => {
      // Offline: the next error tries again.
      loading = false;
    });
}
