import { sql } from 'kysely';
import { prepared, type Db, type Tx } from '../core/client';
import { AI_HOLD_HOURS } from './aiCharges';
import { CONTINUED } from './aiKeyMinutes';
import type { AiKeyRow } from './aiTables';

const MAX_LISTED = 500;

/** Cost of a key's requests in the current period of its budget. */
export interface AiKeyUse {
  /** Cost of ended requests, in millionths of a micro-dollar. */
  used_picos: string;
  /** Maximum cost of requests in progress, in micro-dollars. */
  held_micros: number;
}

export type NamedAiKey = AiKeyRow & AiKeyUse & { created_by_username: string | null };

/** Columns of a query over keys `k`. Weeks start on Monday, as everywhere. */
const usedPicos = sql<string>`(select coalesce(sum(d.cost_picos), 0)::text from ai_key_days d
  where d.key_id = k.id and d.day >= date_trunc(k.budget_period, now() at time zone 'utc')::date)`;
const heldMicros = sql<number>`(select coalesce(sum(h.amount_micros), 0)::bigint from ai_holds h
  where h.key_id = k.id and h.created_at > now() - make_interval(hours => ${sql.lit(AI_HOLD_HOURS)}))`;

const named = (db: Db | Tx, team_id: number) =>
  db
    .selectFrom('ai_keys as k')
    .leftJoin('users as u', 'u.id', 'k.created_by')
    .selectAll('k')
    .select(['u.username as created_by_username', usedPicos.as('used_picos'), heldMicros.as('held_micros')])
    .where('k.team_id', '=', team_id);

/**
 * Returns the team's keys, newest first, except those that ended more than 30 days ago and ended playground
 * keys. Of more than `MAX_LISTED`, ended ones are left out: a live key must be listed to be revoked.
 */
export async function listAiKeys(db: Db, team_id: number): Promise<NamedAiKey[]> {
  const ends = sql<Date>`coalesce(least(k.revoked_at, k.expires_at), 'infinity')`;
  const rows = await named(db, team_id)
    .where(
      sql<boolean>`${ends} > now() - case k.purpose when 'playground' then interval '0' else interval '30 days' end`,
    )
    .orderBy(sql`${ends} <= now()`)
    .orderBy(sql`k.purpose = 'playground'`)
    .orderBy('k.id', 'desc')
    .limit(MAX_LISTED)
    .execute();
  return rows.toSorted((a, b) => b.id - a.id);
}

export const findAiKey = (db: Db | Tx, team_id: number, public_id: string): Promise<NamedAiKey | undefined> =>
  named(db, team_id).where('k.public_id', '=', public_id).executeTakeFirst();

/** Locked until the transaction ends: of two concurrent changes, the second builds on the first. */
export const lockAiKey = (trx: Tx, team_id: number, public_id: string): Promise<NamedAiKey | undefined> =>
  named(trx, team_id).where('k.public_id', '=', public_id).forUpdate('k').executeTakeFirst();

export async function countLiveAiKeys(trx: Tx, team_id: number): Promise<number> {
  const { n } = await trx
    .selectFrom('ai_keys')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('team_id', '=', team_id)
    .where('purpose', '=', 'program')
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
    .executeTakeFirstOrThrow();
  return n;
}

type NewAiKey = Pick<
  AiKeyRow,
  | 'public_id'
  | 'team_id'
  | 'name'
  | 'purpose'
  | 'secret_hash'
  | 'secret_prefix'
  | 'secret_last4'
  | 'models'
  | 'requests_per_minute'
  | 'tokens_per_minute'
  | 'budget_micros'
  | 'budget_period'
  | 'created_by'
  | 'expires_at'
>;

/** Revokes a user's working playground keys except the newest `keep`. @returns their public IDs */
export async function revokeOldPlaygroundKeys(
  trx: Tx,
  { team_id, created_by, keep }: { team_id: number; created_by: number; keep: number },
): Promise<string[]> {
  const revoked = await trx
    .updateTable('ai_keys')
    .set({ revoked_at: sql`now()` })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('ai_keys')
        .select('id')
        .where('team_id', '=', team_id)
        .where('created_by', '=', created_by)
        .where('purpose', '=', 'playground')
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', sql<Date>`now()`)
        .orderBy('id', 'desc')
        .offset(keep),
    )
    .returning('public_id')
    .execute();
  return revoked.map(({ public_id }) => public_id);
}

export async function insertAiKey(trx: Tx, key: NewAiKey): Promise<void> {
  await trx.insertInto('ai_keys').values(key).execute();
}

export async function changeAiKey(
  trx: Tx,
  id: number,
  change: Partial<Omit<AiKeyRow, 'id' | 'public_id' | 'team_id' | 'created_at'>>,
): Promise<void> {
  await trx.updateTable('ai_keys').set(change).where('id', '=', id).execute();
}

/** What a key used in the current minute, in all processes. */
export interface MinuteUse {
  used: number;
  /** Until the minute ends. */
  left_ms: number;
}

/** Fields of a working key that the gateway needs. */
export interface LiveAiKey {
  id: number;
  team_id: number;
  team_slug: string;
  models: string[] | null;
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  /** Up to and including this request; null if it isn't counted. */
  minute_requests: MinuteUse | null;
  /** Of answers that have ended; null for none. */
  minute_tokens: MinuteUse | null;
  budget_micros: number | null;
  budget_period: AiKeyRow['budget_period'];
  /** Whether the last use was recorded more than a minute ago. */
  stale_use: boolean;
  /** Whether any budget of the team, of any period, is exhausted. */
  has_used_up_budget: boolean;
  /** Whether the AI API is on for the team. */
  is_enabled: boolean;
  /** Version of the models and upstreams when the key was read. */
  catalog_version: number;
}

/** A key to find by the hash of its secret. */
export interface SoughtAiKey {
  hash: Buffer;
  /** Whether this is a request that counts toward the key's limits per minute. */
  counts: boolean;
}

type FoundAiKey = Omit<LiveAiKey, 'minute_requests' | 'minute_tokens'> & {
  hash: string;
  requests_used: number | null;
  requests_ms: number;
  tokens_used: number | null;
  tokens_ms: number;
};

const leftMs = (began_at: string) =>
  sql`greatest(0, least(60000, extract(epoch from ${sql.ref(began_at)} + interval '1 minute' - now()) * 1000))::int`;

/**
 * Returns the live keys with these secrets, current or in their rotation's grace period. At most one per
 * secret. The same statement counts the requests of keys with a limit, so that this costs no round trip: each gets its
 * number in the minute, in any process. Requests over the token limit aren't counted.
 */
export async function findLiveAiKeys(
  db: Db,
  sought: readonly SoughtAiKey[],
): Promise<(LiveAiKey | undefined)[]> {
  const { rows } = await sql<FoundAiKey>`${prepared}
    with found as (
      select encode(h.hash, 'hex') as hash, h.requests, k.id, k.team_id, t.slug as team_slug, k.models, k.requests_per_minute,
             k.tokens_per_minute, k.budget_micros, k.budget_period, t.confidential_models_enabled as is_enabled,
             k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as stale_use,
             exists (select from budgets b where b.team_id = k.team_id and b.used_up_at is not null) as has_used_up_budget,
             (select version from ai_catalog) as catalog_version, m.used as tokens_used, ${leftMs('m.began_at')} as tokens_ms
      from (select hash, count(*) filter (where counts)::int as requests
            from unnest(${sought.map(({ hash }) => hash)}::bytea[], ${sought.map(({ counts }) => counts)}::boolean[])
              as given (hash, counts) group by hash) h
      cross join lateral (
        select id from ai_keys where secret_hash = h.hash
        union all
        select id from ai_keys where previous_hash = h.hash and previous_until > now()
      ) owner
      join ai_keys k on k.id = owner.id
      join teams t on t.id = k.team_id and t.deleted_at is null
      left join ai_key_minutes m on k.tokens_per_minute is not null and m.key_id = k.id and m.unit = 'tokens'
        and m.began_at > now() - interval '1 minute'
      where k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
    ), counted as (
      insert into ai_key_minutes as m (key_id, unit, began_at, used)
      select id, 'requests', now(), sum(requests) from found
      where requests > 0 and requests_per_minute is not null and is_enabled and coalesce(tokens_used < tokens_per_minute, true)
      -- In one order, so that two of these don't wait for each other.
      group by id order by id
      ${CONTINUED}
      returning key_id, used, began_at
    )
    select found.hash, found.id, found.team_id, found.team_slug, found.models, found.requests_per_minute,
           found.tokens_per_minute, found.budget_micros, found.budget_period, found.is_enabled, found.stale_use,
           found.has_used_up_budget, found.catalog_version, found.tokens_used, found.tokens_ms,
           counted.used as requests_used, ${leftMs('counted.began_at')} as requests_ms
    from found left join counted on counted.key_id = found.id`.execute(db);
  const keys = new Map(rows.map((row) => [row.hash, row]));
  return numbered(sought, (hash) => keys.get(hash.toString('hex')));
}

/** Gives each request its number: of those counted together, the last has the key's total. */
function numbered(
  sought: readonly SoughtAiKey[],
  find: (hash: Buffer) => FoundAiKey | undefined,
): (LiveAiKey | undefined)[] {
  const later = new Map<number, number>();
  return sought
    .toReversed()
    .map(({ hash, counts }) => {
      const found = find(hash);
      if (!found) return undefined;
      const { hash: _, requests_used, requests_ms, tokens_used, tokens_ms, ...key } = found;
      const isCounted = counts && requests_used !== null;
      const after = later.get(key.id) ?? 0;
      if (isCounted) later.set(key.id, after + 1);
      return {
        ...key,
        minute_requests: isCounted ? { used: requests_used - after, left_ms: requests_ms } : null,
        minute_tokens: tokens_used === null ? null : { used: tokens_used, left_ms: tokens_ms },
      };
    })
    .toReversed();
}

export interface EndedAiKey {
  id: number;
  /** Whether it would work if its team turned the AI API on. */
  is_off: boolean;
}

/** Returns which of these keys no longer work, or belong to a team that turned the AI API off. */
export async function endedAiKeys(db: Db, ids: readonly number[]): Promise<EndedAiKey[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<EndedAiKey>`
    select id, not has_ended as is_off from (
      select k.id, t.confidential_models_enabled as is_on,
        k.revoked_at is not null or coalesce(k.expires_at <= now(), false) or t.deleted_at is not null as has_ended
      from ai_keys k join teams t on t.id = k.team_id where k.id = any(${[...ids]}::bigint[])) used
    where has_ended or not is_on`.execute(db);
  return rows;
}

export async function aiKeyUse(db: Db | Tx, id: number): Promise<AiKeyUse> {
  const { rows } = await sql<AiKeyUse>`
    select ${usedPicos} as used_picos, ${heldMicros} as held_micros from ai_keys k where k.id = ${id}`.execute(
    db,
  );
  return rows[0] ?? { used_picos: '0', held_micros: 0 };
}

export async function noteAiKeyUse(db: Db, id: number): Promise<void> {
  await sql`update ai_keys set last_used_at = now() where id = ${id}`.execute(db);
}
