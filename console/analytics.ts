import type { Environment } from '../generated/api/types.gen';

/*
 * Counts which pages and features are used, if the server has a key and the person did not say no. Names from this
 * file and address patterns only: never an address, an id, a name, an e-mail address or anything typed.
 */

/** Everything that is ever counted besides pages. */
export type FeatureEvent =
  | 'signed_in'
  | 'registered'
  | 'team_created'
  | 'deploy_started'
  | 'deploy_refused'
  | 'cvm_action'
  | 'compose_updated'
  | 'logs_opened'
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

function refused(): boolean {
  const { doNotTrack } = navigator;
  const globalPrivacyControl = 'globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true;
  if (doNotTrack === '1' || doNotTrack === 'yes' || globalPrivacyControl) return true;
  try {
    return localStorage.getItem(OPT_OUT) === 'off';
  } catch {
    return true;
  }
}

type Where = Pick<Environment, 'analytics_key' | 'analytics_host'>;

/** Loads the counter after the first paint, or never. */
export function startAnalytics({ analytics_key, analytics_host }: Where): void {
  if (state !== 'unknown') return;
  if (analytics_key === null || refused()) return stop();
  state = 'on';
  const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 2000));
  idle(() => {
    void import('./analyticsClient')
      .then(({ createCounter }) => {
        counter = createCounter(analytics_key, analytics_host);
        for (const [event, properties] of waiting.splice(0)) counter.capture(event, properties);
      })
      .catch(stop);
  });
}

function stop(): void {
  state = 'off';
  counter = undefined;
  waiting.length = 0;
}

function record(event: string, properties: Record<string, string>): void {
  if (counter) counter.capture(event, properties);
  // Kept until it is known whether anyone wants them.
  else if (state !== 'off' && waiting.length < 50) waiting.push([event, properties]);
}

/** `route` is the pattern of an address: "/$teamSlug/deploy". */
export const recordPage = (route: string): void => record('page', { route });

/** `detail` is a word of the product ("restart"), never something a person wrote. */
export const recordFeature = (feature: FeatureEvent, detail?: string): void =>
  record(feature, detail === undefined ? {} : { detail });

/** A person's own choice on this device. */
export function setAnalyticsChoice(allowed: boolean): void {
  try {
    localStorage.setItem(OPT_OUT, allowed ? 'on' : 'off');
  } catch {
    // No storage: `refused` then says no.
  }
  if (!allowed) {
    counter?.stop();
    stop();
  }
}
