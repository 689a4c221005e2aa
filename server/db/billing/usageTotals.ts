import { sql, type RawBuilder } from 'kysely';
import type { UsageLine } from '../../domain/billing/metering';
import { splitByDay, type Window } from '../../domain/billing/usageDays';
import { aiDays } from '../ai/aiTotals';
import type { Db, Tx } from '../core/client';
import { accruedUsage } from './accrued';
import { orderDays, orderNames, reservedDays } from './orders/orderTotals';
import type { UsageSums } from '../../domain/billing/costResponse';

/** Totals of a team's usage and cost, by day and group. */

export type Dimension = 'app' | 'cvm' | 'instance_type' | 'basis';
/** AI models and orders are separate groups beside any other dimension. */
type GroupKind = Dimension | 'ai_model' | 'order';

interface UsageCell extends UsageSums {
  /** Null, like the key, for all groups after the largest ones. */
  kind: GroupKind | null;
  key: string | null;
  /** Start of the UTC day. */
  day: Date;
}

interface UsageTotals {
  cells: UsageCell[];
  /** Number of groups, including those without cells. */
  groups: number;
}

/** A custom size has no instance type. */
const CUSTOM_SIZE = 'custom';

const KEYS: Readonly<Record<Dimension, RawBuilder<string>>> = {
  app: sql`a.app_id`,
  cvm: sql`c.vm_uuid::text`,
  basis: sql`s.basis`,
  // A line has the billed size; the CVM may have been resized since.
  instance_type: sql`coalesce((select t.id from instance_types t
    where t.vcpu = s.vcpu and t.memory_mb = s.memory_mb and t.gpu_count = c.gpus order by t.sort_order, t.id limit 1), ${CUSTOM_SIZE})`,
};

/** A day of an AI model or of an order. */
interface OtherCell {
  kind: GroupKind;
  key: string;
  day: Date;
  ai_requests: number;
  ai_tokens: number;
  reserved_seconds: number;
  amount_micros: number;
}

/** Usage outside CVMs: AI requests and orders. Orders without cost on these days only if `reserved`. */
async function otherCells(
  db: Db | Tx,
  team_id: number,
  window: Window,
  { by, reserved }: { by: Dimension; reserved: boolean },
): Promise<OtherCell[]> {
  const ai = await aiDays(db, team_id, window);
  const orders = await orderDays(db, team_id, window);
  if (reserved) orders.push(...(await reservedDays(db, team_id, window)));
  const named = (kind: 'ai_model' | 'order', key: string) =>
    by === 'basis' ? { kind: by, key: kind === 'order' ? 'order' : 'ai' } : { kind, key };
  return [
    ...ai.map(({ model, day, requests, input_tokens, output_tokens, amount_micros }) => ({
      ...named('ai_model', model),
      day,
      ai_requests: requests,
      ai_tokens: input_tokens + output_tokens,
      reserved_seconds: 0,
      amount_micros,
    })),
    ...orders.map(({ order_id, day, seconds, amount_micros }) => ({
      ...named('order', order_id),
      day,
      ai_requests: 0,
      ai_tokens: 0,
      reserved_seconds: seconds,
      amount_micros,
    })),
  ];
}

/**
 * Sums the cost of CVMs, AI requests and orders, posted or accrued since, by UTC day and group. `window` comes
 * from `wholeDays`; the `largest` groups by amount get cells. With `reserved`, the time reserved by orders
 * counts too. @returns null if more than `most` lines were corrected
 */
export async function usageTotals(
  db: Db | Tx,
  team_id: number,
  window: Window,
  {
    by,
    largest,
    most,
    reserved = false,
  }: { by: Dimension; largest: number; most: number; reserved?: boolean },
): Promise<UsageTotals | null> {
  const corrections = await correctionsWithin(db, team_id, window, most + 1);
  if (corrections.length > most) return null;
  const accrued = await accruedUsage(db, team_id, window.to);
  const parts = [...corrections, ...accrued.lines].flatMap((line) =>
    line.basis === 'none' ? [] : splitByDay(line, window).map((part) => ({ ...line, ...part })),
  );
  const column = (name: keyof (typeof parts)[number]) => parts.map((part) => part[name]);
  const others = await otherCells(db, team_id, window, { by, reserved });
  const other = (name: keyof OtherCell) => others.map((cell) => cell[name]);
  const { rows } = await sql<UsageCell & { groups: number }>`
    with lines as (
      select cvm_id, date_trunc('day', starts_at, 'UTC') as day, basis, vcpu, memory_mb, disk_gb,
        sum(extract(epoch from ends_at - starts_at))::bigint as seconds, sum(amount_micros)::bigint as amount
      from usage_lines
      where team_id = ${team_id} and starts_at >= ${window.from} and starts_at < ${window.to} and corrects is null
      group by 1, 2, 3, 4, 5, 6
      union all
      select * from unnest(${column('cvm_id')}::bigint[], ${column('day')}::timestamptz[], ${column('basis')}::text[],
        ${column('vcpu')}::int[], ${column('memory_mb')}::int[], ${column('disk_gb')}::int[],
        ${column('seconds')}::bigint[], ${column('amount_micros')}::bigint[])
    ), keyed as (
      select ${by}::text as kind, ${KEYS[by]} as key, s.day,
        sum(case s.basis when 'size' then s.seconds * s.vcpu else 0 end)::float8 as vcpu_seconds,
        sum(case s.basis when 'size' then s.seconds * s.memory_mb else 0 end)::float8 as memory_mb_seconds,
        sum(case s.basis when 'gpu' then 0 else s.seconds * s.disk_gb end)::float8 as disk_gb_seconds,
        sum(case s.basis when 'gpu' then s.seconds * greatest(c.gpus, 1) else 0 end)::float8 as gpu_seconds,
        0::bigint as ai_requests, 0::bigint as ai_tokens, 0::bigint as reserved_seconds,
        sum(s.amount)::bigint as amount_micros
      from lines s join cvms c on c.id = s.cvm_id join apps a on a.id = c.app_id
      group by 2, 3
      union all
      select kind, key, day, 0, 0, 0, 0, ai_requests, ai_tokens, reserved_seconds, amount
      from unnest(${other('kind')}::text[], ${other('key')}::text[], ${other('day')}::timestamptz[],
        ${other('ai_requests')}::bigint[], ${other('ai_tokens')}::bigint[], ${other('reserved_seconds')}::bigint[],
        ${other('amount_micros')}::bigint[]) as o (kind, key, day, ai_requests, ai_tokens, reserved_seconds, amount)
    ), ranked as (
      select kind, key, row_number() over (order by sum(amount_micros) desc, kind, key) as place from keyed group by kind, key
    )
    select case when r.place <= ${largest} then r.kind end as kind, case when r.place <= ${largest} then r.key end as key,
      k.day, sum(vcpu_seconds) as vcpu_seconds, sum(memory_mb_seconds) as memory_mb_seconds,
      sum(disk_gb_seconds) as disk_gb_seconds, sum(gpu_seconds) as gpu_seconds, sum(ai_requests)::bigint as ai_requests,
      sum(ai_tokens)::bigint as ai_tokens, sum(reserved_seconds)::bigint as reserved_seconds,
      sum(amount_micros)::bigint as amount_micros, (select count(*) from ranked)::int as groups
    from keyed k join ranked r using (kind, key) group by 1, 2, 3 order by min(r.place), k.day`.execute(db);
  return {
    cells: rows.map(({ groups: _, ...cell }) => cell),
    groups: rows[0]?.groups ?? 0,
  };
}

/** A correction can span days, so it is split by the rule it was priced with. */
const correctionsWithin = (
  db: Db | Tx,
  team_id: number,
  { from, to }: Window,
  limit: number,
): Promise<(UsageLine & { cvm_id: number })[]> =>
  db
    .selectFrom('usage_lines')
    .select(['cvm_id', 'basis', 'starts_at as from', 'ends_at as to', 'status', 'vcpu', 'memory_mb'])
    .select(['disk_gb', 'rate_micros', 'carry', 'amount_micros', 'order_id'])
    .select(sql<number>`extract(epoch from ends_at - starts_at)::int`.as('seconds'))
    .where('team_id', '=', team_id)
    .where('corrects', 'is not', null)
    .where('starts_at', '<', to)
    .where('ends_at', '>', from)
    .limit(limit)
    .execute();

interface NamedGroup {
  key: string;
  name: string;
  app_id: string | null;
  deleted: boolean;
}

/** Returns the names of groups that are apps, CVMs or orders; their keys are distinct. */
export async function groupNames(
  db: Db | Tx,
  team_id: number,
  cells: readonly Pick<UsageCell, 'kind' | 'key'>[],
): Promise<NamedGroup[]> {
  const keysOf = (kind: GroupKind) => [
    ...new Set(cells.flatMap((cell) => (cell.kind === kind && cell.key !== null ? [cell.key] : []))),
  ];
  const orders = await orderNames(db, team_id, keysOf('order'));
  return [
    ...(await ownNames(db, team_id, 'app', keysOf('app'))),
    ...(await ownNames(db, team_id, 'cvm', keysOf('cvm'))),
    ...[...orders].map(([key, name]) => ({ key, name, app_id: null, deleted: false })),
  ];
}

async function ownNames(
  db: Db | Tx,
  team_id: number,
  by: 'app' | 'cvm',
  keys: readonly string[],
): Promise<NamedGroup[]> {
  if (keys.length === 0) return [];
  if (by === 'app')
    return db
      .selectFrom('apps')
      .select(['app_id as key', 'name', 'app_id'])
      .select(sql<boolean>`false`.as('deleted'))
      .where('team_id', '=', team_id)
      .where('app_id', 'in', [...keys])
      .execute();
  return db
    .selectFrom('cvms as c')
    .innerJoin('apps as a', 'a.id', 'c.app_id')
    .select(['c.vm_uuid as key', 'c.name', 'a.app_id'])
    .select(sql<boolean>`c.deleted_at is not null`.as('deleted'))
    .where('c.team_id', '=', team_id)
    .where('c.vm_uuid', 'in', [...keys])
    .execute();
}

/** Returns how many posted lines of CVMs and AI requests start in a window, at most `most` of each. */
export async function countLines(
  db: Db,
  team_id: number,
  { from, to }: Window,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from (select from usage_lines
        where team_id = ${team_id} and starts_at >= ${from} and starts_at < ${to} limit ${most}) l)
      + (select count(*) from (select from ai_usage_lines
        where team_id = ${team_id} and starts_at >= ${from} and starts_at < ${to} limit ${most}) a) as count`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Yields a team's posted lines in chronological batches. */
export async function* everyLine(db: Db, team_id: number, { from, to }: Window, batch = 1000) {
  for (let after = { starts_at: from, id: 0 }; ;) {
    const rows = await db
      .selectFrom('usage_lines as l')
      .innerJoin('cvms as c', 'c.id', 'l.cvm_id')
      .innerJoin('apps as a', 'a.id', 'c.app_id')
      .select(['l.id', 'l.starts_at', 'l.ends_at', 'l.status', 'l.basis', 'l.vcpu', 'l.memory_mb'])
      .select(['l.disk_gb', 'l.rate_micros', 'l.amount_micros', 'l.corrects'])
      .select(['c.name as cvm', 'c.vm_uuid', 'a.name as app'])
      .where('l.team_id', '=', team_id)
      .where(sql<boolean>`(l.starts_at, l.id) > (${after.starts_at}, ${after.id})`)
      .where('l.starts_at', '<', to)
      .orderBy('l.starts_at')
      .orderBy('l.id')
      .limit(batch)
      .execute();
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < batch) return;
    after = last;
  }
}

/**
 * Returns the cost of CVMs and AI requests per complete UTC day since the team's first usage, at most `days`,
 * oldest first. Excludes orders, which are known in advance.
 */
export async function dailyAmounts(
  db: Db | Tx,
  team_id: number,
  today: Date,
  days: number,
): Promise<number[]> {
  const { rows } = await sql<{ amount: number }>`
    with first as (select least((select min(starts_at) from usage_lines where team_id = ${team_id}),
      (select min(starts_at) from ai_usage_lines where team_id = ${team_id})) as at)
    select ((select coalesce(sum(l.amount_micros), 0) from usage_lines l
        where l.team_id = ${team_id} and l.starts_at >= day and l.starts_at < day + interval '24 hours')
      + (select coalesce(sum(l.amount_micros), 0) from ai_usage_lines l
        where l.team_id = ${team_id} and l.starts_at >= day and l.starts_at < day + interval '24 hours'))::bigint as amount
    from first, generate_series(
      greatest(coalesce(date_trunc('day', first.at, 'UTC') + interval '24 hours', ${today}), ${today}::timestamptz - ${days} * interval '24 hours'),
      ${today}::timestamptz - interval '24 hours', interval '24 hours') as day
    order by day`.execute(db);
  return rows.map(({ amount }) => amount);
}

/** Returns the names and instance types of CVMs. */
export const cvmSizes = (db: Db | Tx, ids: readonly number[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('cvms as c')
        .innerJoin('apps as a', 'a.id', 'c.app_id')
        .select([
          'c.id',
          'c.public_id',
          'c.name',
          'c.vm_uuid',
          'c.instance_type',
          'a.app_id',
          'a.name as app',
        ])
        .where('c.id', 'in', [...ids])
        .execute();
