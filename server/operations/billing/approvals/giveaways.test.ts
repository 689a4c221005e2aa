import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exactUsd } from '../../../../console/lib/billing/money';
import type {
  AdminApprovalLimit,
  AdminFinanceAction,
  AdminOrderProduct,
  AdminPromotionCode,
  AdminWorkspace,
} from '../../../../generated/api/types.gen';
import type { TestClient } from '../../../testing/server';
import { once, startOrderServer, type OrderServer } from '../orders/testing/orderTeams';

/* Giving money away without moving it: codes, offers below the metered price, and caps. */

let s: OrderServer;
let second: TestClient;
beforeAll(async () => {
  s = await startOrderServer({ BILLING_APPROVAL_LIMIT: '100' });
  second = await s.server.register();
  await setRole(second, 'finance');
});
afterAll(() => s.server.stop());

const setRole = (client: TestClient, platform_role: 'finance' | 'admin') =>
  s.server.services.db
    .updateTable('users')
    .set({ platform_role })
    .where('email', '=', client.email!)
    .execute();
/** Registers a new administrator, so that each test has its own 24-hour sum. */
async function administrator(): Promise<TestClient> {
  const client = await s.server.register();
  await setRole(client, 'admin');
  return client;
}
const approve = (id: number, by = second) =>
  by.call('approveAdminFinanceAction', { path: { id }, headers: once() });
function waiting({ status, body }: { status: number; body: unknown }): AdminFinanceAction {
  expect(status, JSON.stringify(body)).toBe(202);
  return body as AdminFinanceAction;
}
const actionsOf = async (client: TestClient) => {
  const { id } = await s.server.services.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', client.email!)
    .executeTakeFirstOrThrow();
  return (
    await second.call('listAdminFinanceActions', { query: { filter: JSON.stringify({ requested_by: id }) } })
  ).body as AdminFinanceAction[];
};
const codeNamed = async (code: string) =>
  (
    (await second.call('listAdminPromotionCodes', { query: { filter: JSON.stringify({ q: code }) } }))
      .body as AdminPromotionCode[]
  )[0];

describe('a promotion code', () => {
  it('worth more than the limit exists only once another administrator approves it, once', async () => {
    const by = await administrator();
    const body = { code: 'BIG', amount: '10', max_uses: 11 };
    const asked = waiting(await by.call('createAdminPromotionCode', { body, headers: once() }));
    expect(asked).toMatchObject({
      action: 'create_promotion_code',
      amount: '110.00',
      team_id: null,
      target: 'BIG',
      reason: '$10.00 per use, up to 11 uses',
    });
    const endless = { code: 'ENDLESS', amount: '10' };
    expect(
      waiting(await by.call('createAdminPromotionCode', { body: endless, headers: once() })),
    ).toMatchObject({
      amount: '10000000.00',
      reason: '$10.00 per use, unlimited uses (counted as 1,000,000)',
    });
    // Repeating it finds the same request.
    expect(waiting(await by.call('createAdminPromotionCode', { body, headers: once() })).id).toBe(asked.id);
    expect(await codeNamed('BIG')).toBeUndefined();
    expect((await approve(asked.id, by)).status).toBe(409);
    const answers = await Promise.all([approve(asked.id), approve(asked.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await codeNamed('BIG')).toMatchObject({ amount: '10.00', max_uses: 11 });
  });

  it('counts with the day’s other codes, and one without a limit always waits', async () => {
    const by = await administrator();
    const create = (code: string, more: object) =>
      by.call('createAdminPromotionCode', { body: { code, ...more }, headers: once() });
    expect((await create('SMALL1', { amount: '6', max_uses: 10 })).status).toBe(201);
    expect((await create('SMALL2', { percent: 10, cap: '4', max_uses: 10 })).status).toBe(201);
    expect((await by.call('getAdminApprovalLimit')).body).toMatchObject({
      approval_limit: '100.00',
      moved: '100.00',
    });
    waiting(await create('SMALL3', { amount: '0.01', max_uses: 1 }));
    waiting(
      await (
        await administrator()
      ).call('createAdminPromotionCode', {
        body: { code: 'ENDLESS', amount: '0.01' },
        headers: once(),
      }),
    );
    // Credits to a team, which could redeem the code, count as well, and vice versa.
    const team = await s.team(0);
    const credit = (amount: string) => ({ team_id: team.team_id, amount, reason: 'An outage in May' });
    const grant = (client: TestClient, amount: string) =>
      client.call('createAdminCredit', { body: credit(amount), headers: once() });
    waiting(await grant(by, '0.01'));
    const both = await administrator();
    expect((await grant(both, '60')).status).toBe(201);
    const forIt = (code: string, amount: string) =>
      both.call('createAdminPromotionCode', { body: { code, amount, max_uses: 1 }, headers: once() });
    waiting(await forIt('FORIT1', '40.01'));
    expect((await forIt('FORIT2', '40')).status).toBe(201);
    // Another administrator has their own limit.
    const other = await administrator();
    const body = { code: 'SMALL4', amount: '100', max_uses: 1 };
    expect((await other.call('createAdminPromotionCode', { body, headers: once() })).status).toBe(201);
  });

  it('needs approval when widened but not when narrowed, and stays unchanged until then', async () => {
    const by = await administrator();
    const body = { code: 'WIDER', amount: '10', max_uses: 10 };
    expect((await by.call('createAdminPromotionCode', { body, headers: once() })).status).toBe(201);
    const { id } = (await codeNamed('WIDER'))!;
    const change = (body: object) => by.call('updateAdminPromotionCode', { path: { id }, body });
    expect((await change({ description: 'For the autumn', max_uses: 9 })).status).toBe(200);
    const asked = waiting(await change({ max_uses: 12 }));
    expect(asked).toMatchObject({ action: 'widen_promotion_code', amount: '30.00', target: 'WIDER' });
    expect(await codeNamed('WIDER')).toMatchObject({ max_uses: 9 });
    // Its number of uses changed in the meantime: it would now add more than was requested.
    expect((await change({ max_uses: 8 })).status).toBe(200);
    expect((await approve(asked.id)).status).toBe(409);
    expect((await approve(waiting(await change({ max_uses: 12, state: 'active' })).id)).status).toBe(200);
    expect(await codeNamed('WIDER')).toMatchObject({ max_uses: 12 });
    // The first request has nothing left to change.
    expect(await approve(asked.id)).toMatchObject({ status: 409 });
    const list = await second.call('getAdminFinanceAction', { path: { id: asked.id } });
    expect(list.body).toMatchObject({ state: 'pending' });
  });
});

describe('a product', () => {
  it('far below the metered price needs approval, at the metered price it does not', async () => {
    const by = await administrator();
    const [type] = (await s.server.services.db
      .selectFrom('instance_types')
      .select(['id', 'hourly_rate_micros'])
      .where('state', '=', 'active')
      .orderBy('hourly_rate_micros')
      .limit(1)
      .execute()) as [{ id: string; hourly_rate_micros: number }];
    const full = ((type.hourly_rate_micros * 24) / 1_000_000 + 0.01).toFixed(2);
    const offer = { instance_type: type.id, period: 'day', stock: 1000, max_periods: 300 };
    const create = (name: string, price: string) =>
      by.call('createAdminOrderProduct', { body: { name, price, ...offer }, headers: once() });
    const made = await create('At the list price', full);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const asked = waiting(await create('Nearly free', '0.01'));
    expect(asked).toMatchObject({ action: 'create_order_product', target: 'Nearly free', team_id: null });
    // The title and the reason name the amount, and the reason explains it.
    expect(asked.title).toContain(exactUsd(asked.amount));
    expect(asked.reason).toContain(`buyers pay ${exactUsd(asked.amount)} less than by the hour`);
    const { id } = made.body as AdminOrderProduct;
    const lower = waiting(
      await by.call('updateAdminOrderProduct', { path: { id }, body: { price: '0.01' } }),
    );
    expect(lower).toMatchObject({ action: 'discount_order_product', amount: asked.amount });
    expect((await approve(lower.id)).status).toBe(200);
    expect((await by.call('getAdminOrderProduct', { path: { id } })).body).toMatchObject({ price: '0.01' });
  });
});

describe('the rate of an instance type', () => {
  it('cannot be raised, in one step or several, while its products would give away more than the limit', async () => {
    const by = await administrator();
    const size = { vcpu: 1, memory_mb: 1024, default_disk_size_gb: 20, requires_gpu: false, gpu_count: 0 };
    const type = { id: 'rated.small', family: 'cpu', name: 'Rated', description: '', ...size };
    const created = await by.call('createAdminInstanceType', {
      body: { ...type, hourly_rate: '0.10' } as never,
    });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const price = '74.40';
    const offer = {
      name: 'At list price',
      instance_type: type.id,
      period: 'month',
      price,
      stock: 1,
      max_periods: 12,
    };
    const listed = await by.call('createAdminOrderProduct', { body: offer as never, headers: once() });
    expect(listed.status, JSON.stringify(listed.body)).toBe(201);
    const path = { id: type.id };
    const raise = (hourly_rate: string) =>
      by.call('updateAdminInstanceType', { path, body: { hourly_rate } });
    expect(await raise('1.10')).toMatchObject({
      status: 422,
      body: {
        details: [{ field: 'hourly_rate', message: expect.stringContaining('“At list price”') as string }],
      },
    });
    // $89.28 a year below the metered price, then $178.56 in total.
    expect((await raise('0.11')).status).toBe(200);
    expect(await raise('0.12')).toMatchObject({
      status: 422,
      body: {
        details: [
          {
            message: expect.stringContaining(
              'cost up to $89.28 less than the metered price. Including what you granted in the last 24 hours, that exceeds $100.00, the limit',
            ) as string,
          },
        ],
      },
    });
    expect(await actionsOf(by)).toMatchObject([
      { action: 'raise_rate', state: 'done', target: type.id, amount: '89.28', team_id: null },
    ]);
    // Counted once: saving again gives nothing more away.
    const { id } = listed.body as AdminOrderProduct;
    const product = (await by.call('getAdminOrderProduct', { path: { id } })).body as AdminOrderProduct;
    const limit = (await by.call('getAdminApprovalLimit')).body as AdminApprovalLimit;
    expect(product.compared_rate).toBe('0.11');
    expect(limit.rates).toContainEqual({
      instance_type: type.id,
      hourly_rate: '0.11',
      gpu_hourly_rate: '0.00',
    });
    const save = (body: object) => by.call('updateAdminOrderProduct', { path: { id }, body });
    expect((await save({ description: 'For a year' })).status).toBe(200);
    expect(await actionsOf(by)).toHaveLength(1);
    // The day's sum covers all types and everything else given away.
    const other = { ...type, id: 'rated.other' };
    await by.call('createAdminInstanceType', { body: { ...other, hourly_rate: '0.10' } as never });
    await by.call('createAdminOrderProduct', {
      body: { ...offer, name: 'The other', instance_type: other.id } as never,
      headers: once(),
    });
    const otherTo = (hourly_rate: string, client: TestClient) =>
      client.call('updateAdminInstanceType', { path: { id: other.id }, body: { hourly_rate } });
    expect((await otherTo('0.11', by)).status).toBe(422);
    const next = await administrator();
    expect((await otherTo('0.11', next)).status).toBe(200);
    waiting(
      await next.call('createAdminPromotionCode', {
        body: { code: 'AFTER-RATE', amount: '11', max_uses: 1 },
        headers: once(),
      }),
    );
    expect((await save({ price: '89.28' })).status).toBe(200);
    expect((await raise('0.12')).status).toBe(200);
  });
});

describe("a team's post-paid cap", () => {
  it('needs approval when raised above the limit, and is set by the approval', async () => {
    const by = await administrator();
    const team = await s.team(0);
    const path = { id: team.team_id };
    const change = (post_paid_cap: string) =>
      by.call('updateAdminWorkspace', { path, body: { post_paid_cap, max_cvms: 7 } });
    const cap = async () =>
      ((await by.call('getAdminWorkspace', { path })).body as AdminWorkspace).post_paid_cap;
    expect((await change('60')).status).toBe(200);
    const asked = waiting(await change('110'));
    expect(asked).toMatchObject({
      action: 'raise_post_paid_cap',
      amount: '50.00',
      team_id: team.team_id,
      reason: 'From $60.00 to $110.00',
    });
    expect(await cap()).toBe('60.00');
    // Changes made in the meantime stay.
    const quota = async () =>
      ((await by.call('getAdminWorkspace', { path })).body as AdminWorkspace).max_cvms;
    expect((await by.call('updateAdminWorkspace', { path, body: { max_cvms: 9 } })).status).toBe(200);
    expect((await approve(asked.id)).status).toBe(200);
    expect([await cap(), await quota()]).toEqual(['110.00', 9]);
    // 7 CVMs along with more than the limit: the approval's purpose would be unclear.
    expect(await change('220')).toMatchObject({
      status: 422,
      body: { details: [{ field: 'post_paid_cap' }] },
    });
    expect([await cap(), await quota()]).toEqual(['110.00', 9]);
    expect((await change('0')).status).toBe(200);
  });

  it('is not raised for an administrator who may no longer change teams', async () => {
    const by = await administrator();
    const team = await s.team(0);
    const path = { id: team.team_id };
    const asked = waiting(await by.call('updateAdminWorkspace', { path, body: { post_paid_cap: '5000' } }));
    await setRole(by, 'finance');
    expect((await approve(asked.id)).status).toBe(409);
  });
});
