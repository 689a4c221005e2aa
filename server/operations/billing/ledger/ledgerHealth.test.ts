import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminLedger } from '../../../../generated/api/types.gen';
import { checkBooksDaily } from '../../../jobs/billing/nightlyCheck';
import { startBooks } from '../../../jobs/billing/testing/books';
import { identityOf } from '../../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  admin = await server.register();
});
afterAll(() => server.stop());

const read = async () => (await admin.call('getAdminLedger')).body as AdminLedger;

it('sums the accounts of all teams to zero, and tells what the last check found', async () => {
  expect(await read()).toMatchObject({ accounts: [], total: '0.00', check: null });
  const { db, log } = server.services;
  const books = await startBooks(server.services);
  for (const amount of [25_000_000, 5_000_001]) {
    const { team_id } = await identityOf(db, (await server.register()).email!);
    await books.topUp(team_id, amount);
  }
  const { accounts, total, teams } = await read();
  expect(accounts).toContainEqual({ account: 'prepaid', amount: '30.000001' });
  expect(accounts.map(({ amount }) => Math.round(Number(amount) * 1e6)).reduce((a, b) => a + b, 0)).toBe(0);
  expect([total, teams]).toEqual(['0.00', 2]);

  await checkBooksDaily({ db, log, now: new Date('2026-11-20T00:00:00Z') });
  expect((await read()).check).toEqual({
    checked_at: '2026-11-20T00:00:00.000Z',
    transactions: 2,
    discrepancies: [],
  });
  await db
    .insertInto('ledger_checks')
    .values({
      transactions: 2,
      discrepancies: JSON.stringify([
        { team_id: 7, what: 'balance of prepaid', expected: 25_000_000, found: 24_999_999 },
      ]),
      checked_at: new Date('2026-11-21T00:00:00Z'),
    })
    .execute();
  expect((await read()).check?.discrepancies).toEqual([
    { team_id: 7, what: 'balance of prepaid', expected: '25.00', found: '24.999999' },
  ]);
});

it('is for staff who may read billing', async () => {
  const member = await server.register();
  expect((await member.call('getAdminLedger')).status).toBe(403);
  expect((await server.anonymous.call('getAdminLedger')).status).toBe(401);
});
