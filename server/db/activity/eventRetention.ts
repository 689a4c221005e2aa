import { sql } from 'kysely';
import { NOTICE_DAYS, RETENTION } from '../../../console/lib/activity/retention';
import { appendAudit } from '../audit/auditLog';
import { withTransaction, type Db } from '../core/client';
import { announcedToTeam } from '../platform/expiring';
import { announceLimit, NEAR } from '../platform/retention';

const EVENT_DAYS = RETENTION.events.days;
/** Additional days of events covered by an announcement, so that one a month is enough. */
const ANNOUNCED_DAYS = 30;
const ANNOUNCEMENT = 'events.expiry';
const EVENTS_PER_CVM = RETENTION.events.newest.count;
const LIMIT_ANNOUNCEMENT = 'events.limit';
/**
 * How long an announcement stands that a CVM's events are deleted for their number, so that it isn't repeated
 * every hour.
 */
const LIMIT_DAYS = 30;
/** CVMs over the limit or close to it handled per run; the others wait for a later one. */
const MAX_OVER = 100;
const BATCH = 5_000;
/**
 * More than the CVMs of a region add between two runs, and few enough that a backlog doesn't delay other
 * housekeeping.
 */
const BATCHES = 20;

const daysAfter = (at: Date, days: number) => new Date(at.getTime() + days * 86_400_000);

/** Returns the creation time before which deletion was announced, by announcements up to `by`. */
export async function announcedUntil(db: Db, by: Date): Promise<Date | null> {
  const { rows } = await sql<{ until: Date }>`
    select (after->>'created_before')::timestamptz as until from audit_log
    where action = ${ANNOUNCEMENT} and actor_kind = 'system' and team_id is null and at <= ${by}
    order by id desc limit 1`.execute(db);
  return rows[0]?.until ?? null;
}

/**
 * Announces in the platform's audit log which events will be deleted, at least 14 days ahead, and where to
 * export them. @returns whether it did
 */
export async function announceEventExpiry(db: Db, now = new Date()): Promise<boolean> {
  const soon = daysAfter(now, NOTICE_DAYS - EVENT_DAYS);
  const { rows } = await sql<{ created_at: Date }>`select created_at from events order by id limit 1`.execute(
    db,
  );
  const [oldest] = rows;
  if (!oldest || oldest.created_at >= soon) return false;
  const until = await announcedUntil(db, now);
  if (until && until >= soon) return false;
  await withTransaction(db, (trx) =>
    appendAudit(trx, [
      {
        actor_kind: 'system',
        action: ANNOUNCEMENT,
        target_kind: 'events',
        after: {
          created_before: daysAfter(soon, ANNOUNCED_DAYS).toISOString(),
          deleted_from: daysAfter(now, NOTICE_DAYS).toISOString(),
          kept_days: EVENT_DAYS,
          export: `${RETENTION.events.export}, by each team; teehouse backup, of all teams`,
        },
      },
    ]),
  );
  return true;
}

/** Returns the creation time before which events are deleted: past their retention, and announced in time. Null for none. */
export async function eventCutoff(db: Db, now: Date): Promise<Date | null> {
  const until = await announcedUntil(db, daysAfter(now, -NOTICE_DAYS));
  const expired = daysAfter(now, -EVENT_DAYS);
  return until && (until < expired ? until : expired);
}

interface Forgetting {
  per_cvm?: number;
  now?: Date;
  /** Selects the CVMs whose events are counted. */
  minute?: number;
}

/**
 * Keeps events for 400 days, and the newest 100,000 of each CVM. Old ones are deleted once that was announced. Each run
 * covers one sixtieth of the CVMs, selected by the current minute, because counting a CVM's events walks the index.
 */
export async function forgetEvents(
  db: Db,
  { per_cvm = EVENTS_PER_CVM, now = new Date(), minute = now.getMinutes() }: Forgetting = {},
): Promise<void> {
  const cutoff = await eventCutoff(db, now);
  // IDs grow with time, so the oldest come first; an ID out of order holds back later ones until it is old
  // enough, and so do those of a team that was notified late.
  for (let batch = 0; cutoff && batch < BATCHES; batch++) {
    const { numAffectedRows } = await sql`
      delete from events where id in (
        select id from (select id, team_id, created_at from events order by id limit ${BATCH}) oldest
        where created_at < ${cutoff}
          and ${announcedToTeam('events', 'oldest.team_id', 'oldest.created_at', sql`${now}::timestamptz`)})`.execute(
      db,
    );
    if ((numAffectedRows ?? 0n) === 0n) break;
  }
  await forgetExcess(db, { per_cvm, now, minute });
}

interface Over {
  id: number;
  team_id: number;
  public_id: string;
  /** The newest event to delete. */
  newest: number;
}

/**
 * Deletes a CVM's events beyond its limit. The team is notified when a CVM comes close to it, and an hour or more before
 * the first deletion: waiting two weeks, as for age, would let CVMs that never stop writing fill the table. Its audit log
 * also has an entry about each CVM, at most one a month.
 */
async function forgetExcess(db: Db, { per_cvm, now, minute }: Required<Forgetting>): Promise<void> {
  const near = Math.floor(per_cvm * NEAR);
  const { rows: close } = await sql<Omit<Over, 'newest'> & { newest: number | null }>`
    select c.id, c.team_id, c.public_id, newest.id as newest from cvms c
    cross join lateral (select id from events where cvm_id = c.id order by id desc offset ${near} limit 1) near
    left join lateral (
      select id from events where cvm_id = c.id and id <= near.id order by id desc offset ${per_cvm - near} limit 1) newest on true
    where c.id % 60 = ${minute}::int order by newest.id is null, c.id limit ${MAX_OVER}`.execute(db);
  const announcedTeams = await announceLimit(db, 'events', close, now);
  const over = close.filter((cvm): cvm is Over => cvm.newest !== null && announcedTeams.has(cvm.team_id));
  if (over.length === 0) return;
  const { rows: known } = await sql<{ id: number }>`
    select c.id from cvms c where c.id = any(${over.map(({ id }) => id)}::bigint[]) and exists (
      select from audit_log l where l.chain = c.team_id and l.target_id = c.public_id
        and l.action = ${LIMIT_ANNOUNCEMENT} and l.at > ${daysAfter(now, -LIMIT_DAYS)})`.execute(db);
  const announced = new Set(known.map(({ id }) => id));
  await withTransaction(db, (trx) =>
    appendAudit(
      trx,
      over
        .filter(({ id }) => !announced.has(id))
        .map(({ team_id, public_id }) => ({
          actor_kind: 'system' as const,
          team_id,
          action: LIMIT_ANNOUNCEMENT,
          target_kind: 'cvm',
          target_id: public_id,
          after: {
            kept_events: per_cvm,
            deleted_from: now.toISOString(),
            export: RETENTION.events.export,
          },
        })),
    ),
  );
  await sql`
    delete from events where id in (
      select e.id from unnest(${over.map(({ id }) => id)}::bigint[], ${over.map(({ newest }) => newest)}::bigint[]) as o (cvm_id, newest)
      cross join lateral (
        select id from events where cvm_id = o.cvm_id and id <= o.newest order by id limit ${BATCH}
      ) e
      limit ${BATCH})`.execute(db);
}
