import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { teamsBehind } from '../../../db/billing/usage';
import { completedMonth } from '../../../domain/billing/invoice';
import { meter } from '../../../domain/billing/metering';
import type { ChaosServer } from '../../../testing/chaosServer';
import type { TestDatabase } from '../../../testing/database';
import type { LocalStripe } from '../../../tools/localStripe/server';
import { startBooks, UNCOVERED, type Point } from '../../billing/testing/books';

/** Money operations that run while processes are killed, and their expected results. */
export interface MoneyWork {
  /** Payments that Stripe's page reported as paid, and acknowledged transfers, in cents. */
  paid: Map<string, number>;
  transfers: Map<string, number>;
  /** Acknowledged refunds. */
  refunds: number;
  /** Codes redeemed with an acknowledgement. */
  redeemed: number;
  /** Expected charges per team, in micro-dollars. */
  usage: Map<number, number>;
  lanes(): Promise<void>[];
}

interface Parts {
  server: ChaosServer;
  stripe: LocalStripe;
  database: TestDatabase;
  stop: () => boolean;
}

const HOUR = 3_600_000;
const pick = <T>(choices: readonly T[]): T => choices[Math.floor(Math.random() * choices.length)] as T;
const cents = () => 100 + Math.floor(Math.random() * 5_000);
const dollars = (amount: number) => (amount / 100).toFixed(2);

export const CODE = { code: 'CHAOS', amount: '1', max_uses: 5, max_uses_per_team: 5 };
/** Teams whose saved cards are charged automatically. */
const AUTOMATIC = 8;
/** Teams with usage waiting to be posted. */
const MAX_BEHIND = 12;

export async function prepareMoney({ server, stripe, database, stop }: Parts): Promise<MoneyWork> {
  const { call, repeat } = server;
  const books = await startBooks(database);
  const work: MoneyWork = {
    paid: new Map(),
    transfers: new Map(),
    refunds: 0,
    redeemed: 0,
    usage: new Map(),
    lanes: () => [byCard(), byCard(), byTransfer(), redeem(), spend(), automatic()],
  };

  /** Repeats one request with the same idempotency key until it is acknowledged. */
  async function insist(path: string, body: object, accepted: readonly number[] = [200, 201]) {
    const headers = { 'idempotency-key': randomUUID() };
    let reply: Awaited<ReturnType<typeof call>> = null;
    const done = await repeat(stop, async () => {
      reply = await call('POST', path, body, headers);
      return reply !== null && accepted.includes(reply.status);
    });
    return done ? (reply as Awaited<ReturnType<typeof call>>) : null;
  }

  const adminId = async (public_id: string) =>
    (
      await database.db
        .selectFrom('payments')
        .select('id')
        .where('public_id', '=', public_id)
        .executeTakeFirstOrThrow()
    ).id;

  async function byCard(): Promise<void> {
    while (!stop()) {
      const amount = cents();
      const made = await insist('/billing/top-ups', {
        amount: dollars(amount),
        driver: 'stripe',
        save_card: false,
      });
      const id = String(made?.body.id);
      const page = made && (await insist(`/billing/top-ups/${id}/checkout`, {}));
      if (!page) return;
      const session = String(page.body.url).split('/').at(-1) ?? '';
      const what = pick([
        'pay',
        'pay',
        'pay',
        'decline',
        'expire',
        'cancel',
        'refund',
        'refund',
        'dispute',
      ] as const);
      if (what === 'expire') {
        stripe.account.expire(session);
        continue;
      }
      if (what === 'cancel') {
        await insist(`/billing/top-ups/${id}/cancel`, {}, [200, 409]);
        continue;
      }
      if (what === 'decline') expectDecline(session);
      const { payment_intent } = stripe.account.complete(session);
      work.paid.set(id, amount);
      const { latest_charge } = stripe.account.get('payment_intent', payment_intent ?? '');
      if (what === 'refund') {
        const body = { amount: dollars(1 + Math.floor(Math.random() * amount)), reason: 'Chaos' };
        // 409: its money has not arrived yet. 422: another refund used it up.
        if (await insist(`/admin/payments/${await adminId(id)}/refund`, body)) work.refunds += 1;
      }
      if (what === 'dispute') {
        const dispute = stripe.account.dispute(latest_charge ?? '');
        if (Math.random() < 0.5) stripe.account.winDispute(dispute.id);
      }
    }
  }

  function expectDecline(session: string): void {
    try {
      stripe.account.complete(session, '0341');
    } catch {
      return;
    }
    throw new Error('the card was not declined');
  }

  async function byTransfer(): Promise<void> {
    while (!stop()) {
      const amount = cents();
      const made = await insist('/billing/top-ups', { amount: dollars(amount) });
      if (!made) return;
      const bank_reference = randomUUID();
      const path = `/admin/payments/${await adminId(String(made.body.id))}/receipts`;
      if (await insist(path, { amount: dollars(amount), bank_reference }))
        work.transfers.set(bank_reference, amount);
    }
  }

  async function redeem(): Promise<void> {
    for (let times = 0; times < CODE.max_uses && !stop(); times++)
      if (await insist('/billing/promotion-codes', { code: CODE.code })) work.redeemed += 1;
  }

  /** Adds teams with usage at the end of the last complete month, which is posted and invoiced. */
  async function spend(): Promise<void> {
    const month = completedMonth(new Date());
    while (!stop()) {
      // Enough that workers are always busy with it, and little enough to finish soon.
      if (
        (await teamsBehind(database.db, new Date(), { after: 0, limit: MAX_BEHIND })).length === MAX_BEHIND
      ) {
        await wait(50);
        continue;
      }
      const team_id = await books.team();
      if (Math.random() < 0.5) await books.topUp(team_id, cents() * 10_000);
      if (Math.random() < 0.5) await books.grant(team_id, cents() * 10_000, null);
      let charged = 0;
      for (let cvms = pick([1, 2, 3]); cvms > 0; cvms--) {
        const size = {
          hourly_rate_micros: 50_000 + Math.floor(Math.random() * 3e6),
          gpu_rate_micros: pick([0, 40_001]),
        };
        const at = (hours: number) => new Date(month.end.getTime() - hours * HOUR).toISOString();
        const history: Point[] = [
          ['running', at(15 - Math.random() * 5), size],
          ['stopped', at(10 - Math.random() * 5), size],
          ['deleted', at(Math.random() * 5), size],
        ];
        // Computed before the CVM exists, because a worker may post it immediately.
        charged += meter(
          history.map(([status, when]) => ({
            ...UNCOVERED,
            status,
            at: new Date(when),
            vcpu: 1,
            memory_mb: 2048,
            disk_gb: 20,
            ...size,
          })),
          { from: new Date(history[0]![1]), to: month.end },
        ).amount_micros;
        await books.cvm(team_id, history);
      }
      work.usage.set(team_id, charged);
    }
  }

  /** Advances time by hours for the teams whose cards are charged. */
  async function automatic(): Promise<void> {
    while (!stop()) {
      await sql`update auto_top_ups set attempted_at = null`.execute(database.db);
      await wait(400);
    }
  }

  await saveCards();
  const created = await call('POST', '/admin/promotion-codes', CODE);
  if (created?.status !== 201) throw new Error(`the code was answered with ${created?.status}`);
  return work;

  async function saveCards(): Promise<void> {
    for (let n = 0; n < AUTOMATIC; n++) {
      const team_id = await books.team();
      const { id: customer_id } = stripe.account.add('customer', { metadata: {} });
      const last4 = n === 0 ? '3184' : '4242';
      const { id: card_id } = stripe.account.add('payment_method', {
        type: 'card',
        card: { brand: 'visa', last4, exp_month: 12, exp_year: 2034, fingerprint: `fp_${n}` },
        customer: customer_id,
      });
      await database.db.insertInto('stripe_customers').values({ team_id, customer_id }).execute();
      await database.db
        .insertInto('team_cards')
        .values({ team_id, card_id, brand: 'visa', last4, exp_month: 12, exp_year: 2034, fingerprint: null })
        .execute();
      await database.db
        .insertInto('auto_top_ups')
        .values({
          team_id,
          enabled: true,
          amount_micros: 5_000_000,
          threshold_micros: 1_000_000_000_000,
          consent: 'x',
          consented_by: null,
          consented_at: new Date(),
        })
        .execute();
    }
  }
}
