import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandLine } from '../../../testing/commandLine';
import { once, startOrderServer, type OrderServer } from '../orders/testing/orderTeams';

let s: OrderServer;
let dir: string;
beforeAll(async () => {
  s = await startOrderServer();
  dir = await mkdtemp(path.join(tmpdir(), 'teehouse-ledger-'));
});
afterAll(async () => {
  await s.server.stop();
  await rm(dir, { recursive: true, force: true });
});

/** Verifies an export from the file alone. */
async function verify(lines: readonly string[]) {
  const file = path.join(dir, 'ledger.jsonl');
  await writeFile(file, `${lines.join('\n')}\n`);
  const offline = commandLine({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', DATA_DIR: dir });
  const { code, out } = await offline(['verify', '--file', file]);
  return { code, out: out.join('\n') };
}

it('a team’s ledger is exported and verified without the database, and any tampering is detected', async () => {
  const team = await s.team(40_000_000);
  const grant = { team_id: team.team_id, amount: '2.50', reason: 'Sorry' };
  expect((await s.admin.call('createAdminCredit', { body: grant, headers: once() })).status).toBe(201);
  const adjusted = { team_id: team.team_id, amount: '-0.000001', reason: 'Too much' };
  expect((await s.admin.call('createAdminAdjustment', { body: adjusted, headers: once() })).status).toBe(201);
  const answer = await fetch(`${s.server.url}/api/v1/billing/transactions/export?format=jsonl`, {
    headers: { cookie: team.client.cookie ?? '' },
  });
  expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
  expect(answer.headers.get('content-disposition')).toMatch(/-transactions-[\d-]+\.jsonl"$/);
  const lines = (await answer.text()).trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  const good = await verify(lines);
  expect(good.code).toBe(0);
  expect(good.out).toMatch(
    /^ledger of wks_\w+: 3 entries, last [0-9a-f]{64}\nprepaid 39\.999999, credits 2\.50$/,
  );

  const edited = (n: number, change: (text: string) => string) =>
    lines.map((line, index) => (index === n ? change(line) : line));
  for (const [tampered, found] of [
    [edited(1, (line) => line.replace('2500000', '9500000')), 'BROKEN at entry 2, changed'],
    [edited(0, (line) => line.replace('40000000', '50000000')), 'BROKEN at entry 1, changed'],
    [lines.toSpliced(1, 1), 'BROKEN at entry 2, missing'],
    [[lines[0]!, lines[2]!, lines[1]!], 'BROKEN'],
  ] as const)
    expect(await verify(tampered)).toMatchObject({ code: 1, out: expect.stringContaining(found) });
});
