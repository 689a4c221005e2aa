import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import { pino } from 'pino';
import { DISK_GB_HOUR } from '../../console/lib/billing/spend';
import type { Db } from '../db/core/client';
import { completedMonth } from '../domain/billing/invoice';
import { closeMonths } from '../jobs/billing/closeMonth';
import { watchMemory } from './memory';
import type { Row } from './report';

const MONTH = completedMonth(new Date());
const DAYS = Math.round((MONTH.end.getTime() - MONTH.start.getTime()) / 86_400_000);
/**
 * All hours of the month would be 14 million lines, whose exclusion constraint takes PostgreSQL more than ten
 * minutes to build. Drafting an invoice reads its lines once by index, so its time per line is the same with
 * fewer.
 */
export const HOURS_A_DAY = 2;
const HOURS = DAYS * HOURS_A_DAY;

/** Posts one transaction per team for its CVMs' usage in the last complete month. */
export async function postMonth(db: Db): Promise<void> {
  await sql`insert into ledger_transactions (public_id, team_id, kind, source_type, source_id, description, effective_at, entries)
    select 'crt_bench' || team_id, team_id, 'usage', 'bench', team_id::text, 'Usage', ${MONTH.end},
      jsonb_build_array(jsonb_build_object('account', 'prepaid', 'amount', -amount), jsonb_build_object('account', 'revenue', 'amount', amount))
    from (select m.team_id, sum(c.hourly_rate_micros * ${HOURS}::bigint)::bigint as amount
      from usage_meters m join cvms c on c.id = m.cvm_id group by m.team_id) t`.execute(db);
}

/** Fills in the lines of those transactions, as the hourly posting would. */
export async function fillMonth(db: Db, say: (line: string) => void): Promise<void> {
  for (let day = 0; day < DAYS; day++) {
    await sql`insert into usage_lines (cvm_id, team_id, transaction_id, basis, starts_at, ends_at, status, vcpu, memory_mb,
        disk_gb, rate_micros, carry, amount_micros)
      select c.id, m.team_id, t.id, l.basis, at, at + interval '1 hour', 'running', c.vcpu, c.memory_mb, l.disk_gb, l.rate, 0, l.rate
      from usage_meters m join cvms c on c.id = m.cvm_id
        cross join lateral (values ('size', 0, c.hourly_rate_micros - c.disk_gb * ${DISK_GB_HOUR}::bigint),
          ('disk', c.disk_gb, c.disk_gb * ${DISK_GB_HOUR}::bigint)) as l (basis, disk_gb, rate)
        join ledger_transactions t on t.team_id = m.team_id and t.source_type = 'bench',
        generate_series(0, ${HOURS_A_DAY - 1}::int) n,
        lateral (select ${MONTH.start}::timestamptz + make_interval(hours => ${day * 24}::int + ((c.id + n) % 24)::int) as at) h
      order by at, c.id, l.basis`.execute(db);
    if (day % 10 === 9) say(`lines of ${day + 1} of ${DAYS} days`);
  }
}

/** Drafts, issues and renders the month's invoices. */
export async function closingMonth(db: Db): Promise<Row[]> {
  const memory = watchMemory();
  const began = performance.now();
  await closeMonths({
    db,
    log: pino({ level: 'error' }),
    // Run after every draft.
    now: new Date(Date.now() + 3_600_000),
    invoicing: {
      review_days: 0,
      due_days: 14,
      tax_rule: 'fixed',
      tax_rate: 1900,
      seller: 'Bench Ltd',
      seller_vat_id: null,
    },
  });
  const closed = performance.now() - began;
  const grown = memory.stop();
  const { rows } = await sql<{ issued: number; documents: number; lines: number; cvms: number }>`select
    (select count(*)::int from invoices where number is not null) as issued,
    (select count(*)::int from invoice_documents) as documents,
    (select count(*)::int from invoice_lines) as lines, (select count(*)::int from usage_meters) as cvms`.execute(
    db,
  );
  const { issued = 0, documents = 0, lines = 0, cvms = 0 } = rows[0] ?? {};
  // One for size and one for disk each.
  if (issued === 0 || documents !== issued || lines !== 2 * cvms)
    throw new Error(`${issued} invoices, ${documents} documents, ${lines} lines of ${cvms} CVMs`);
  const summed = await db.connection().execute(async (one) => {
    await sql`set statement_timeout = 0`.execute(one);
    await sql`create table summed_lines (team_id bigint, cvm_id bigint, basis text, amount_micros bigint)`.execute(
      one,
    );
    const summing = performance.now();
    await sql`insert into summed_lines select team_id, cvm_id, basis, sum(amount_micros) from usage_lines
      where starts_at >= ${MONTH.start} and starts_at < ${MONTH.end} group by 1, 2, 3`.execute(one);
    return performance.now() - summing;
  });
  return [
    {
      what: `monthly close of ${issued} teams`,
      figures: `${(closed / 1000).toFixed(1)} s, ${(closed / summed).toFixed(1)} times the sum (${issued} invoices and PDFs of ${2 * cvms * HOURS} lines)`,
      aim: '60 s',
    },
    { what: 'memory it takes', figures: grown },
  ];
}
