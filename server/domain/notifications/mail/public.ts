import { utcMinute } from '../../core/dates';
import { named, oneLine, unlinkedCode } from './plain';
import { hostOf, pages } from './site';
import type { Content, MailTemplates, Site } from './types';

type Templates<T extends keyof MailTemplates> = {
  [K in T]: (data: MailTemplates[K], site: Site) => Content;
};

const watching = (app_name: string, site: Site) =>
  `You’re receiving this because this address watches ${named(app_name)} on ${hostOf(site)}.`;

/** Without a period, which mail clients would include in the address. */
const stop = (token: string, site: Site) => `Stop watching: ${pages.watch(site, token)}`;

/** The explorer's usual wording for such an app. */
const SIMULATED = 'The app is simulated: its host has no TEE hardware.';

/** Mail to visitors who watch a published app. */
export const publicMails: Templates<'app_watch_confirm' | 'app_changed' | 'app_unpublished'> = {
  app_watch_confirm: ({ app_name, is_simulated, token, expires_at }, site) => ({
    subject: 'Confirm that you want to watch an app',
    heading: 'Confirm your address',
    body: [
      `Someone asked ${hostOf(site)} to email this address whenever ${named(app_name)} has a new Compose file or OS image, or is no longer published.`,
      ...(is_simulated ? [SIMULATED] : []),
    ],
    action: { label: 'Confirm', url: pages.watch(site, token) },
    after: [
      `The link expires on ${utcMinute(expires_at)}.`,
      'If it wasn’t you, ignore this email: without your confirmation, nothing else is sent.',
    ],
    because: `You’re receiving this because this address was entered on ${hostOf(site)}.`,
  }),

  app_changed: (
    { app_id, app_name, is_simulated, token, before, after, version, check, diff, unsubscribe_url },
    site,
  ) => ({
    subject: `${named(app_name)} ${before ? 'changed' : 'is published again'}`,
    heading: `${named(app_name)} ${before ? 'changed' : 'is published again'}`,
    body: [
      before
        ? 'Its Compose file or OS image has changed since the last email. Verify it in your own browser before you rely on it.'
        : 'Its team lists it in the explorer again. Verify it in your own browser before you rely on it.',
      ...(is_simulated ? [SIMULATED] : []),
    ],
    facts: [
      ...(before && before.compose_hash !== after.compose_hash
        ? [['Old hash', before.compose_hash] as [string, string]]
        : []),
      ['Compose hash', after.compose_hash],
      ...(before && before.os_image !== after.os_image
        ? [['Old OS image', unlinkedCode(oneLine(before.os_image))] as [string, string]]
        : []),
      ['OS image', unlinkedCode(oneLine(after.os_image))],
      ...(check === null ? [] : [['Our check', check] as [string, string]]),
    ],
    ...(diff.length === 0
      ? {}
      : { lines: diff.map((line) => unlinkedCode(line.replaceAll(/\p{C}/gu, ' '))) }),
    action: { label: 'Verify it', url: pages.publicApp(site, app_id) },
    after: [
      ...(version ? [`Full list of changes: ${pages.publicVersion(site, app_id, version)}`] : []),
      'Changes within ten minutes are combined into one email.',
      stop(token, site),
    ],
    because: watching(app_name, site),
    unsubscribe_url,
  }),

  app_unpublished: ({ app_name, token, unsubscribe_url }, site) => ({
    subject: `${named(app_name)} is no longer published`,
    heading: `${named(app_name)} is no longer published`,
    body: [
      'Its team or the operators of this cloud removed it from the explorer, or it was deleted. You can’t verify it there anymore. You’ll get an email if it is published again.',
    ],
    after: [stop(token, site)],
    because: watching(app_name, site),
    unsubscribe_url,
  }),
};
