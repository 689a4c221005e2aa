import { describe, expect, it } from 'vitest';
import { charge, giveBack, inBurnOrder, transfer, type Grant, type LedgerEntry } from './ledger';

const sum = (entries: readonly LedgerEntry[]) => entries.reduce((total, { amount }) => total + amount, 0);
const at = (second: number) => new Date(second * 1000);

describe('a charge', () => {
  it('uses grants in order, then prepaid money', () => {
    const grants: Grant[] = [
      { public_id: 'a', remaining: 30, expires_at: null },
      { public_id: 'b', remaining: 100, expires_at: null },
    ];
    expect(charge(50, grants)).toEqual([
      { account: 'credits', amount: -30, grant: 'a' },
      { account: 'credits', amount: -20, grant: 'b' },
      { account: 'revenue', amount: 50 },
    ]);
    expect(charge(0, grants)).toEqual([]);
  });

  it('of 10,000 random histories sums to zero and overdraws no grant', () => {
    let seed = 7;
    const below = (n: number) => (seed = (Math.imul(seed, 48_271) >>> 0) % 2_147_483_647) % n;
    for (let i = 0; i < 10_000; i++) {
      const amount = 1 + below(1_000_000);
      const seconds = 1 + below(3_600);
      const grants = inBurnOrder(
        Array.from({ length: below(5) }, (_, n) => ({
          public_id: `g${n}`,
          remaining: 1 + below(400_000),
          expires_at: below(3) === 0 ? null : at(below(4_000)),
          created_at: at(below(100)),
        })),
      );
      const usedBefore = (moment: Date) =>
        Math.floor((amount * Math.min(seconds, Math.max(0, moment.getTime() / 1000))) / seconds);
      const entries = charge(amount, grants, usedBefore);
      expect(sum(entries), `history ${i}`).toBe(0);
      let credits = 0;
      for (const grant of grants) {
        const used = -sum(entries.filter((entry) => entry.grant === grant.public_id));
        credits += used;
        expect(used).toBeLessThanOrEqual(grant.remaining);
        // Never for usage after its expiry.
        if (grant.expires_at && used > 0) expect(credits).toBeLessThanOrEqual(usedBefore(grant.expires_at));
      }
      // Reversed in any two parts, everything returns to its source.
      const part = below(amount + 1);
      const back = giveBack(part, entries);
      expect(sum(back)).toBe(0);
      for (const { account, amount: returned, grant } of back)
        if (account !== 'revenue')
          expect(returned).toBeLessThanOrEqual(
            -sum(entries.filter((entry) => entry.account === account && entry.grant === grant)),
          );
    }
  });
});

it('reverses prepaid money before credits, and treats amounts without a source as prepaid money', () => {
  const charged = charge(50, [{ public_id: 'a', remaining: 30, expires_at: null }]);
  expect(giveBack(35, charged)).toEqual([
    { account: 'prepaid', amount: 20 },
    { account: 'credits', amount: 15, grant: 'a' },
    { account: 'revenue', amount: -35 },
  ]);
  expect(giveBack(60, charged)).toEqual([
    { account: 'prepaid', amount: 30 },
    { account: 'credits', amount: 30, grant: 'a' },
    { account: 'revenue', amount: -60 },
  ]);
});

it('moves an amount between two accounts', () => {
  expect(transfer('cash:manual', 'prepaid', 5)).toEqual([
    { account: 'cash:manual', amount: -5 },
    { account: 'prepaid', amount: 5 },
  ]);
  expect(transfer('cash:manual', 'prepaid', 0)).toEqual([]);
  expect(() => transfer('cash:manual', 'prepaid', 0.5)).toThrow(RangeError);
});
