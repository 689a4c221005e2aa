import type { Logger } from 'pino';
import { eachBounded } from '../../../console/lib/eachBounded';
import { appPagePath } from '../../../console/lib/public/site';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import {
  changedApps,
  composeOfRevisions,
  lockDueWatches,
  recordNotified,
  type ChangedApp,
  type DueWatch,
} from '../../db/public/appWatches';
import { queueWatchDelivery } from '../../db/public/watchWebhooks';
import type { Seal } from '../../domain/core/seal';
import { trustOf } from '../../domain/public/publicAppResponse';
import { composeDiff } from '../../domain/public/watch';
import { watchEventBody } from '../../domain/public/watchEvent';
import { watchToken } from '../../domain/public/watchToken';
import { newEventId } from '../../domain/webhooks/webhook';
import type { MailOutbox } from '../notifications/mailOutbox';

/** Rows per query. */
const PAGE = 100;
/** Apps verified at a time: one whose guests don't answer must not delay the notices of others. */
const MAX_CONCURRENT = 8;

export interface NotifyWatchersOptions {
  db: Db;
  outbox: MailOutbox;
  seal: Seal;
  log: Logger;
  /** The server's public origin. */
  public_url: string;
  /** Returns this server's own verification result for a published app, such as "verified". */
  check: (app_id: string) => Promise<string>;
}

/**
 * Writes an email to everyone who watches an app that has changed. The reported state is stored in the same
 * transaction, so each change is sent once. The app is verified beforehand, so nothing is locked while its
 * guests answer.
 */
export async function notifyWatchers(options: NotifyWatchersOptions): Promise<void> {
  for (let after = 0; ;) {
    const apps = await changedApps(options.db, { after, limit: PAGE });
    const results = await eachBounded(apps, MAX_CONCURRENT, (app) => notifyAboutApp(options, app));
    for (const result of results)
      if (result.status === 'rejected')
        options.log.error({ err: result.reason }, "failed to notify a published app's watchers");
    const last = apps.at(-1);
    if (!last || apps.length < PAGE) return;
    after = last.id;
  }
}

async function notifyAboutApp(options: NotifyWatchersOptions, app: ChangedApp): Promise<void> {
  const check = app.now ? await checked(options, app.app_id) : null;
  const diffs = new Map<string, string[]>();
  while (await withTransaction(options.db, (trx) => notifyBatch(trx, options, { app, check, diffs })));
}

/** Without a result in time, the mail is sent without it. */
async function checked({ check, log }: NotifyWatchersOptions, app_id: string): Promise<string | null> {
  try {
    return await check(app_id);
  } catch (err) {
    log.warn({ err, app_id }, "couldn't verify a watched app");
    return null;
  }
}

interface Change {
  app: ChangedApp;
  check: string | null;
  /** Cached for this run, by the last seen state, which most watchers share. */
  diffs: Map<string, string[]>;
}

/** @returns whether more may be due */
async function notifyBatch(trx: Tx, options: NotifyWatchersOptions, change: Change): Promise<boolean> {
  const { app } = change;
  const due = await lockDueWatches(trx, app, PAGE);
  const ids = [app.now, ...due.map(({ before }) => before)].flatMap((one) => one?.revision_id ?? []);
  const revisions = due.length === 0 ? new Map() : await composeOfRevisions(trx, [...new Set(ids)]);
  for (const watch of due) {
    await notifyWatcher(trx, options, watch, { ...change, revisions });
    await recordNotified(trx, watch.id, app);
  }
  return due.length === PAGE;
}

type Revisions = Awaited<ReturnType<typeof composeOfRevisions>>;

/** Notifies one watcher: by email, or by a delivery for the webhook sender. */
async function notifyWatcher(
  trx: Tx,
  { outbox, seal, public_url }: NotifyWatchersOptions,
  { id, public_id, email, app_name, before }: DueWatch,
  {
    app: { app_id, app_name: name, is_simulated, now },
    check,
    diffs,
    revisions,
  }: Change & { revisions: Revisions },
): Promise<void> {
  const token = watchToken(seal, public_id);
  const unsubscribe_url = `${public_url}/api/v1/explorer/watches/end?token=${encodeURIComponent(token)}`;
  const version = ({ revision_id, os_image }: NonNullable<DueWatch['before']>) => ({
    os_image,
    compose_hash: revisions.get(revision_id)?.compose_hash ?? '',
  });
  const file = ({ revision_id }: NonNullable<DueWatch['before']>) =>
    revisions.get(revision_id)?.docker_compose_file ?? '';
  const diffOf = (from: NonNullable<DueWatch['before']>, to: NonNullable<ChangedApp['now']>) => {
    const key = String(from.revision_id);
    const diff = diffs.get(key) ?? composeDiff(file(from), file(to));
    diffs.set(key, diff);
    return diff;
  };
  const versions = { before: before && version(before), after: now && version(now) };
  const diff = before && now ? diffOf(before, now) : [];
  if (email === null) {
    const event = now === null ? 'app.unpublished' : before === null ? 'app.published' : 'app.changed';
    const event_id = newEventId();
    const report_url = public_url + appPagePath(app_id);
    const trust = now === null ? {} : { trust: trustOf(is_simulated) };
    const shown_name = now === null ? app_name : name;
    const body = watchEventBody(
      { event_id, event, at: new Date() },
      { app_id, app_name: shown_name, ...trust, report_url, ...versions, diff, check, unsubscribe_url },
    );
    return void (await queueWatchDelivery(trx, id, { event_id, event, body }));
  }
  const common = { app_id, token, unsubscribe_url };
  if (versions.after === null)
    return outbox.enqueue(trx, { to: email, template: 'app_unpublished', data: { ...common, app_name } });
  await outbox.enqueue(trx, {
    to: email,
    template: 'app_changed',
    data: {
      ...common,
      app_name: name,
      before: versions.before,
      after: versions.after,
      version: before && now ? shownVersion(revisions, before, now) : null,
      is_simulated,
      check,
      diff,
    },
  });
}

/** Returns the version whose page shows the whole change: `now`, if it directly follows `before`. */
function shownVersion(
  revisions: Revisions,
  before: NonNullable<DueWatch['before']>,
  now: NonNullable<ChangedApp['now']>,
): number | null {
  const [from, to] = [revisions.get(before.revision_id)?.number, revisions.get(now.revision_id)?.number];
  return from !== undefined && to === from + 1 ? to : null;
}
