import type { Environment } from '../generated/api/types.gen';
import { importWithRetry } from './lib/importWithRetry';

/*
 * Counts page types and features used, if the server has a key and the user hasn't opted out. Sends names from this
 * file and route patterns only: never an address, an ID, a name, an email address or anything typed.
 */

/** All events counted besides page views. */
export type FeatureEvent =
  | 'signed_in'
  | 'registered'
  | 'team_created'
  | 'cvm_action'
  | 'cli_login_decided'
  | 'palette_opened'
  | 'member_invited'
  | 'token_created';

const OPT_OUT = 'teehouse:analytics';

interface Counter {
  capture: (event: string, properties: Record<string, string>) => void;
  stop: () => void;
}

let counter: Counter | undefined;
let state: 'unknown' | 'off' | 'on' = 'unknown';
const waiting: [string, Record<string, string>][] = [];

function hasOptedOut(): boolean {
  if (isRefusedByBrowser()) return true;
  try {
    return localStorage.getItem(OPT_OUT) === 'off';
  } catch {
    return true;
  }
}

/** Whether the browser requests not to be tracked. Overrides any choice made here. */
export function isRefusedByBrowser(): boolean {
  const { doNotTrack } = navigator;
  const globalPrivacyControl = 'globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true;
  return doNotTrack === '1' || doNotTrack === 'yes' || globalPrivacyControl;
}

/** Whether usage may be counted on this device. */
export const isAnalyticsAllowed = (): boolean => !hasOptedOut();

type Where = Pick<Environment, 'analytics_key' | 'analytics_host' | 'environment'>;

/** Loads the analytics client after the first paint, unless opted out. */
export function startAnalytics({ analytics_key, analytics_host, environment }: Where): void {
  if (state !== 'unknown') return;
  if (analytics_key === null || hasOptedOut()) return stop();
  state = 'on';
  const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 2000));
  const load = () => {
    void importWithRetry(() => import('./analyticsClient'))
      .then(({ createCounter }) => {
        // Opted out while the client was loading.
        if (state === 'off') return;
        counter = createCounter(analytics_key, analytics_host, environment);
        for (const [event, properties] of waiting.splice(0)) counter.capture(event, properties);
      })
      .catch(stop);
  };
  // A page on a busy machine may not be idle for minutes.
  idle(load, { timeout: 5000 });
}

function stop(): void {
  state = 'off';
  counter = undefined;
  waiting.length = 0;
}

function record(event: string, properties: Record<string, string>): void {
  if (counter) counter.capture(event, properties);
  // Queued until the settings are known.
  else if (state !== 'off' && waiting.length < 50) waiting.push([event, properties]);
}

/** `route` is a route pattern, such as "/$teamSlug/deploy". */
export const recordPage = (route: string): void => record('page', { route });

/** `detail` is a product term ("restart"), never user input. */
export const recordFeature = (feature: FeatureEvent, detail?: string): void =>
  record(feature, detail === undefined ? {} : { detail });

/** Keeps the user's choice on this device. Opting out takes effect immediately, opting in on the next page load. */
export function setAnalyticsChoice(allowed: boolean): void {
  try {
    localStorage.setItem(OPT_OUT, allowed ? 'on' : 'off');
  } catch {
    // Without storage, `hasOptedOut` returns true.
  }
  if (!allowed) {
    counter?.stop();
    stop();
  }
}
