import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Payment } from '../../../../generated/api/types.gen';
import { paymentOut } from '../../../domain/billing/billingResponse';
import { createTestDatabase, type TestDatabase } from '../../../testing/database';
import { waitsForPayerSql } from '../paymentsTables';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

// As keys, so that the compiler reports a driver or state added to the API.
const DRIVERS: Record<Payment['driver'], true> = { manual: true, stripe: true, usdc: true };
const STATES: Record<Payment['state'], true> = {
  pending: true,
  part_paid: true,
  paid: true,
  cancelled: true,
  rejected: true,
  reversed: true,
};
const keys = <K extends string>(values: Record<K, true>) => Object.keys(values) as K[];

const cases = keys(DRIVERS).flatMap((driver) =>
  keys(STATES).flatMap((state) =>
    [true, false].flatMap((automatic) =>
      [null, '', 'Your card was declined.'].map((reason) => ({ driver, state, automatic, reason })),
    ),
  ),
);

const waits = (one: (typeof cases)[number]): boolean =>
  paymentOut({
    ...one,
    public_id: 'pay_1',
    amount_micros: 1,
    received_micros: 0,
    returned_micros: 0,
    reference: 'TH-1',
    created_at: new Date(0),
    updated_at: new Date(0),
  }).waits_for_payer;

it('agrees in responses and queries on which payments wait for their payer', async () => {
  const { rows } = await sql<(typeof cases)[number] & { waits: boolean }>`
    select p.*, ${waitsForPayerSql('p')} as waits
    from jsonb_to_recordset(${JSON.stringify(cases)}::jsonb) p(driver text, state text, automatic boolean, reason text)
  `.execute(database.db);
  expect(rows).toEqual(cases.map((one) => ({ ...one, waits: waits(one) })));
});

it('waits for the payer of a card payment, unless the saved card may have been charged', () => {
  const waiting = cases.filter(waits).map(({ driver, state, automatic, reason }) => ({
    driver,
    state,
    saved: automatic && reason === null,
  }));
  expect(waiting).toHaveLength(5);
  for (const one of waiting) expect(one).toEqual({ driver: 'stripe', state: 'pending', saved: false });
});
