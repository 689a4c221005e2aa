import { sql } from 'kysely';
import type { CloudSpend, Spend, TeamSpend } from '../../domain/accounts/adminAccountResponse';
import { amountWithin } from '../../domain/billing/metering';
import { openAiLines } from '../ai/aiTotals';
import type { Db, Tx } from '../core/client';
import { readSnapshot } from '../core/snapshot';
import { accruedOf } from './accrued';
import { orderMovements } from './orders/orderTotals';
import { metersAfter } from './usage';

const NOTHING: Spend = { hourly: 0, today: 0, month: 0, cvms: 0, ai: 0, orders: 0, running: 0, stopped: 0 };

/** Teams listed by name. */
const TOP_TEAMS = 10;
/** Meters and corrections read per query. */
const BATCH_SIZE = 2_000;

interface Since {
  month: Date;
  day: Date;
  /** The present: posted usage counts in full. */
  to: Date;
}

/**
 * Returns the hourly cost of all teams' CVMs, and the cost of CVMs, AI requests and orders since `day` and
 * since the start of `month`, both starts of UTC days. Posted usage is read from the lines; the rest is metered
 * as the hourly close will post it. AI requests count at the time of the request, orders at the time of the
 * charge.
 */
export const cloudSpend = (db: Db, since: Since, most = TOP_TEAMS): Promise<CloudSpend> =>
  // Without a snapshot, an hour posted in between would count twice or not at all.
  readSnapshot(db, async (trx) => {
    const sums = new Map<number, Spend>();
    const of = (team_id: number): Spend => {
      const known = sums.get(team_id);
      if (known) return known;
      const fresh = { ...NOTHING };
      sums.set(team_id, fresh);
      return fresh;
    };
    await addPosted(trx, of, since);
    await addCorrections(trx, of, since);
    await addAccrued(trx, of, since);
    const all = { ...NOTHING };
    for (const one of sums.values())
      for (const key of Object.keys(all) as (keyof Spend)[]) all[key] += one[key];
    const top = [...sums]
      .sort(([a, x], [b, y]) => y.month - x.month || y.hourly - x.hourly || a - b)
      .slice(0, most);
    return { all, top: await named(trx, top) };
  });

type SumsOf = (team_id: number) => Spend;

/** Adds posted CVM usage without corrections, AI requests including those of open hours, and orders. */
async function addPosted(trx: Tx, of: SumsOf, { month, day, to }: Since): Promise<void> {
  const sums = sql`coalesce(sum(amount) filter (where at >= ${day}), 0)::bigint as today, sum(amount)::bigint as amount`;
  const { rows } = await sql<{
    team_id: number;
    what: 'cvms' | 'ai' | 'orders';
    today: number;
    amount: number;
  }>`
    select team_id, what, ${sums} from (
      select team_id, 'cvms' as what, day as at, amount_micros as amount from usage_days where day >= ${month} and day < ${to}
      union all
      select team_id, 'ai', starts_at, amount_micros from ai_usage_lines where starts_at >= ${month} and starts_at < ${to}
      union all
      select team_id, 'ai', starts_at, amount_micros from (${openAiLines(sql`true`)}) o where starts_at >= ${month}
      union all
      select o.team_id, 'orders', l.effective_at, c.amount_micros
      from (${orderMovements}) c join orders o on o.id = c.order_id join ledger_transactions l on l.id = c.transaction_id
      where l.effective_at >= ${month} and l.effective_at < ${to}
    ) spent group by team_id, what`.execute(trx);
  for (const { team_id, what, today, amount } of rows) {
    const sum = of(team_id);
    sum[what] += amount;
    sum.month += amount;
    sum.today += today;
  }
}

/** Adds lines that reverse or replace parts of others. They may start before a day and end after it. */
async function addCorrections(trx: Tx, of: SumsOf, { month, day, to }: Since): Promise<void> {
  for (let after = { to: month, id: 0 }; ;) {
    const lines = await trx
      .selectFrom('usage_lines')
      .select(['id', 'team_id', 'starts_at as from', 'ends_at as to', 'rate_micros', 'carry'])
      .where('corrects', 'is not', null)
      .where(sql<boolean>`(ends_at, id) > (${after.to}, ${after.id})`)
      .where('starts_at', '<', to)
      .orderBy('ends_at')
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute();
    for (const line of lines) {
      const sum = of(line.team_id);
      const amount = amountWithin(line, { from: month, to });
      sum.cvms += amount;
      sum.month += amount;
      sum.today += amountWithin(line, { from: day, to });
    }
    const last = lines.at(-1);
    if (!last || lines.length < BATCH_SIZE) return;
    after = last;
  }
}

/** Adds CVM usage since the last posted hour, and current hourly costs. */
async function addAccrued(trx: Tx, of: SumsOf, { month, day, to }: Since): Promise<void> {
  for (let after = 0; ;) {
    const meters = await metersAfter(trx, { after, limit: BATCH_SIZE });
    const teams = new Map(meters.map(({ cvm_id, team_id }) => [cvm_id, team_id]));
    const { lines, current } = await accruedOf(trx, meters, to);
    for (const line of lines) {
      const sum = of(teams.get(line.cvm_id) ?? 0);
      const amount = amountWithin(line, { from: month, to });
      sum.cvms += amount;
      sum.month += amount;
      sum.today += amountWithin(line, { from: day, to });
    }
    for (const { cvm_id, basis, hourly } of current) {
      const sum = of(teams.get(cvm_id) ?? 0);
      sum.hourly += hourly;
      if (basis === 'size') sum.running += 1;
      if (basis === 'disk') sum.stopped += 1;
    }
    const last = meters.at(-1);
    if (!last || meters.length < BATCH_SIZE) return;
    after = last.cvm_id;
  }
}

async function named(trx: Tx, sums: readonly [number, Spend][]): Promise<TeamSpend[]> {
  const ids = sums.map(([team_id]) => team_id);
  if (ids.length === 0) return [];
  const teams = await trx.selectFrom('teams').select(['id', 'slug', 'name']).where('id', 'in', ids).execute();
  const byId = new Map(teams.map((team) => [team.id, team]));
  return sums.flatMap(([team_id, spend]) => {
    const team = byId.get(team_id);
    return team ? [{ team_id, slug: team.slug, name: team.name, ...spend }] : [];
  });
}
