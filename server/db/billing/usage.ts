import { sql } from 'kysely';
import type { Basis, Carry, StateChange, UsageLine } from '../../domain/billing/metering';
import type { Db, Tx } from '../core/client';
import { merged, type LedgerEntry } from '../../domain/billing/ledger';

export interface Meter {
  cvm_id: number;
  billed_from: Date;
  closed_until: Date;
  change_id: number | null;
  basis: Basis;
  carry: number;
  disk_carry: number;
  gpu_carry: number;
}

const METER = [
  'cvm_id',
  'billed_from',
  'closed_until',
  'change_id',
  'basis',
  'carry',
  'disk_carry',
  'gpu_carry',
] as const;

type Remainders = Pick<Meter, 'carry' | 'disk_carry' | 'gpu_carry'>;

/** A meter's carried remainder, by track. */
export const carryOf = ({ carry, disk_carry, gpu_carry }: Remainders): Carry => ({
  size: carry,
  disk: disk_carry,
  gpu: gpu_carry,
});

/** The remainder as stored with a meter. */
export const storedCarry = ({ size, disk, gpu }: Carry): Remainders => ({
  carry: size,
  disk_carry: disk,
  gpu_carry: gpu,
});

/** Returns teams with usage to post before `until`, and since when, ordered by ID. */
export async function teamsBehind(
  db: Db,
  until: Date,
  { after, limit }: { after: number; limit: number },
): Promise<{ team_id: number; since: Date }[]> {
  const rows = await db
    .selectFrom('usage_meters')
    .select(({ fn }) => ['team_id', fn.min('closed_until').as('since')])
    .where('ended', '=', false)
    .where('closed_until', '<', until)
    .where('team_id', '>', after)
    .groupBy('team_id')
    .orderBy('team_id')
    .limit(limit)
    .execute();
  return rows;
}

/** Returns a team's meters for CVMs that are not deleted or not yet posted to their end. */
export const openMeters = (db: Db | Tx, team_id: number, before?: Date): Promise<Meter[]> =>
  db
    .selectFrom('usage_meters')
    .select(METER)
    .where('team_id', '=', team_id)
    .where('ended', '=', false)
    .$if(before !== undefined, (query) => query.where('closed_until', '<', before!))
    .orderBy('cvm_id')
    .execute();

/** Like `openMeters`, for all teams, with CVM IDs above `after`, ordered by CVM ID. */
export const metersAfter = (
  db: Db | Tx,
  { after, limit }: { after: number; limit: number },
): Promise<(Meter & { team_id: number })[]> =>
  db
    .selectFrom('usage_meters')
    .select([...METER, 'team_id'])
    .where('ended', '=', false)
    .where('cvm_id', '>', after)
    .orderBy('cvm_id')
    .limit(limit)
    .execute();

/** State changes of one CVM between two closes; more wait for the next. */
const MAX_CHANGES = 10_000;

export type MeterChange = StateChange & { id: number; cvm_id: number };

/**
 * Returns, for each meter, the change in effect at its position and the later ones before `until`. A change
 * written after one with a later time takes effect together with that one, so it isn't returned before it.
 */
export async function changesSince(
  db: Db | Tx,
  meters: readonly Pick<Meter, 'cvm_id' | 'change_id'>[],
  until: Date,
): Promise<Map<number, MeterChange[]>> {
  // The limits keep these per-CVM index scans; without them, the planner reads the whole table for a large
  // team.
  const { rows } = await sql<MeterChange>`
    select c.id, c.cvm_id, c.status, c.vcpu, c.memory_mb, c.disk_gb, c.hourly_rate_micros, c.gpu_rate_micros,
      c.disk_rate_micros, c.at, c.order_id, c.covers, c.covered_until
    from unnest(${meters.map(({ cvm_id }) => cvm_id)}::bigint[], ${meters.map(({ change_id }) => change_id ?? 0)}::bigint[])
      as m (cvm_id, change_id)
    left join lateral (
      select f.id from cvm_state_changes f
      where f.cvm_id = m.cvm_id and f.id > m.change_id and f.at >= ${until} order by f.id limit 1
    ) later on true
    cross join lateral (
      select * from cvm_state_changes s
      where s.cvm_id = m.cvm_id and s.id >= m.change_id and s.id < coalesce(later.id, 9223372036854775807)
      order by s.id limit ${MAX_CHANGES}
    ) c order by c.cvm_id, c.id`.execute(db);
  const byCvm = new Map<number, MeterChange[]>();
  for (const row of rows) {
    const own = byCvm.get(row.cvm_id);
    if (own) own.push(row);
    else byCvm.set(row.cvm_id, [row]);
  }
  return byCvm;
}

/** Stores meter positions; all of one team. */
export async function saveMeters(trx: Tx, meters: readonly (Meter & { ended: boolean })[]): Promise<void> {
  if (meters.length === 0) return;
  const column = <K extends keyof Meter | 'ended'>(name: K) => meters.map((meter) => meter[name]);
  await sql`update usage_meters m set closed_until = u.closed_until, change_id = u.change_id, basis = u.basis,
      carry = u.carry, disk_carry = u.disk_carry, gpu_carry = u.gpu_carry, ended = u.ended
    from unnest(${column('cvm_id')}::bigint[], ${column('closed_until')}::timestamptz[], ${column('change_id')}::bigint[],
      ${column('basis')}::text[], ${column('carry')}::smallint[], ${column('disk_carry')}::smallint[],
      ${column('gpu_carry')}::smallint[], ${column('ended')}::boolean[])
      as u (cvm_id, closed_until, change_id, basis, carry, disk_carry, gpu_carry, ended)
    where m.cvm_id = u.cvm_id`.execute(trx);
}

/**
 * Returns the effective time of a change: the latest time among the CVM's changes up to it; null if there is
 * none.
 */
export async function effectiveAt(db: Db | Tx, cvm_id: number, change_id: number): Promise<Date | null> {
  const { at } = await db
    .selectFrom('cvm_state_changes')
    .select(({ fn }) => fn.max<Date | null>('at').as('at'))
    .where('cvm_id', '=', cvm_id)
    .where('id', '<=', change_id)
    .executeTakeFirstOrThrow();
  return at;
}

export type NewLine = Omit<UsageLine, 'seconds'> & { cvm_id: number; corrects?: number | null };

/** Stores posted lines; all of one team and one transaction. */
export async function insertLines(
  trx: Tx,
  { team_id, transaction_id }: { team_id: number; transaction_id: number | null },
  lines: readonly NewLine[],
): Promise<void> {
  if (lines.length === 0) return;
  const column = <K extends keyof NewLine>(name: K) => lines.map((line) => line[name] ?? null);
  await sql`insert into usage_lines (team_id, transaction_id, cvm_id, basis, starts_at, ends_at, status, vcpu, memory_mb,
      disk_gb, rate_micros, carry, amount_micros, corrects, order_id)
    select ${team_id}, ${transaction_id}, * from unnest(${column('cvm_id')}::bigint[], ${column('basis')}::text[],
      ${column('from')}::timestamptz[], ${column('to')}::timestamptz[], ${column('status')}::text[],
      ${column('vcpu')}::int[], ${column('memory_mb')}::int[], ${column('disk_gb')}::int[],
      ${column('rate_micros')}::bigint[], ${column('carry')}::smallint[], ${column('amount_micros')}::bigint[],
      ${column('corrects')}::bigint[], ${column('order_id')}::bigint[])`.execute(trx);
}

export interface StoredLine extends UsageLine {
  id: number;
  cvm_id: number;
  transaction_id: number | null;
  corrects: number | null;
}

/** Returns posted lines of these CVMs that overlap a window, by CVM and time; at most `limit`. */
export async function linesWithin(
  db: Db | Tx,
  cvm_ids: readonly number[],
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<StoredLine[]> {
  if (cvm_ids.length === 0) return [];
  const rows = await db
    .selectFrom('usage_lines')
    .select([
      'id',
      'cvm_id',
      'transaction_id',
      'basis',
      'starts_at',
      'ends_at',
      'status',
      'vcpu',
      'memory_mb',
    ])
    .select(['disk_gb', 'rate_micros', 'carry', 'amount_micros', 'corrects', 'order_id'])
    .where('cvm_id', 'in', [...cvm_ids])
    .where('starts_at', '<', to)
    .where('ends_at', '>', from)
    .orderBy('cvm_id')
    .orderBy('starts_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ starts_at, ends_at, ...row }) => ({
    ...row,
    from: starts_at,
    to: ends_at,
    seconds: (ends_at.getTime() - starts_at.getTime()) / 1000,
  }));
}

/**
 * Returns the original charges of these transactions after all corrections, latest first.
 *
 * @returns each with the given IDs that belong to it
 */
export async function chargesOf(
  trx: Tx,
  transaction_ids: readonly number[],
): Promise<{ id: number; ids: number[]; entries: LedgerEntry[] }[]> {
  if (transaction_ids.length === 0) return [];
  const { rows } = await sql<{ id: number; ids: number[]; entries: LedgerEntry[] }>`
    with charges as (
      select coalesce(corrects, id) as id, json_agg(id) as ids from ledger_transactions
      where id = any(${[...transaction_ids]}::bigint[]) group by 1
    )
    select c.id, c.ids, (select jsonb_agg(e order by t.id, n) from ledger_transactions t,
        jsonb_array_elements(t.entries) with ordinality as x (e, n) where t.id = c.id or t.corrects = c.id) as entries
    from charges c order by c.id desc`.execute(trx);
  return rows.map((row) => ({ ...row, entries: merged(row.entries) }));
}
