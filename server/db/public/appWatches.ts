import { sql, type Generated, type GeneratedAlways } from 'kysely';
import { publicId } from '../../domain/core/publicId';
import { STOPPED_DAYS } from '../../domain/public/watch';
import type { Db, Tx } from '../core/client';
import { PUBLISHED } from './publicApps';

/**
 * One row per mail address or webhook that watches a published app (migrations 0190_app_watches,
 * 0208_webhook_watches).
 */
export interface AppWatchesTable {
  id: GeneratedAlways<number>;
  /** Part of the links in its mail. */
  public_id: string;
  app_id: number;
  /** The published name: a later name is not public. */
  app_name: string;
  /** Null for a webhook. */
  email: string | null;
  url: string | null;
  sealed_secret: string | null;
  /** The webhook delivery in progress, like the next four columns. */
  event_id: string | null;
  event: string | null;
  body: string | null;
  tries: Generated<number>;
  next_attempt_at: Date | null;
  /** Null until the owner of the address confirms it. */
  confirmed_at: Date | null;
  /** When the confirmation link was last sent. */
  asked_at: Generated<Date>;
  /** Revision described by the last email; null while the app is not published. */
  seen_revision_id: number | null;
  seen_os_image: string | null;
  told_at: Date | null;
  created_at: Generated<Date>;
}

/** One row per address that stopped watching an app, kept for a week (migration 0206_stopped_watches). */
export interface StoppedWatchesTable {
  /** Keyed hash of the app and the address. */
  hash: string;
  stopped_at: Generated<Date>;
}

/** Visitors need no account, so rows and emails are limited per app, per address and in total. */
const CONFIRMED_PER_APP = 5_000;
const MAX_WAITING = 5_000;
/** At the limit, the oldest that has waited this long gives way to a new one. */
const GIVE_WAY_HOURS = 1;
const MAX_LINKS_PER_DAY = 5;
/** Minimum interval for sending the same link to an address again. */
const SEND_AGAIN_HOURS = 6;

/**
 * Records that an address wants to watch an app. @returns the watch whose link must be sent; null, with nothing
 * written, if it was confirmed or sent just now, if the address stopped watching the app within a week, or if a
 * limit is reached
 */
export async function askToWatch(
  trx: Tx,
  {
    app_id,
    app_name,
    email,
    stopped_hashes,
  }: { app_id: number; app_name: string; email: string; stopped_hashes: readonly string[] },
): Promise<{ public_id: string } | null> {
  // Serializes requests per address, so that the counts below hold.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`app_watch ${email.toLowerCase()}`}, 0))`.execute(
    trx,
  );
  // Otherwise, unconfirmed links sent to many addresses would end watching by email for everyone.
  await sql`
    delete from app_watches where id = (
      select id from app_watches where confirmed_at is null and lower(email) <> lower(${email})
        and asked_at < now() - make_interval(hours => ${GIVE_WAY_HOURS})
      order by asked_at limit 1 for update skip locked)
    and (select count(*) from (
      select 1 from app_watches where confirmed_at is null limit ${MAX_WAITING}) w) = ${MAX_WAITING}`.execute(
    trx,
  );
  const { rows } = await sql<{ public_id: string }>`
    insert into app_watches (public_id, app_id, app_name, email)
    select ${publicId('wtc')}, ${app_id}, ${app_name}, ${email}
    where (select count(*) from app_watches
        where app_id = ${app_id} and email is not null and confirmed_at is not null) < ${CONFIRMED_PER_APP}
      and (select count(*) from (
        select 1 from app_watches where confirmed_at is null limit ${MAX_WAITING}) w) < ${MAX_WAITING}
      and (select count(*) from app_watches where lower(email) = lower(${email})
        and asked_at > now() - interval '1 day') < ${MAX_LINKS_PER_DAY}
      and not exists (select from stopped_watches where hash = any(${stopped_hashes}::text[])
        and stopped_at > now() - make_interval(days => ${STOPPED_DAYS}))
    on conflict (app_id, lower(email)) do update set asked_at = now(), app_name = excluded.app_name
      where app_watches.confirmed_at is null
        and app_watches.asked_at < now() - make_interval(hours => ${SEND_AGAIN_HOURS})
    returning public_id`.execute(trx);
  return rows[0] ?? null;
}

export interface WatchRow {
  id: number;
  confirmed_at: Date | null;
  /** Public ID of the app, 40 hex digits. */
  app_id: string;
  app_name: string;
  is_published: boolean;
  is_simulated: boolean;
  /** Null for a webhook. */
  email: string | null;
}

/** Whether published app `a` runs on simulated hosts only. */
const IS_SIMULATED = sql<boolean>`
  coalesce((select 'simulated' = any(e.tags) from explorer_apps e where e.app_id = a.id), false)`;

/** Finds a watch by its public ID. */
export async function findWatch(db: Db | Tx, public_id: string): Promise<WatchRow | undefined> {
  return db
    .selectFrom('app_watches as w')
    .innerJoin('apps as a', 'a.id', 'w.app_id')
    .select([
      'w.id',
      'w.confirmed_at',
      'a.app_id',
      'w.app_name',
      'w.email',
      sql<boolean>`a.listing_refused_at is null and exists (select from cvms c join teams t on t.id = c.team_id
        where c.app_id = a.id and ${PUBLISHED} and t.deleted_at is null)`.as('is_published'),
      IS_SIMULATED.as('is_simulated'),
    ])
    .where('w.public_id', '=', public_id)
    .executeTakeFirst();
}

/** The published state of an app for its watchers. Nulls if it isn't published. */
const NOW_PUBLISHED = sql`
  left join lateral (
    select r.id as revision_id, c.os_image, c.status, c.updated_at
    from cvms c join revisions r on r.id = c.revision_id
    where c.app_id = a.id and ${PUBLISHED} and a.listing_refused_at is null and t.deleted_at is null
    order by r.number desc, c.id limit 1
  ) n on true`;

/** Starts watching: the current published state counts as seen. Changes nothing if already confirmed. */
export async function confirmWatch(trx: Tx, id: number): Promise<void> {
  await sql`
    update app_watches w set confirmed_at = now(), seen_revision_id = now.revision_id, seen_os_image = now.os_image
    from (select a.id, n.revision_id, n.os_image from apps a join teams t on t.id = a.team_id ${NOW_PUBLISHED}) now
    where w.id = ${id} and w.confirmed_at is null and now.id = w.app_id`.execute(trx);
}

/** Deletes a watch; for an email address, only the hash is kept for a week. */
export async function stopWatch(trx: Tx, id: number, hash: string | null): Promise<void> {
  await trx.deleteFrom('app_watches').where('id', '=', id).execute();
  if (hash === null) return;
  await trx
    .insertInto('stopped_watches')
    .values({ hash })
    .onConflict((on) => on.column('hash').doUpdateSet({ stopped_at: new Date() }))
    .execute();
}

/** A watched app that has changed since the last email to one of its watchers. */
export interface ChangedApp {
  id: number;
  /** Public ID, 40 hex digits. */
  app_id: string;
  app_name: string;
  is_simulated: boolean;
  /** The published state; null if there is none. */
  now: { revision_id: number; os_image: string } | null;
}

/** Changes within this time become one email. */
const COLLECT_MINUTES = 10;

/** A webhook gets one request at a time. */
const isDue = sql`w.confirmed_at is not null and w.body is null
  and (w.told_at is null or w.told_at < now() - make_interval(mins => ${sql.lit(COLLECT_MINUTES)}))`;

/**
 * Returns changed watched apps, ordered by ID. An app that is still changing is left until it runs, for at most
 * ten minutes.
 */
export async function changedApps(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<ChangedApp[]> {
  const { rows } = await sql<ChangedApp>`
    select a.id, a.app_id, a.name as app_name, ${IS_SIMULATED} as is_simulated,
      case when n.revision_id is not null
        then json_build_object('revision_id', n.revision_id, 'os_image', n.os_image) end as now
    from (select distinct app_id from app_watches where confirmed_at is not null and app_id > ${after}) watched
    join apps a on a.id = watched.app_id join teams t on t.id = a.team_id ${NOW_PUBLISHED}
    where (n.revision_id is null or n.status = 'running'
        or n.updated_at < now() - make_interval(mins => ${COLLECT_MINUTES}))
      and exists (select from app_watches w where w.app_id = a.id and ${isDue}
        and (w.seen_revision_id, w.seen_os_image) is distinct from (n.revision_id, n.os_image))
    order by a.id limit ${limit}`.execute(db);
  return rows;
}

export interface DueWatch {
  id: number;
  public_id: string;
  /** Null for a webhook. */
  email: string | null;
  /** The published name: a later name is not public. */
  app_name: string;
  /** State described by the last email; null if nothing was published. */
  before: { revision_id: number; os_image: string } | null;
}

/** Locks an app's watches whose last email described another state. */
export async function lockDueWatches(trx: Tx, { id, now }: ChangedApp, limit: number): Promise<DueWatch[]> {
  const { rows } = await sql<DueWatch>`
    select w.id, w.public_id, w.email, w.app_name,
      case when w.seen_revision_id is not null
        then json_build_object('revision_id', w.seen_revision_id, 'os_image', w.seen_os_image) end as before
    from app_watches w
    where w.app_id = ${id} and ${isDue} and (w.seen_revision_id, w.seen_os_image)
      is distinct from (${now?.revision_id ?? null}::bigint, ${now?.os_image ?? null}::text)
    order by w.id limit ${limit} for update skip locked`.execute(trx);
  return rows;
}

/** Records that an email about the current published state was written. */
export const recordNotified = (
  trx: Tx,
  id: number,
  { app_name, now }: Pick<ChangedApp, 'app_name' | 'now'>,
) =>
  trx
    .updateTable('app_watches')
    .set({
      // An unpublished app keeps its last published name.
      ...(now ? { app_name } : {}),
      seen_revision_id: now?.revision_id ?? null,
      seen_os_image: now?.os_image ?? null,
      told_at: new Date(),
    })
    .where('id', '=', id)
    .execute();

/** Compose files and hashes of revisions, by their row ID. */
export async function composeOfRevisions(trx: Db | Tx, ids: readonly number[]) {
  if (ids.length === 0)
    return new Map<number, { number: number; compose_hash: string; docker_compose_file: string }>();
  const rows = await trx
    .selectFrom('revisions')
    .select(['id', 'number', 'compose_hash', 'docker_compose_file'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
