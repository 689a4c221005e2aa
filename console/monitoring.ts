import type { Environment } from '../generated/api/types.gen';

/*
 * Reports page errors through the server's own tunnel. This part is small and loads first, to catch errors during
 * startup. The reporter loads after the page is usable, or on the first error as soon as the settings are known: they
 * say which service the report is for.
 */

const LOAD_AFTER_MS = 10_000;
const LOAD_TRACED_AFTER_MS = 1_000;

export interface CaughtError {
  error: unknown;
  event_id: string;
}

type Reporter = (caught: CaughtError) => void;

export type MonitoringSettings = Pick<
  Environment,
  'monitoring_dsn' | 'version' | 'environment' | 'traces_sample_rate'
>;

/** For reports of a page that never got the server's settings. The server stores them. */
const NO_SETTINGS: MonitoringSettings = {
  monitoring_dsn: null,
  version: 'unknown',
  environment: 'unknown',
  traces_sample_rate: 0,
};
let settings: MonitoringSettings | undefined;
/** Sampled once per page load. */
let traced = false;
let reporter: Reporter | undefined;
let loading = false;
let listening = false;
const waiting: CaughtError[] = [];
const known = new WeakMap<object, string>();

/** Called first without settings, to start listening, then with the server's settings. */
export function startMonitoring(given?: MonitoringSettings): void {
  if (!listening) {
    listening = true;
    addEventListener('error', onError);
    addEventListener('unhandledrejection', onRejection);
    setTimeout(() => waiting.length > 0 && load(), LOAD_AFTER_MS);
  }
  if (!given) return;
  settings = given;
  traced = given.monitoring_dsn !== null && Math.random() < given.traces_sample_rate;
  // A traced page load needs its reporter soon after it ends.
  if (waiting.length > 0) load();
  else setTimeout(load, traced ? LOAD_TRACED_AFTER_MS : LOAD_AFTER_MS);
}

const onError = (event: ErrorEvent) => void (event.error && reportError(event.error));
const onRejection = (event: PromiseRejectionEvent) => void reportError(event.reason);

/** React retries a failed render, which throws the same error as a new object. */
const TWICE_MS = 1_000;
let last = { text: '', at: 0, event_id: '' };

/**
 * Reports an error, repeated ones only once. @returns the report's ID, 32 hex digits
 */
export function reportError(error: unknown): string {
  const isObject = typeof error === 'object' && error !== null;
  const before = isObject ? known.get(error) : undefined;
  if (before !== undefined) return before;
  const text = String(error);
  const again = text === last.text && Date.now() - last.at < TWICE_MS;
  const event_id = again ? last.event_id : newEventId();
  last = { text, at: Date.now(), event_id };
  if (isObject) known.set(error, event_id);
  if (again) return event_id;
  // API errors that are shown on screen, and aborted requests, aren't page errors.
  if (isObject && 'name' in error && (error.name === 'ApiError' || error.name === 'AbortError'))
    return event_id;
  if (reporter) reporter({ error, event_id });
  else if (waiting.length < 10) waiting.push({ error, event_id });
  if (settings) load();
  return event_id;
}

function newEventId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function load(): void {
  if (loading) return;
  loading = true;
  void import('./monitoringReporter')
    .then(({ createReporter }) => {
      reporter = createReporter(settings ?? NO_SETTINGS, traced);
      removeEventListener('error', onError);
      removeEventListener('unhandledrejection', onRejection);
      for (const caught of waiting.splice(0)) reporter(caught);
    })
    .catch(() => {
      // The network is down; the next error tries again.
      loading = false;
    });
}
