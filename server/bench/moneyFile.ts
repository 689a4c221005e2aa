import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import type { Db } from '../db/core/client';
import type { Window } from '../domain/billing/usageDays';
import { csvRow, type SheetRow } from '../domain/core/sheet';
import { xlsx } from '../domain/core/xlsx';
import { TEAM_COLUMNS, teamUsageRows } from '../operations/billing/usageFiles/teamUsageRows';
import { watchMemory } from './memory';
import type { Row } from './report';

const CVMS = 280;
/** In October 2025, which no other part of the benchmark uses. */
const WINDOW: Window = { from: new Date('2025-10-01T00:00:00Z'), to: new Date('2025-11-01T00:00:00Z') };
const LINES = (CVMS * (WINDOW.to.getTime() - WINDOW.from.getTime())) / 3_600_000;

/** Writes a month of a large team as a spreadsheet, and as CSV for comparison. */
export async function usageFiles(db: Db, team_id: number): Promise<Row[]> {
  const excel = await read(db, team_id, (batches) => xlsx('Usage', TEAM_COLUMNS, batches));
  const plain = await read(db, team_id, csv);
  return [
    {
      what: `usage of ${LINES} lines as an Excel file`,
      figures: `${excel.seconds.toFixed(1)} s, ${(excel.seconds / plain.seconds).toFixed(1)} times the CSV file; ${(excel.bytes / 1e6).toFixed(1)} MB`,
    },
    { what: 'memory it takes', figures: excel.memory },
  ];
}

/** Adds a team and its usage lines. @returns its ID */
export async function fillUsage(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into teams (public_id, slug, name, wallet_address) values ('wks_excel', 'excel', 'Excel', '0x') returning id`.execute(
    db,
  );
  const team_id = rows[0]?.id ?? 0;
  await sql`insert into usage_lines (cvm_id, team_id, basis, starts_at, ends_at, status, vcpu, memory_mb, disk_gb,
      rate_micros, carry, amount_micros)
    select c.id, ${team_id}, 'size', at, at + interval '1 hour', 'running', c.vcpu, c.memory_mb, c.disk_gb,
      c.hourly_rate_micros, 0, c.hourly_rate_micros
    from generate_series(${WINDOW.from}::timestamptz, ${WINDOW.to}::timestamptz - interval '1 hour', interval '1 hour') at,
      (select * from cvms order by id limit ${CVMS}::int) c order by at, c.id`.execute(db);
  return team_id;
}

async function* csv(batches: AsyncIterable<readonly SheetRow[]>): AsyncGenerator<string> {
  for await (const rows of batches) yield rows.map(csvRow).join('');
}

async function read(
  db: Db,
  team_id: number,
  write: (batches: AsyncIterable<readonly SheetRow[]>) => AsyncIterable<string | Uint8Array>,
): Promise<{ seconds: number; bytes: number; memory: string }> {
  let lines = 0;
  async function* counted() {
    for await (const rows of teamUsageRows(db, team_id, WINDOW)) {
      lines += rows.length;
      yield rows;
    }
  }
  const memory = watchMemory();
  const began = performance.now();
  let bytes = 0;
  for await (const piece of write(counted())) bytes += piece.length;
  const seconds = (performance.now() - began) / 1000;
  const grown = memory.stop();
  if (lines !== LINES) throw new Error(`${lines} lines of ${LINES}`);
  return { seconds, bytes, memory: grown };
}
