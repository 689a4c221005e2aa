import { insertFinanceAction } from '../db/billing/financeActions';
import { cover } from '../db/billing/orders/cover';
import { insertOrder, lockProductById, payTerm } from '../db/billing/orders/orders';
import { redeem } from '../db/billing/promotionCodes';
import type { Tx } from '../db/core/client';
import { notifyApprovers } from '../db/notifications/financeNotices';
import type { FilledTeam } from './fillTeams';
import { demoId } from './random';
import { CREDIT_REQUEST, GPUS, ORDER_PRODUCTS, ORDERS, PROMOTION_CODES } from './scenario';

/** Operators' offers and decisions: reservations, promotion codes, GPUs and a credit pending approval. */

interface Offers {
  teams: readonly FilledTeam[];
  /** Users by address. */
  users: ReadonlyMap<string, number>;
  now: Date;
}

const DAY_MS = 86_400_000;

export async function fillOffers(trx: Tx, offers: Offers): Promise<void> {
  await fillOrders(trx, offers);
  await fillCodes(trx, offers);
  await fillGpus(trx, offers);
  await requestCredit(trx, offers);
}

const micros = (dollars: number) => Math.round(dollars * 100) * 10_000;

function teamOf({ teams }: Offers, slug: string): FilledTeam {
  const found = teams.find(({ team }) => team.slug === slug);
  if (!found) throw new Error(`${slug} is not a team of the demo`);
  return found;
}

function userOf({ users }: Offers, email: string): number {
  const id = users.get(email);
  if (id === undefined) throw new Error(`${email} is not a user of the demo`);
  return id;
}

/** The order is paid and covers a CVM from now, as if its team had just placed it. */
async function fillOrders(trx: Tx, offers: Offers): Promise<void> {
  const created_by = userOf(offers, 'admin@example.test');
  for (const { dollars, ...product } of ORDER_PRODUCTS) {
    const type = await trx
      .selectFrom('instance_types')
      .select(['hourly_rate_micros', 'gpu_rate_micros'])
      .where('id', '=', product.instance_type)
      .executeTakeFirstOrThrow();
    await trx
      .insertInto('order_products')
      .values({
        ...product,
        public_id: demoId('prd', product.name),
        price_micros: micros(dollars),
        rated_hourly_micros: type.hourly_rate_micros,
        rated_gpu_micros: type.gpu_rate_micros,
        starts_at: null,
        ends_at: null,
        created_by,
      })
      .execute();
  }
  for (const { team: slug, product: name, renews } of ORDERS) {
    const { team, owner } = teamOf(offers, slug);
    const { id } = await trx
      .selectFrom('order_products')
      .select('id')
      .where('public_id', '=', demoId('prd', name))
      .executeTakeFirstOrThrow();
    const product = await lockProductById(trx, id);
    if (!product) throw new Error(`there is no product ${name}`);
    const order = await insertOrder(trx, product, {
      team_id: team.id,
      periods: 1,
      starts_at: null,
      renews,
      pay_until: offers.now,
      payment_id: null,
      created_by: owner,
    });
    const paid = await payTerm(trx, order, offers.now, offers.now);
    await cover(trx, paid, null);
  }
}

async function fillCodes(trx: Tx, offers: Offers): Promise<void> {
  const { now } = offers;
  for (const { amount_dollars, cap_dollars, ended, redeemed_by, ...code } of PROMOTION_CODES) {
    await trx
      .insertInto('promotion_codes')
      .values({
        ...code,
        amount_micros: amount_dollars === null ? null : micros(amount_dollars),
        cap_micros: cap_dollars === null ? null : micros(cap_dollars),
        new_teams_days: null,
        starts_at: null,
        ends_at: ended ? new Date(now.getTime() - DAY_MS) : null,
        credit_days: null,
        created_by: userOf(offers, 'admin@example.test'),
        created_at: new Date(now.getTime() - 30 * DAY_MS),
      })
      .execute();
    for (const slug of redeemed_by) {
      const { team, owner } = teamOf(offers, slug);
      const redeemed = await redeem(trx, { code: code.code, team_id: team.id, user_id: owner });
      if (!redeemed) throw new Error(`${code.code} can't be redeemed for ${slug}`);
    }
  }
}

/** On the local teepod, which reports no GPUs, so nothing queries them; triggers write their events. */
async function fillGpus(trx: Tx, offers: Offers): Promise<void> {
  const teepod = await trx
    .selectFrom('teepods')
    .select('id')
    .where('kind', '=', 'local')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  for (const { reserved_for, fault, used_elsewhere, ...gpu } of GPUS) {
    const { id } = await trx
      .insertInto('gpus')
      .values({
        ...gpu,
        teepod_id: teepod.id,
        reserved_team_id: null,
        reservation_id: null,
        fault: null,
        last_seen_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const reserved_team_id = reserved_for === null ? null : teamOf(offers, reserved_for).team.id;
    await trx
      .updateTable('gpus')
      .set({ reserved_team_id, fault, used_elsewhere })
      .where('id', '=', id)
      .execute();
  }
}

async function requestCredit(trx: Tx, offers: Offers): Promise<void> {
  const { by, team: slug, dollars, reason } = CREDIT_REQUEST;
  const { team } = teamOf(offers, slug);
  const { id } = await insertFinanceAction(
    trx,
    {
      action: 'grant_credit',
      path: {},
      // As sent by the admin area's form.
      body: { team_id: team.id, amount: dollars.toFixed(2), reason },
      team_id: team.id,
      target: team.slug,
      amount_micros: micros(dollars),
      reason,
      requested_by: userOf(offers, by),
    },
    { state: 'pending', expires_at: new Date(offers.now.getTime() + 3 * DAY_MS) },
  );
  await notifyApprovers(trx, id, offers.now);
}
