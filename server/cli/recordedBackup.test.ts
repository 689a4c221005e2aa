import { mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandLine } from '../testing/commandLine';
import { createTestDatabase, type TestDatabase } from '../testing/database';
import { NOTE, ROW, tableLine } from './backupFormat';

/*
 * A backup recorded by the release whose last migration is 0027_registration, after browser tests had used that
 * server for several minutes. Later releases must restore it without loss. It is never recorded again.
 */
const RECORDED = path.join(import.meta.dirname, 'testing/backup-0027.gz');

/** Tables and columns that a later migration replaced, with the new location of their content. */
const REPLACED: Record<string, readonly string[]> = {};

interface RecordedTable {
  columns: string[];
  rows: Record<string, unknown>[];
}

let dir: string;
let into: TestDatabase;

beforeAll(async () => {
  dir = await mkdtemp('/tmp/teehouse-recorded-');
  into = await createTestDatabase();
  // The restore creates the tables of the release that wrote the backup, then runs later migrations.
  await into.pool.query('drop schema public cascade; create schema public');
});
afterAll(async () => {
  await into?.drop();
  await rm(dir, { recursive: true, force: true });
});

async function recordedTables(): Promise<Map<string, RecordedTable>> {
  const tables = new Map<string, RecordedTable>();
  let current: RecordedTable | undefined;
  for (const line of gunzipSync(await readFile(RECORDED))
    .toString('utf8')
    .split('\n')) {
    if (line.startsWith(ROW)) current?.rows.push(JSON.parse(line.slice(1)) as Record<string, unknown>);
    if (!line.startsWith(NOTE)) continue;
    const begun = tableLine.safeParse(JSON.parse(line.slice(1)));
    if (!begun.success) continue;
    current = { columns: begun.data.columns, rows: [] };
    tables.set(begun.data.table, current);
  }
  return tables;
}

const inOneOrder = (rows: Record<string, unknown>[], columns: readonly string[]) =>
  rows.map((row) => JSON.stringify(columns.map((name) => row[name]))).sort();

it("restores an earlier release's backup with every row and value", async () => {
  const run = await commandLine({ DATABASE_URL: into.url, DATA_DIR: dir })(['restore', '--from', RECORDED]);
  expect(run.code, run.err.join('\n')).toBe(0);

  const tables = await recordedTables();
  expect(tables.size).toBeGreaterThan(80);
  for (const [name, { columns, rows }] of tables) {
    const kept = columns.filter((column) => !REPLACED[name]?.includes(column));
    // The restore appends to the platform's audit chain, so its head moves; `verify` below checks the chains.
    if (kept.length === 0 || name === 'audit_heads') continue;
    const found = await into.pool.query<{ row: string }>(
      `select row_to_json(t)::text as row from "${name}" t`,
    );
    const restored = inOneOrder(
      found.rows.map(({ row }) => JSON.parse(row) as Record<string, unknown>),
      kept,
    );
    // The restore appends to the audit log, and migrations may seed rows.
    expect(restored, name).toEqual(expect.arrayContaining(inOneOrder(rows, kept)));
    expect(restored.length, name).toBeGreaterThanOrEqual(rows.length);
  }

  const verified = await commandLine({ DATABASE_URL: into.url, DATA_DIR: dir })(['verify']);
  expect(verified.code, verified.out.join('\n')).toBe(0);
});
