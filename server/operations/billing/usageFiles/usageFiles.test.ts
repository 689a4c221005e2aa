import { sql } from 'kysely';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedAiKey, Problem } from '../../../../generated/api/types.gen';
import { XLSX_TYPE } from '../../../domain/core/xlsx';
import { closeUsage } from '../../../jobs/billing/closeUsage';
import { startOrderServer, type OrderServer } from '../orders/testing/orderTeams';
import type { TestClient } from '../../../testing/server';

/** The same usage as CSV and as an Excel file, parsed by another library. */

const HOUR = 3_600_000;
const now = Math.floor(Date.now() / 1000) * 1000;
const ago = (hours: number) => new Date(now - hours * HOUR).toISOString();
const from = ago(60);

let s: OrderServer;
let owner: TestClient;
let team_id: number;
let app_id: string;
let vm_uuid: string;

beforeAll(async () => {
  s = await startOrderServer();
  const team = await s.team(100_000_000);
  ({ client: owner, team_id } = team);
  const gpu = { hourly_rate_micros: 3_500_001, gpu_rate_micros: 2_800_007 };
  const cvm = await s.books.cvm(team_id, [
    ['running', ago(50), gpu],
    ['stopped', ago(40.5), gpu],
    ['deleted', ago(0.01), gpu],
  ]);
  for (let run = 0; run < 3; run++) await closeUsage({ ...s.server.services, now: new Date(now) });
  await sql`update apps set name = '=HYPERLINK("http://x.test")' where id = (select app_id from cvms where id = ${cvm})`.execute(
    db(),
  );
  await sql`update cvms set name = '+cmd' where id = ${cvm}`.execute(db());
  const row = await db()
    .selectFrom('cvms as c')
    .innerJoin('apps as a', 'a.id', 'c.app_id')
    .select(['a.app_id', 'c.vm_uuid'])
    .where('c.id', '=', cvm)
    .executeTakeFirstOrThrow();
  ({ app_id, vm_uuid } = row);
  const { key } = (await owner.call('createAiKey', { body: { name: 'Bot' } })).body as CreatedAiKey;
  await sql`insert into ai_requests (public_id, team_id, key_id, created_at, model, endpoint, status, outcome, is_streamed,
      input_tokens, cached_tokens, output_tokens, reasoning_tokens, duration_ms, cost_picos)
    select 'chatcmpl-1', team_id, id, ${new Date(now - 1000)}, 'acme/large', 'chat.completions', 200, 'completed', false,
      700, 0, 300, 0, 10, 1234567891 from ai_keys where public_id = ${key.id}`.execute(db());
  const product = await s.offer({ instance_type: 'tdx.medium', name: '@SUM(A1)', price: '20.00' });
  await s.ordered(owner, product);
});
afterAll(() => s.server.stop());

const db = () => s.server.services.db;

/** Cells of a CSV file; quoted ones have doubled quotes. */
const parsed = (csv: string): string[][] =>
  csv
    .trim()
    .split('\r\n')
    .map((line) =>
      [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    );

const NUMBERS = [
  'vcpu',
  'memory_mb',
  'disk_gb',
  'seconds',
  'usd_per_hour',
  'usd',
  'requests',
  'input_tokens',
  'output_tokens',
];

type Export = 'exportTeamUsage' | 'exportAppUsage' | 'exportCvmUsage';

async function both(operation: Export): Promise<{ csv: string[][]; excel: unknown[][]; headers: Headers }> {
  const path = { app_id, cvm_id: vm_uuid };
  // Running CVMs end at the same moment in both.
  const to = new Date().toISOString();
  const call = (format: string) => owner.call(operation, { path, query: { from, to, format } as never });
  const csv = parsed(String((await call('csv')).body));
  const answer = await call('xlsx');
  return {
    csv,
    excel: await readSheet(answer.body as unknown as Buffer, { trim: false }),
    headers: answer.headers,
  };
}

describe.each(['exportTeamUsage', 'exportAppUsage', 'exportCvmUsage'] as const)(
  '%s as an Excel file',
  (operation) => {
    it('has every value of the CSV file, numbers and times as such, and no formula', async () => {
      const { csv, excel, headers } = await both(operation);
      expect(headers.get('content-type')).toBe(XLSX_TYPE);
      expect(headers.get('content-disposition')).toMatch(/-usage-[\d-]+\.xlsx"$/);
      expect(excel).toHaveLength(csv.length);
      expect(csv.length).toBeGreaterThan(operation === 'exportTeamUsage' ? 60 : 2);
      const [head = [], ...rows] = csv;
      expect(excel[0]).toEqual(head);
      rows.forEach((row, i) =>
        head.forEach((name, column) => {
          const text = row[column] ?? '';
          const cell = excel[i + 1]?.[column] ?? null;
          if (text === '') expect(cell, name).toBeNull();
          else if (NUMBERS.includes(name)) expect(cell, name).toBe(Number(text));
          else if (name === 'from' || name === 'to')
            // A day's fraction has microseconds.
            expect(Math.abs((cell as Date).getTime() - Date.parse(text)), name).toBeLessThan(2);
          // CSV escapes values that Excel would take for formulas; here they are marked as text.
          else expect(cell, name).toBe(text.replace(/^'(?=[=+@-])/, ''));
        }),
      );
      const names = excel.flat().filter((cell) => typeof cell === 'string');
      expect(names).toContain('+cmd');
    });
  },
);

describe('a team’s file', () => {
  it('includes AI requests and orders', async () => {
    const { excel } = await both('exportTeamUsage');
    const [head = [], ...rows] = excel;
    const kinds = rows.map((row) => row[head.indexOf('kind')]);
    expect(new Set(kinds)).toEqual(new Set(['cvm', 'ai', 'order']));
    const order = rows[kinds.indexOf('order')];
    expect(order?.[head.indexOf('description')]).toMatch(/^@SUM\(A1\), [A-Z]/);
    expect(order?.[head.indexOf('usd')]).toBe(20);
  });

  it('is refused for other formats', async () => {
    const { status, body } = await owner.call('exportTeamUsage', { query: { format: 'pdf' as never } });
    expect([status, (body as unknown as Problem).code]).toEqual([422, 'ERR-00-005']);
  });
});
