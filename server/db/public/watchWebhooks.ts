import { sql } from 'kysely';
import { publicId } from '../../domain/core/publicId';
import type { WatchEventKind } from '../../domain/public/watchEvent';
import type { Db, Tx } from '../core/client';
import { confirmWatch } from './appWatches';

/** Webhook watches, and the single delivery that each may have in progress (migration 0208_webhook_watches). */

/** Webhooks that watch one app. Separate from mail watches, so that neither crowds out the other. */
const WEBHOOKS_PER_APP = 1_000;
/** Webhooks with the same host name among them. */
const MAX_PER_HOST = 20;
/** `URL.hostname` of a webhook's URL, which is stored as `URL.href` writes it. IPv6 addresses have colons in brackets. */
const HOST = sql`substring(url from '://(\\[[^]]*\\]|[^/:]*)')`;

/**
 * Stores a webhook that answered its challenge, or a new secret for one that already watches the app. @returns
 * `full` at the limit, `unpublished` if the app isn't public anymore
 */
export async function addWebhookWatch(
  trx: Tx,
  {
    app_id,
    app_name,
    url,
    sealed_secret,
  }: { app_id: number; app_name: string; url: string; sealed_secret: string },
): Promise<'added' | 'full' | 'unpublished'> {
  // Serializes requests per app, so that the counts below hold.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`app_watch_webhook ${app_id}`}, 0))`.execute(trx);
  const { hostname } = new URL(url);
  const { rows } = await sql<{ id: number }>`
    insert into app_watches (public_id, app_id, app_name, url, sealed_secret)
    select ${publicId('wtc')}, ${app_id}, ${app_name}, ${url}, ${sealed_secret}
    where (select count(*) < ${WEBHOOKS_PER_APP}
          and count(*) filter (where ${HOST} = ${hostname}) < ${MAX_PER_HOST}
        from app_watches where app_id = ${app_id} and url is not null)
      or exists (select from app_watches where app_id = ${app_id} and url = ${url})
    on conflict (app_id, url) where url is not null do update set sealed_secret = excluded.sealed_secret
    returning id`.execute(trx);
  const [watch] = rows;
  if (!watch) return 'full';
  await confirmWatch(trx, watch.id);
  const { confirmed_at } = await trx
    .selectFrom('app_watches')
    .select('confirmed_at')
    .where('id', '=', watch.id)
    .executeTakeFirstOrThrow();
  return confirmed_at === null ? 'unpublished' : 'added';
}

interface WatchDelivery {
  event_id: string;
  event: WatchEventKind;
  body: string;
}

/** Starts a delivery, in the transaction that records the reported state. */
export const queueWatchDelivery = (trx: Tx, id: number, delivery: WatchDelivery) =>
  trx
    .updateTable('app_watches')
    .set({ ...delivery, tries: 0, next_attempt_at: new Date() })
    .where('id', '=', id)
    .execute();

export interface DueWatchDelivery extends WatchDelivery {
  id: number;
  public_id: string;
  /** Address of the app. */
  app_id: string;
  url: string;
  sealed_secret: string;
  /** Attempts so far. */
  tries: number;
}

/**
 * Deliveries per run: in total, for the apps of one team, and to one host name. The next run takes the others.
 */
export interface RunLimits {
  total: number;
  per_team: number;
  per_host: number;
}

/**
 * Returns deliveries whose next attempt is due. Teams take turns, and within a team its apps, so that one
 * team's receivers don't delay the others', even if they are many and slow. Within an app, first attempts come
 * first.
 */
export async function dueWatchDeliveries(
  db: Db,
  at: Date,
  { total, per_team, per_host }: RunLimits,
): Promise<DueWatchDelivery[]> {
  const { rows } = await sql<DueWatchDelivery>`
    with due as (
      select w.id, w.app_id, a.team_id, w.tries, w.next_attempt_at,
        row_number() over (partition by ${HOST} order by w.tries, w.next_attempt_at, w.id) as of_host
      from app_watches w join apps a on a.id = w.app_id where w.next_attempt_at <= ${at}
    ), of_apps as (
      select *, row_number() over (partition by app_id order by tries, next_attempt_at, id) as of_app
      from due where of_host <= ${per_host}
    ), of_teams as (
      select *, row_number() over (partition by team_id order by of_app, tries, next_attempt_at, id) as of_team from of_apps
    )
    select w.id, w.public_id, a.app_id, w.url, w.sealed_secret, w.event_id, w.event, w.body, w.tries
    from of_teams o join app_watches w on w.id = o.id join apps a on a.id = w.app_id
    where o.of_team <= ${per_team}
    order by o.of_team, o.tries, o.next_attempt_at, o.id limit ${total}`.execute(db);
  return rows;
}

/** Records an attempt. `next`: time of the retry; null if it was accepted. */
export const noteWatchAttempt = (db: Db, { id, event_id, tries }: DueWatchDelivery, next: Date | null) =>
  db
    .updateTable('app_watches')
    .set(
      next
        ? { tries: tries + 1, next_attempt_at: next }
        : { event_id: null, event: null, body: null, next_attempt_at: null, tries: 0 },
    )
    .where('id', '=', id)
    .where('event_id', '=', event_id)
    .execute();

/**
 * Ends the watch of a receiver that failed permanently or unsubscribed. @returns false if it has already ended
 * or changed
 */
export async function dropWebhookWatch(trx: Tx, { id, event_id }: DueWatchDelivery): Promise<boolean> {
  const row = await trx
    .deleteFrom('app_watches')
    .where('id', '=', id)
    .where('event_id', '=', event_id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
