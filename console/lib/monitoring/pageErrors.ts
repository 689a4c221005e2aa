import type { Environment } from '../../../generated/api/types.gen';

/*
 * Reports page errors through the server's own tunnel. This part is small and loads first, to catch errors during
 * startup. The reporter loads after the page is usable, or on the first error once the settings are known: they
 * name the service.
 */

const LOAD_AFTER_MS = 10_000;
const LOAD_TRACED_AFTER_MS = 1_000;
const MAX_WAITING = 10;
/** React retries a failed render, which throws the same error as a new object. */
const TWICE_MS = 1_000;

export interface CaughtError {
  error: unknown;
  event_id: string;
}

export type MonitoringSettings = Pick<
  Environment,
  'monitoring_dsn' | 'version' | 'environment' | 'traces_sample_rate'
>;

/** Used if a page hasn't received the server's settings. The server stores those reports. */
const NO_SETTINGS: MonitoringSettings = {
  monitoring_dsn: null,
  version: 'unknown',
  environment: 'unknown',
  traces_sample_rate: 0,
};

type Reporter = (caught: CaughtError) => void;

interface Parts {
  /** Loads the sending part. */
  importReporter: () => Promise<{
    createReporter: (settings: MonitoringSettings, traced: boolean) => Reporter;
  }>;
  /** Whether an error isn't a page error, such as one already shown on screen. */
  isExpected: (error: unknown) => boolean;
}

export interface PageErrors {
  /** Starts listening; called first on every page. */
  start: () => void;
  /** Applies the server's settings. */
  configure: (settings: MonitoringSettings) => void;
  /** Reports an error once, even if repeated. @returns the report's ID, 32 hex digits */
  report: (error: unknown) => string;
}

export function watchPageErrors({ importReporter, isExpected }: Parts): PageErrors {
  let settings: MonitoringSettings | undefined;
  /** Sampled once per page load. */
  let traced = false;
  let reporter: Reporter | undefined;
  let loading = false;
  const waiting: CaughtError[] = [];
  const known = new WeakMap<object, string>();
  let last = { text: '', at: 0, event_id: '' };

  const onError = (event: ErrorEvent) => void (event.error && report(event.error));
  const onRejection = (event: PromiseRejectionEvent) => void report(event.reason);

  function load(): void {
    if (loading) return;
    loading = true;
    const used = settings;
    importReporter()
      .then(({ createReporter }) => {
        reporter = createReporter(used ?? NO_SETTINGS, traced);
        removeEventListener('error', onError);
        removeEventListener('unhandledrejection', onRejection);
        for (const caught of waiting.splice(0)) reporter(caught);
        // The first reporter was loaded without the service; later reports go there.
        if (used !== settings) reload();
      })
      .catch(() => {
        // The network is down; the next error tries again.
        loading = false;
      });
  }

  function reload(): void {
    loading = false;
    load();
  }

  function report(error: unknown): string {
    const isObject = typeof error === 'object' && error !== null;
    const before = isObject ? known.get(error) : undefined;
    if (before !== undefined) return before;
    const text = String(error);
    const again = text === last.text && Date.now() - last.at < TWICE_MS;
    const event_id = again ? last.event_id : newEventId();
    last = { text, at: Date.now(), event_id };
    if (isObject) known.set(error, event_id);
    if (again || isExpected(error)) return event_id;
    if (reporter) reporter({ error, event_id });
    else if (waiting.length < MAX_WAITING) waiting.push({ error, event_id });
    if (settings) load();
    return event_id;
  }

  return {
    start() {
      addEventListener('error', onError);
      addEventListener('unhandledrejection', onRejection);
      setTimeout(() => waiting.length > 0 && load(), LOAD_AFTER_MS);
    },
    configure(given) {
      settings = given;
      traced = given.monitoring_dsn !== null && Math.random() < given.traces_sample_rate;
      if (reporter) reload();
      else if (waiting.length > 0) load();
      // A traced page load needs the reporter soon afterward.
      else setTimeout(load, traced ? LOAD_TRACED_AFTER_MS : LOAD_AFTER_MS);
    },
    report,
  };
}

function newEventId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
