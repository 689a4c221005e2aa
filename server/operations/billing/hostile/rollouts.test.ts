import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminOrderProduct, Order, Rollout } from '../../../../generated/api/types.gen';
import { insertBudget } from '../../../db/billing/budgets';
import { heldFunds } from '../../../db/billing/holds';
import { withTransaction } from '../../../db/core/client';
import { periodOf } from '../../../domain/billing/budget';
import { watchOrders } from '../../../jobs/billing/watchOrders';
import { startBooks } from '../../../jobs/billing/testing/books';
import { identityOf } from '../../../testing/cvmFixtures';
import { at, composeWith, startHostedTeam, type HostedTeam } from '../../../testing/hostedTeam';
import { eventually } from '../../../testing/server';

/* A rollout starts failed CVMs but must not bypass the balance. */

let team: HostedTeam;
beforeAll(async () => void (team = await startHostedTeam('unpaid', { BILLING_ENFORCEMENT: 'on' })));
afterAll(() => team.close());

it('a rollout starts a failed CVM only if the team can pay for its first hour', async () => {
  const { db } = team.server.services;
  const { team_id } = await identityOf(db, team.member.email!);
  const books = await startBooks(team.server.services);
  // More than the order costs, because the CVM is metered in the meantime.
  await books.topUp(team_id, 1_500_000);
  const { cvm, app } = await team.running();
  const fail = async () => {
    team.fake.on('/prpc/StartVm', (_request, response) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"out of memory"}'),
    );
    expect((await team.member.call('restartCvm', { path: at(cvm) })).status).toBe(200);
    await eventually('it failed', async () => (await team.now(cvm)).status === 'error');
    team.restoreHost();
  };
  await fail();
  await db.updateTable('cvms').set({ hourly_rate_micros: 20_000_000 }).where('id', '=', cvm.id).execute();

  /** An order skips a CVM that a worker has locked; the job's next run covers or frees it. */
  const isCovered = (expected: boolean) =>
    eventually(`it is ${expected ? '' : 'not '}covered`, async () => {
      const { order_id } = await db
        .selectFrom('cvms')
        .select('order_id')
        .where('id', '=', cvm.id)
        .executeTakeFirstOrThrow();
      if ((order_id !== null) === expected) return true;
      await watchOrders({ db, log: team.server.services.log, now: new Date() });
      return false;
    });

  const roll = async (greeting: string) => {
    const path = { app_id: app.app.app_id };
    const body = {
      docker_compose_file: composeWith(greeting),
      settle_seconds: 0,
      health_timeout_seconds: 10,
    };
    const begun = await team.member.call('createRollout', { path, body });
    expect(begun.status, JSON.stringify(begun.body)).toBe(202);
    const { rollout_id } = begun.body as Rollout;
    return eventually('it has ended', async () => {
      const found = (await team.member.call('getRollout', { path: { ...path, rollout_id } })).body as Rollout;
      return ['succeeded', 'failed', 'cancelled'].includes(found.state) ? found : null;
    });
  };
  const [skipped] = (await roll('unpaid')).items;
  expect(skipped).toMatchObject({ state: 'skipped' });
  expect(JSON.stringify(skipped)).toContain('the team’s funds don’t cover its first hour');
  expect((await team.now(cvm)).status).toBe('error');
  expect(await heldFunds(db, team_id, new Date())).toBe(0);

  // A covering order pays for it.
  const { instance_type } = await db
    .selectFrom('cvms')
    .select('instance_type')
    .where('id', '=', cvm.id)
    .executeTakeFirstOrThrow();
  const offered = await team.member.call('createAdminOrderProduct', {
    body: { name: 'Reserved', instance_type: instance_type ?? '', period: 'day', price: '1.00', stock: 1 },
  });
  const product = offered.body as AdminOrderProduct;
  const ordered = await team.member.call('createOrder', {
    headers: { 'idempotency-key': 'covers-the-failed-one' },
    body: { product_id: product.public_id, periods: 1, version: product.version, total: '1.00' },
  });
  expect(ordered.status, JSON.stringify(ordered.body)).toBe(201);
  await isCovered(true);
  // It adds no cost, so a used-up budget doesn't refuse it either.
  const budget = await withTransaction(db, (trx) =>
    insertBudget(trx, {
      team_id,
      app_id: null,
      period: 'month',
      amount_micros: 1,
      alerts: [100],
      action: 'stop',
    }),
  );
  await db
    .updateTable('budgets')
    .set({ used_up_at: new Date(), period_start: periodOf('month', new Date()).from })
    .where('public_id', '=', budget)
    .execute();
  expect((await roll('covered')).items).toMatchObject([{ state: 'updated' }]);
  await db.deleteFrom('budgets').where('public_id', '=', budget).execute();
  expect((await team.now(cvm)).status).toBe('running');
  expect(await heldFunds(db, team_id, new Date())).toBe(0);
  const canceled = await team.member.call('cancelOrder', {
    path: { order_id: (ordered.body as Order).id },
    body: { refund: '0' },
    headers: { 'idempotency-key': 'charged-as-usual-again' },
  });
  expect(canceled.status, JSON.stringify(canceled.body)).toBe(200);
  await isCovered(false);

  await fail();
  await books.topUp(team_id, 30_000_000);
  expect((await roll('paid')).items).toMatchObject([{ state: 'updated' }]);
  expect((await team.now(cvm)).status).toBe('running');
  expect(await heldFunds(db, team_id, new Date())).toBeGreaterThan(0);
});
