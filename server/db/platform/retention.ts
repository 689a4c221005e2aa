import { sql, type RawBuilder } from 'kysely';
import {
  NOTICE_DAYS,
  PERIOD_DAYS,
  RETENTION,
  type LimitedKind,
  type PlatformKind,
  type TeamKind,
} from '../../../console/lib/activity/retention';
import { expiryTexts, limitTexts } from '../../domain/platform/retentionTexts';
import { appendAudit } from '../audit/auditLog';
import { withTransaction, type Db, type Tx } from '../core/client';
import { openNotices, recipientsOf } from '../notifications/notifications';
import { OLDEST_OF_PLATFORM, OLDEST_OF_TEAM } from './expiring';

/** Announcements are made this much earlier, because teams are checked in turn. */
const EARLY_DAYS = 1;
/**
 * Data over its limit is deleted this soon after the announcement, because within two weeks, as for age, it could fill
 * the table.
 */
const LIMIT_HOURS = 1;
/** Share of the limit at which it is announced. */
export const NEAR = 0.9;
/** Teams notified per kind and run. */
const MAX_TEAMS = 500;

const EXPIRY = 'retention.expiry';
const LIMIT = 'retention.limit';

/** The database's clock, which all processes share, unless a test sets it. */
const clock = (now?: Date) => (now ? sql<Date>`${now}::timestamptz` : sql<Date>`now()`);

interface Announced {
  /** Of the announcement. */
  at: Date;
  starts_at: Date;
  covers_until: Date;
  /** Whether an earlier announcement lasted until this one. */
  continues: boolean;
}

/**
 * Records an announcement unless an earlier one covers everything before `until`. @returns undefined in that case
 * @param lead interval until deletion may start
 */
async function record(
  trx: Tx,
  given: {
    kind: string;
    team_id: number | null;
    at: RawBuilder<Date>;
    until: RawBuilder<Date>;
    lead: RawBuilder<unknown>;
  },
): Promise<Announced | undefined> {
  const { kind, team_id, at, until, lead } = given;
  const { rows } = await sql<Announced>`
    insert into retention_notices as n (kind, team_id, announced_at, starts_at, covers_until)
    values (${kind}, ${team_id}, ${at}, ${at} + ${lead}, ${until} + make_interval(days => ${PERIOD_DAYS}))
    on conflict (kind, team_id) do update set announced_at = excluded.announced_at, covers_until = excluded.covers_until,
      -- What was covered until a moment ago needs no second waiting time.
      starts_at = case when n.covers_until >= ${until} - make_interval(days => ${EARLY_DAYS}) then n.starts_at
        else excluded.starts_at end
    where n.covers_until < ${until}
    returning announced_at as at, starts_at, covers_until, starts_at < announced_at + ${lead} as continues`.execute(
    trx,
  );
  return rows[0];
}

const addDays = (at: Date, days: number) => new Date(at.getTime() + days * 86_400_000);
const later = (a: Date, b: Date) => (a > b ? a : b);

/** Notifies the team's admins and owners in the console and by email. A later announcement is a new notice. */
async function notify(
  trx: Tx,
  team_id: number,
  subject: string,
  texts: { title: string; message: string },
  at: Date,
): Promise<void> {
  const recipients = await recipientsOf(trx, team_id, 'retention');
  const notice = {
    state: 'open',
    kind: 'retention',
    subject: `${subject}:${at.toISOString().slice(0, 10)}`,
    severity: 'info',
    ...texts,
  } as const;
  await openNotices(trx, notice, { team_id, cvm_id: null, at }, recipients);
}

interface Announcing {
  now?: Date;
  /** Selects the teams that are checked; by the database's clock unless given. */
  minute?: number;
}

/**
 * Announces which data will be deleted for its age, at least two weeks ahead, and where to export it: to each team in
 * its audit log and as a notification, and to administrators in the platform's audit log, and so to its destinations. Each
 * run checks one sixtieth of the teams.
 */
export async function announceExpiry(db: Db, { now, minute }: Announcing = {}): Promise<void> {
  for (const kind of Object.keys(OLDEST_OF_PLATFORM) as PlatformKind[])
    await announceToPlatform(db, kind, now);
  const turn = minute ?? sql`extract(minute from now())::int`;
  for (const kind of Object.keys(OLDEST_OF_TEAM) as TeamKind[]) {
    const soon = soonOf(kind, now);
    const { rows } = await sql<DueTeam>`
      select t.id, t.public_id, t.deleted_at is not null as is_deleted, o.at as oldest from teams t
      left join retention_notices n on n.team_id = t.id and n.kind = ${kind}
      cross join lateral (select min(at) as at from (${OLDEST_OF_TEAM[kind]}) as found) o
      where t.id % 60 = ${turn} and o.at < ${soon} and (n.kind is null or n.covers_until < ${soon})
      order by t.id limit ${MAX_TEAMS}`.execute(db);
    for (const team of rows) await announceToTeam(db, kind, team, now);
  }
}

interface DueTeam {
  id: number;
  public_id: string;
  is_deleted: boolean;
  oldest: Date;
}

/** Returns the creation time of what is deleted next. */
const soonOf = (kind: TeamKind | PlatformKind, now?: Date) =>
  sql<Date>`(${clock(now)} + make_interval(days => ${NOTICE_DAYS + EARLY_DAYS - RETENTION[kind].days}))`;

const NOTICE = sql`make_interval(days => ${sql.lit(NOTICE_DAYS)})`;

const announceToTeam = (db: Db, kind: TeamKind, team: DueTeam, now?: Date): Promise<void> =>
  withTransaction(db, async (trx) => {
    const announced = await record(trx, {
      kind,
      team_id: team.id,
      at: clock(now),
      until: soonOf(kind, now),
      // Nobody is left to notify.
      lead: team.is_deleted ? sql`interval '0'` : NOTICE,
    });
    if (!announced || team.is_deleted) return;
    const from = later(announced.starts_at, addDays(team.oldest, RETENTION[kind].days));
    const texts = expiryTexts(kind, announced.continues ? null : from);
    await notify(trx, team.id, `retention:${kind}`, texts, announced.at);
    await appendAudit(trx, [entryOf(kind, team.id, announced, from)]);
  });

const announceToPlatform = (db: Db, kind: PlatformKind, now?: Date): Promise<void> =>
  withTransaction(db, async (trx) => {
    const { rows } = await sql<{ oldest: Date }>`
      select o.at as oldest from (${OLDEST_OF_PLATFORM[kind]}) o where o.at < ${soonOf(kind, now)}`.execute(
      trx,
    );
    const [due] = rows;
    if (!due) return;
    const until = soonOf(kind, now);
    const announced = await record(trx, { kind, team_id: null, at: clock(now), until, lead: NOTICE });
    if (!announced) return;
    const from = later(announced.starts_at, addDays(due.oldest, RETENTION[kind].days));
    await appendAudit(trx, [entryOf(kind, null, announced, from)]);
  });

const entryOf = (
  kind: TeamKind | PlatformKind,
  team_id: number | null,
  announced: Announced,
  from: Date,
) => ({
  actor_kind: 'system' as const,
  team_id,
  action: EXPIRY,
  target_kind: 'retention',
  target_id: kind,
  after: {
    created_before: announced.covers_until.toISOString(),
    deleted_from: from.toISOString(),
    kept_days: RETENTION[kind].days,
    export: RETENTION[kind].export,
  },
});

const limitKind = (kind: LimitedKind) => `${kind}_limit`;

/**
 * Announces to teams that the oldest data of one of their CVMs or webhooks is about to be deleted for its number.
 * @returns the teams whose data may be deleted now
 */
export async function announceLimit(
  db: Db,
  kind: LimitedKind,
  teams: readonly { team_id: number }[],
  now?: Date,
): Promise<ReadonlySet<number>> {
  const ids = [...new Set(teams.map(({ team_id }) => team_id))].sort((a, b) => a - b);
  if (ids.length === 0) return new Set();
  const at = clock(now);
  const name = limitKind(kind);
  const { rows: due } = await sql<{ id: number }>`
    select t.id from teams t left join retention_notices n on n.team_id = t.id and n.kind = ${name}
    where t.id = any(${ids}::bigint[]) and (n.kind is null or n.covers_until < ${at}) order by t.id`.execute(
    db,
  );
  const lead = sql`make_interval(hours => ${sql.lit(LIMIT_HOURS)})`;
  for (const { id } of due)
    await withTransaction(db, async (trx) => {
      const announced = await record(trx, { kind: name, team_id: id, at, until: at, lead });
      if (!announced) return;
      await notify(trx, id, `retention:${name}`, limitTexts(kind), announced.at);
      const { newest, export: from } = RETENTION[kind];
      await appendAudit(trx, [
        {
          actor_kind: 'system',
          team_id: id,
          action: LIMIT,
          target_kind: 'retention',
          target_id: kind,
          after: {
            [`kept_of_each_${newest.of.toLowerCase()}`]: newest.count,
            deleted_from: announced.starts_at.toISOString(),
            export: from,
          },
        },
      ]);
    });
  const { rows: notified } = await sql<{ team_id: number }>`
    select team_id from retention_notices
    where kind = ${name} and team_id = any(${ids}::bigint[]) and starts_at <= ${at} and covers_until >= ${at}`.execute(
    db,
  );
  return new Set(notified.map(({ team_id }) => team_id));
}
