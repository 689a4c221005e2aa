import { expect, it } from 'vitest';
import type { LiveAiKey } from '../../db/ai/aiKeys';
import { AiError } from '../../domain/ai/aiError';
import { createAiLimits } from './limits';

const keyOf = (team_id: number, id = team_id): LiveAiKey => ({
  id,
  team_id,
  team_slug: `team-${team_id}`,
  models: null,
  requests_per_minute: null,
  tokens_per_minute: null,
  minute_requests: null,
  minute_tokens: null,
  budget_micros: null,
  budget_period: 'month',
  stale_use: false,
  is_enabled: true,
  has_used_up_budget: false,
  catalog_version: 1,
});

const KIB = 1024;
const MIB = 1024 * KIB;

/** Statuses of refused concurrent requests, and `leave` functions of admitted ones. */
async function enterTogether(limits: ReturnType<typeof createAiLimits>, keys: LiveAiKey[], bytes = KIB) {
  const results = await Promise.allSettled(keys.map(async (key) => limits.enter(key, bytes)));
  return {
    refused: results.flatMap((one) =>
      one.status === 'rejected' && one.reason instanceof AiError ? [one.reason.status] : [],
    ),
    leaves: results.flatMap((one) => (one.status === 'fulfilled' ? [one.value.leave] : [])),
  };
}

it('admits 1,000 concurrent requests of a team, across keys', async () => {
  const limits = createAiLimits();
  const { refused, leaves } = await enterTogether(
    limits,
    Array.from({ length: 1010 }, (_, i) => keyOf(1, i)),
  );
  expect(leaves).toHaveLength(1000);
  expect(refused).toEqual(Array.from({ length: 10 }, () => 429));
  // Other teams have their own limit.
  expect(limits.enter(keyOf(2), KIB)).toBeDefined();
  leaves[0]?.();
  expect(limits.enter(keyOf(1), KIB)).toBeDefined();
  expect(() => limits.enter(keyOf(1), KIB)).toThrow(
    expect.objectContaining({ code: 'too_many_concurrent_requests' }) as Error,
  );
});

it('admits 2,000 concurrent requests in total', async () => {
  const limits = createAiLimits();
  const keys = Array.from({ length: 2010 }, (_, i) => keyOf(i));
  const { refused, leaves } = await enterTogether(limits, keys);
  expect(leaves).toHaveLength(2000);
  expect(new Set(refused)).toEqual(new Set([503]));
});

it('admits large bodies as memory allows, per team and in total', async () => {
  const limits = createAiLimits();
  const own = await enterTogether(
    limits,
    Array.from({ length: 8 }, (_, i) => keyOf(1, i)),
    32 * MIB,
  );
  expect(own.leaves).toHaveLength(3);
  expect(own.refused).toEqual([429, 429, 429, 429, 429]);
  // Short ones are still admitted.
  expect(limits.enter(keyOf(1), 64 * KIB)).toBeDefined();
  const others = await enterTogether(
    limits,
    Array.from({ length: 20 }, (_, i) => keyOf(2 + i)),
    32 * MIB,
  );
  expect(others.leaves).toHaveLength(5);
  expect(new Set(others.refused)).toEqual(new Set([503]));
  expect(limits.enter(keyOf(100), 64 * KIB)).toBeDefined();
  for (const leave of [...own.leaves, ...others.leaves]) leave();
  expect(limits.enter(keyOf(1), 32 * MIB)).toBeDefined();
});

it('counts a body of unknown length as it arrives', async () => {
  const limits = createAiLimits();
  const [first, second] = [limits.enter(keyOf(1), 0), limits.enter(keyOf(1), 0)];
  first.reserve(64 * MIB);
  second.reserve(16 * MIB);
  expect(() => second.reserve(32 * MIB)).toThrow(
    expect.objectContaining({ status: 429, retryAfter: 1 }) as Error,
  );
  first.leave();
  expect(limits.enter(keyOf(1), 64 * MIB)).toBeDefined();
});

it('releases the slot of a request refused by a per-minute limit', async () => {
  const limits = createAiLimits();
  const key = { ...keyOf(1), requests_per_minute: 1, minute_requests: { used: 2, left_ms: 1 } };
  for (let i = 0; i < 1100; i++)
    expect(() => limits.enter(key, KIB)).toThrow(
      expect.objectContaining({ code: 'rate_limit_exceeded' }) as Error,
    );
});

it('keeps answers in memory as it allows, per team and in total, until they end', async () => {
  const limits = createAiLimits();
  const enter = (team_id: number) => limits.enter(keyOf(team_id), KIB);
  const [first, second] = [enter(1), enter(1)];
  first.keep(60 * MIB);
  expect(() => second.keep(50 * MIB)).toThrow(expect.objectContaining({ status: 429 }) as Error);
  second.keep(30 * MIB);
  first.leave();
  // Bytes arriving after an answer ended are dropped.
  first.keep(60 * MIB);
  second.keep(50 * MIB);
  for (const team_id of [2, 3, 4]) enter(team_id).keep(100 * MIB);
  const last = enter(5);
  expect(() => last.keep(30 * MIB)).toThrow(expect.objectContaining({ status: 503 }) as Error);
  second.leave();
  last.keep(30 * MIB);
});
