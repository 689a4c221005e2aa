import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkBooks } from '../../../db/billing/checkBooks';
import { lockLedger, post } from '../../../db/billing/ledger';
import { withTransaction, type Tx } from '../../../db/core/client';
import { eventually } from '../../../testing/server';
import { once, startOrderServer, type OrderServer } from '../orders/testing/orderTeams';

const DOLLAR = 1_000_000;
const reason = 'An agreed correction';
let s: OrderServer;

beforeAll(async () => {
  s = await startOrderServer({ BILLING_APPROVAL_LIMIT: '100' });
});
afterAll(async () => {
  expect(await checkBooks(s.server.services.db)).toEqual([]);
  await s.server.stop();
});

const db = () => s.server.services.db;

it('a credit is revoked by its remainder after concurrent bookings', async () => {
  const team = await s.team(0);
  const grant = await s.books.grant(team.team_id, 150 * DOLLAR, null);
  const book = (trx: Tx, amount: number) =>
    post(trx, {
      team_id: team.team_id,
      kind: 'adjustment',
      source_type: 'test',
      source_id: `${grant}/${amount}`,
      description: 'Test',
      effective_at: new Date(),
      entries: [
        { account: 'promotion', amount: -amount },
        { account: 'credits', amount, grant },
      ],
    });
  await withTransaction(db(), async (trx) => {
    await lockLedger(trx, team.team_id);
    await book(trx, -100 * DOLLAR);
  });
  const { id } = await db()
    .selectFrom('credit_grants')
    .select('id')
    .where('public_id', '=', grant)
    .executeTakeFirstOrThrow();
  // $50 is within the limit. During revocation, $100 is returned to it.
  const revoked = await withTransaction(db(), async (trx) => {
    await lockLedger(trx, team.team_id);
    const answer = s.admin.call('revokeAdminCredit', { path: { id }, body: { reason }, headers: once() });
    await eventually('the revocation waits for the ledger', async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db());
      return rows.length > 0;
    });
    await book(trx, 100 * DOLLAR);
    return { answer };
  });
  expect(await revoked.answer).toMatchObject({
    status: 202,
    body: { action: 'revoke_credit', amount: '150.00' },
  });
  expect(await team.posted()).toBe(150 * DOLLAR);
});
