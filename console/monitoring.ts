import type { Environment } from '../generated/api/types.gen';

/*
 * Reports faults of the page through the server's own tunnel. This part is small and first: it catches what happens
 * while the page starts. The reporter itself is loaded when the page has long been usable, or at once when something fails.
 */

const LOAD_AFTER_MS = 10_000;

export interface CaughtError {
  error: unknown;
  event_id: string;
}

type Reporter = (caught: CaughtError) => void;

let environment: Pick<Environment, 'monitoring_dsn' | 'version'> = {
  monitoring_dsn: null,
  version: 'unknown',
};
let reporter: Reporter | undefined;
let loading = false;
let listening = false;
const waiting: CaughtError[] = [];
const known = new WeakMap<object, string>();

/** Called first with nothing (listens at once), then with the server's settings. */
export function startMonitoring(settings?: Pick<Environment, 'monitoring_dsn' | 'version'>): void {
  if (!listening) {
    listening = true;
    addEventListener('error', onError);
    addEventListener('unhandledrejection', onRejection);
  }
  if (!settings) return;
  environment = settings;
  setTimeout(load, LOAD_AFTER_MS);
}

const onError = (event: ErrorEvent) => void (event.error && reportError(event.error));
const onRejection = (event: PromiseRejectionEvent) => void reportError(event.reason);

/** React renders once more before it gives up, and gets the same fault as a new object. */
const TWICE_MS = 1_000;
let last = { text: '', at: 0, event_id: '' };

/**
 * Reports a fault; the same one only once. @returns the id under which it is found in the report, 32 hex digits
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
  // Answers of the server that a screen shows, and requests given up, are no faults of the page.
  if (isObject && 'name' in error && (error.name === 'ApiError' || error.name === 'AbortError'))
    return event_id;
  if (reporter) reporter({ error, event_id });
  else if (waiting.length < 10) waiting.push({ error, event_id });
  load();
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
      reporter = createReporter(environment.monitoring_dsn, environment.version);
      removeEventListener('error', onError);
      removeEventListener('unhandledrejection', onRejection);
      for (const caught of waiting.splice(0)) reporter(caught);
    })
    .catch(() => {
      // Without a network there is nobody to tell; the next fault tries again.
      loading = false;
    });
}
