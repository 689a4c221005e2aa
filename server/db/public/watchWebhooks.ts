import { sql } from 'kysely';
import { publicId } from '../../domain/core/publicId';
import type { WatchEventKind } from '../../domain/public/watchEvent';
import type { Db, Tx } from '../core/client';
import { confirmWatch, MOST_PER_APP } from './appWatches';

/** Watches that are webhooks, and the one delivery that each may have in progress (migration 0208_webhook_watches). */

/**
 * Stores a webhook that has answered its challenge, or the new secret of one that watches the app. @returns whether there
 * was room for it
 */
export async function addWebhookWatch(
  trx: Tx,
  {
    app_id,
    app_name,
    url,
    sealed_secret,
  }: { app_id: number; app_name: string; url: string; sealed_secret: string },
): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    insert into app_watches (public_id, app_id, app_name, url, sealed_secret)
    select ${publicId('wtc')}, ${app_id}, ${app_name}, ${url}, ${sealed_secret}
    where (select count(*) from app_watches where app_id = ${app_id}) < ${MOST_PER_APP}
      or exists (select from app_watches where app_id = ${app_id} and url = ${url})
    on conflict (app_id, url) where url is not null do update set sealed_secret = excluded.sealed_secret
    returning id`.execute(trx);
  const [watch] = rows;
  if (watch) await confirmWatch(trx, watch.id);
  return watch !== undefined;
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
