import { sql } from 'kysely';
import { publicId } from '../../domain/core/publicId';
import type { WatchEventKind } from '../../domain/public/watchEvent';
import type { Db, Tx } from '../core/client';
import { confirmWatch } from './appWatches';

/** Watches that are webhooks, and the one delivery that each may have in progress (migration 0208_webhook_watches). */

/** Webhooks that watch one app: beside those by mail, so that neither takes the other's room. */
const MOST_PER_APP = 1_000;
/** Of them, those of one host name. */
const MOST_PER_HOST = 20;

/**
 * Stores a webhook that has answered its challenge, or the new secret of one that watches the app. @returns `full` without
 * room for it, `unpublished` if the app isn't public anymore
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
  // One request per app at a time: the counts below must hold.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`app_watch_webhook ${app_id}`}, 0))`.execute(trx);
  const { hostname } = new URL(url);
  const { rows } = await sql<{ id: number }>`
    insert into app_watches (public_id, app_id, app_name, url, sealed_secret)
    select ${publicId('wtc')}, ${app_id}, ${app_name}, ${url}, ${sealed_secret}
    where (select count(*) < ${MOST_PER_APP}
          and count(*) filter (where split_part(split_part(url, '/', 3), ':', 1) = ${hostname}) < ${MOST_PER_HOST}
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

/** Starts a delivery, in the transaction that notes what it tells. */
export const queueWatchDelivery = (trx: Tx, id: number, delivery: WatchDelivery) =>
  trx
    .updateTable('app_watches')
    .set({ ...delivery, tries: 0, next_attempt_at: new Date() })
    .where('id', '=', id)
    .execute();

export interface DueWatchDelivery extends WatchDelivery {
  id: number;
  public_id: string;
  url: string;
  sealed_secret: string;
  /** Attempts so far. */
  tries: number;
}

/** Returns deliveries whose next attempt is due; first attempts first, so that failing receivers delay nobody else. */
export async function dueWatchDeliveries(db: Db, at: Date, limit: number): Promise<DueWatchDelivery[]> {
  const { rows } = await sql<DueWatchDelivery>`
    select id, public_id, url, sealed_secret, event_id, event, body, tries from app_watches
    where next_attempt_at <= ${at} order by tries, next_attempt_at limit ${limit}`.execute(db);
  return rows;
}

/** Notes an attempt. `next`: when it is repeated; null if it was accepted. */
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

/** Ends the watch of a receiver that failed for good or wants no more. */
export const dropWebhookWatch = (db: Db, { id, event_id }: DueWatchDelivery) =>
  db.deleteFrom('app_watches').where('id', '=', id).where('event_id', '=', event_id).execute();
