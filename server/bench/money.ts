import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import { pino } from 'pino';
import { currentBalance } from '../db/billing/accrued';
import { checkBooks } from '../db/billing/checkBooks';
import { createDb, type Db } from '../db/core/client';
import { closeUsage, HOUR_MS } from '../jobs/billing/closeUsage';
import { identityOf } from '../testing/cvmFixtures';
import { startPostgres } from '../tools/postgres';
import { watchMemory } from './memory';
import { fillUsage, usageFiles } from './moneyFile';
import { fillWithoutIndexes, timed } from './moneyFill';
import { closingMonth, fillMonth, HOURS_A_DAY, postMonth } from './moneyMonth';
import { median, ms, type Options, type Part, type Row } from './report';
import { EMAIL, seed } from './seed';
import { removeDir, startServerProcess, temporaryDir } from './serverProcess';

const TEAMS = 1_000;
const CHANGES_PER_CVM = 100;
/** Seconds between two changes of a CVM: 30 days divided by their number. */
const INTERVAL_SECONDS = (30 * 86_400) / CHANGES_PER_CVM;

/** The hourly and monthly posting of a whole cloud, its ledger check, and one large team's balance. */
export async function money(options: Options): Promise<Part> {
  const cvms = options.quick ? 500 : 10_000;
  const postgres = await startPostgres();
  const dataDir = await temporaryDir();
  try {
    // Without a worker: only the benchmark posts hours.
    const server = await startServerProcess(dataDir, {
      LOCAL_TEEPOD: 'off',
      TEEHOUSE_ROLE: 'web',
      DATABASE_URL: postgres.url,
    });
    const database = await server.database();
    try {
      const db = createDb(database.pool);
      const during = <T>(what: string, work: () => Promise<T>) => timed(options.say, what, work);
      const end = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
      const alone = <T>(work: (one: Db) => Promise<T>) => db.connection().execute(work);
      await during(`${cvms} CVMs`, () => seed(server.url, db, cvms));
      await during(`${cvms * CHANGES_PER_CVM} state changes`, () =>
        alone((one) => fillChanges(one, end, options.say)),
      );
      const rows = [await during('balance of a large team', () => balance(db, cvms))];
      await divide(db);
      const large = await during('posted lines', () => alone((one) => fillLines(one, options.say)));
      rows.push(
        ...(await during('hourly close', () => closing(db, end, cvms))),
        ...(await during('monthly close', () => closingMonth(db))),
        ...(await during('a large team’s usage as a file', () => usageFiles(db, large))),
        await during('checking the books', () => checking(db)),
      );
      return {
        title: 'Money',
        how: `${cvms} CVMs with ${CHANGES_PER_CVM} state changes each in a month; the balance with all of them in one team, the closes with ${TEAMS} teams and the posted lines of a month in which each CVM ran ${HOURS_A_DAY} hours a day. External PostgreSQL. Baseline of the hourly close: copying its lines into a table without constraints, in one statement. Baseline of the monthly close, which drafts, issues and renders: summing the month's lines by team and CVM, in one statement.`,
        rows,
      };
    } finally {
      await database.stop();
      await server.stop();
    }
  } finally {
    await postgres.stop();
    await removeDir(dataDir);
  }
}

async function fillChanges(db: Db, end: Date, say: Options['say']): Promise<void> {
  await sql`set statement_timeout = 0`.execute(db);
  await fillWithoutIndexes(db, 'cvm_state_changes', {
    say,
    async fill() {
      await sql`delete from cvm_state_changes`.execute(db);
      // Spread evenly over 30 days, so that one of seven has changed in the last hour. Every other state is a
      // stop, so half of the CVMs run at any time.
      for (let i = 0; i < CHANGES_PER_CVM; i += 10)
        await sql`insert into cvm_state_changes (cvm_id, status, vcpu, memory_mb, disk_gb, hourly_rate_micros, at)
          select id, case when (i + id) % 2 = 0 then 'running' else 'stopped' end, vcpu, memory_mb, disk_gb, hourly_rate_micros,
            ${end}::timestamptz - interval '30 days' + i * ${INTERVAL_SECONDS}::int * interval '1 second' + (id * 7919 % ${INTERVAL_SECONDS}::int) * interval '1 second'
          from cvms, generate_series(${i}::int, ${Math.min(i + 10, CHANGES_PER_CVM) - 1}::int) i order by i, id`.execute(
          db,
        );
    },
  });
  await sql`update usage_meters m set billed_from = ${end}::timestamptz - interval '30 days',
      closed_until = ${end}::timestamptz - interval '1 hour', basis = 'disk',
      change_id = (select max(id) from cvm_state_changes c where c.cvm_id = m.cvm_id and c.at < ${end}::timestamptz - interval '1 hour')`.execute(
    db,
  );
  await sql`vacuum (analyze) cvm_state_changes, usage_meters`.execute(db);
}

/** Fills in what earlier postings would have written. @returns the team with the large usage file */
async function fillLines(db: Db, say: Options['say']): Promise<number> {
  await sql`set statement_timeout = 0`.execute(db);
  await postMonth(db);
  let large = 0;
  await fillWithoutIndexes(db, 'usage_lines', {
    say,
    async fill() {
      await fillMonth(db, say);
      large = await fillUsage(db);
      // As the trigger would.
      await sql`insert into usage_days (team_id, day, amount_micros)
        select team_id, date_trunc('day', starts_at, 'UTC'), sum(amount_micros) from usage_lines group by 1, 2`.execute(
        db,
      );
    },
  });
  await sql`vacuum (analyze) usage_lines, usage_days`.execute(db);
  return large;
}

async function balance(db: Db, cvms: number): Promise<Row> {
  const { team_id } = await identityOf(db, EMAIL);
  const times: number[] = [];
  for (let i = 0; i < 15; i++) {
    const began = performance.now();
    await currentBalance(db, team_id, new Date());
    times.push(performance.now() - began);
  }
  return { what: `balance of a team with ${cvms} CVMs`, figures: ms(median(times)) };
}

/** Divides the CVMs among teams. */
async function divide(db: Db): Promise<void> {
  await sql`insert into teams (public_id, slug, name, wallet_address)
    select 'wks_bench' || i, 'bench-' || i, 'Bench ' || i, '0x' from generate_series(1, ${TEAMS}::int) i`.execute(
    db,
  );
  const { rows: teams } = await sql<{
    id: number;
  }>`select id from teams where slug like 'bench-%' order by id`.execute(db);
  const first = teams[0]?.id ?? 0;
  await sql`update usage_meters set team_id = ${first} + cvm_id % ${TEAMS}`.execute(db);
}

async function closing(db: Db, end: Date, cvms: number): Promise<Row[]> {
  const memory = watchMemory();
  const began = performance.now();
  await closeUsage({ db, log: pino({ level: 'error' }), now: new Date(end.getTime() + 10 * 60_000) });
  const closed = performance.now() - began;
  const grown = memory.stop();
  const since = new Date(end.getTime() - HOUR_MS);
  const { rows } = await sql<{ lines: number; transactions: number }>`
    select (select count(*) from usage_lines where starts_at >= ${since}) as lines,
      (select count(*) from ledger_transactions where source_type = 'team_hour') as transactions`.execute(db);
  // Separate from the month's, which the copy would have to skip.
  await sql`create table closed_lines as select * from usage_lines where starts_at >= ${since}`.execute(db);
  await sql`create table copied_lines (like usage_lines)`.execute(db);
  const copying = performance.now();
  await sql`insert into copied_lines overriding system value select * from closed_lines`.execute(db);
  const copied = performance.now() - copying;
  return [
    {
      what: `hourly close of ${cvms} CVMs`,
      figures: `${(closed / 1000).toFixed(1)} s, ${(closed / copied).toFixed(0)} times the copy (${rows[0]?.lines} lines, ${rows[0]?.transactions} transactions)`,
      aim: '5 s',
    },
    { what: 'memory it takes', figures: grown },
  ];
}

async function checking(db: Db): Promise<Row> {
  const began = performance.now();
  const differing = await db.connection().execute(async (one) => {
    await sql`set statement_timeout = 0`.execute(one);
    return checkBooks(one);
  });
  if (differing.length > 0) throw new Error(`the books do not balance: ${JSON.stringify(differing[0])}`);
  return { what: 'checking these books', figures: ms(performance.now() - began) };
}
