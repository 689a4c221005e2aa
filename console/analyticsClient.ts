// The build without remote scripts: the content security policy allows none.
import posthog from 'posthog-js/dist/module.no-external';

/** Default of the server's POSTHOG_HOST, which its content security policy allows. */
const HOST = 'https://eu.i.posthog.com';

/** Everything the library would collect by itself is off; nothing is stored on the device. */
const settings: Parameters<typeof posthog.init>[1] = {
  api_host: HOST,
  persistence: 'memory',
  autocapture: false,
  capture_pageview: false,
  capture_pageleave: false,
  disable_session_recording: true,
  disable_surveys: true,
  advanced_disable_flags: true,
  respect_dnt: true,
  person_profiles: 'never',
  property_denylist: [
    '$current_url',
    '$pathname',
    '$referrer',
    '$referring_domain',
    '$host',
    '$initial_person_info',
    'title',
  ],
};

/** Loaded on demand by analytics.ts. */
export function createCounter(key: string) {
  posthog.init(key, settings);
  return {
    capture: (event: string, properties: Record<string, string>): void =>
      void posthog.capture(event, properties),
    stop: () => posthog.opt_out_capturing(),
  };
}
