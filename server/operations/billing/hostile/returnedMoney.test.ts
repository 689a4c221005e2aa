import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminPayment, Payment } from '../../../../generated/api/types.gen';
import { lockLedger, post } from '../../../db/billing/ledger';
import { withTransaction } from '../../../db/core/client';
import { transfer } from '../../../domain/billing/ledger';
import { watchDebts } from '../../../jobs/billing/debts';
import { identityOf } from '../../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

/* A debt settled with money that is later returned gets no second grace period. */

const DAY = 86_400_000;
let server: TestServer;
let admin: TestClient;
let keys = 0;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', BILLING_ENFORCEMENT: 'on' } });
  admin = await server.register();
});
afterAll(() => server.stop());

const db = () => server.services.db;
const run = () =>
  watchDebts({
    db: db(),
    jobs: server.services.jobs,
    log: server.services.log,
    now: new Date(),
    days: { grace: 3, keep: 30, pending: 14 },
  });

async function debtor() {
  const client = await server.register();
  const { team_id } = await identityOf(db(), client.email!);
  const charge = (micros: number) =>
    withTransaction(db(), async (trx) => {
      await lockLedger(trx, team_id);
      await post(trx, {
        team_id,
        kind: 'adjustment',
        source_type: 'test',
        source_id: String(++keys),
        description: 'Used',
        effective_at: new Date(),
        entries: transfer('prepaid', 'adjustment', micros),
      });
    });
  async function owed() {
    await run();
    return db()
      .selectFrom('debts')
      .selectAll()
      .where('team_id', '=', team_id)
      .where('settled_at', 'is', null)
      .executeTakeFirst();
  }
  await charge(10_000_000);
  expect(await owed()).toBeDefined();
  return {
    charge,
    owed,
    /** Backdates the start of the open debt by so many days. */
    async age(days: number) {
      await sql`update debts set started_at = started_at - make_interval(days => ${days}),
        stops_at = stops_at - make_interval(days => ${days}), deletes_at = deletes_at - make_interval(days => ${days})
        where team_id = ${team_id} and settled_at is null`.execute(db());
      return (await owed())!;
    },
    /** Confirms a transfer of $10. @returns a function that reverses it */
    async pay() {
      const headers = { 'idempotency-key': `returned-${++keys}` };
      const { body } = await client.call('createTopUp', { body: { amount: '10' }, headers });
      const found = await admin.call('listAdminPayments', {
        query: { filter: JSON.stringify({ q: (body as Payment).id }) },
      });
      const [{ id } = { id: 0 }] = found.body as AdminPayment[];
      const bank_reference = `returned-${keys}`;
      const confirm = {
        path: { id },
        body: { amount: '10', bank_reference },
        headers: { 'idempotency-key': `confirmed-${keys}` },
      };
      expect((await admin.call('confirmAdminPayment', confirm)).status).toBe(200);
      const reverse = {
        path: { id },
        body: { bank_reference, reason: 'The bank took it back' },
        headers: { 'idempotency-key': `reversed-${keys}` },
      };
      return async () => expect((await admin.call('reverseAdminPayment', reverse)).status).toBe(200);
    },
  };
}

it('reopens the debt it settled', async () => {
  const team = await debtor();
  const debt = await team.age(1);
  const takeBack = await team.pay();
  expect(await team.owed()).toBeUndefined();
  await takeBack();
  expect(await team.owed()).toMatchObject({ stops_at: debt.stops_at, deletes_at: debt.deletes_at });
});

it('leaves time to pay if the old dates have passed', async () => {
  const team = await debtor();
  await team.age(40);
  const takeBack = await team.pay();
  expect(await team.owed()).toBeUndefined();
  await takeBack();
  const { started_at, stops_at, deletes_at } = (await team.owed())!;
  expect([+stops_at - +started_at, +deletes_at - +started_at]).toEqual([DAY, 7 * DAY]);
});

it('gives a debt after one that stayed settled its own dates', async () => {
  const team = await debtor();
  await team.age(1);
  await team.pay();
  expect(await team.owed()).toBeUndefined();
  const takeBack = await team.pay();
  await team.charge(15_000_000);
  const { started_at, stops_at, deletes_at } = (await team.owed())!;
  expect([+stops_at - +started_at, +deletes_at - +started_at]).toEqual([3 * DAY, 33 * DAY]);
  // Money that arrived after the first debt was settled doesn't affect it.
  await takeBack();
  expect((await team.owed())?.stops_at).toEqual(stops_at);
});

it('gives a later debt not caused by the returned money its own dates', async () => {
  const team = await debtor();
  await team.age(1);
  const takeBack = await team.pay();
  expect(await team.owed()).toBeUndefined();
  // Usage in addition to the returned money.
  await team.charge(5_000_000);
  const own = (await team.owed())!;
  expect([+own.stops_at - +own.started_at, +own.deletes_at - +own.started_at]).toEqual([3 * DAY, 33 * DAY]);
  await takeBack();
  expect((await team.owed())?.stops_at).toEqual(own.stops_at);
});
