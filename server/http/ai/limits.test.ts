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
  budget_micros: null,
  budget_period: 'month',
  stale_use: false,
});

/** Status of each refusal among concurrent requests, and the ways out of those admitted. */
async function enterTogether(limits: ReturnType<typeof createAiLimits>, keys: LiveAiKey[]) {
  const results = await Promise.allSettled(keys.map((key) => limits.enter(key)));
  return {
    refused: results.flatMap((one) =>
      one.status === 'rejected' && one.reason instanceof AiError ? [one.reason.status] : [],
    ),
    leaves: results.flatMap((one) => (one.status === 'fulfilled' ? [one.value.leave] : [])),
  };
}

it('admits 50 concurrent requests of a team, whichever keys they carry', async () => {
  const limits = createAiLimits();
  const { refused, leaves } = await enterTogether(
    limits,
    Array.from({ length: 60 }, (_, i) => keyOf(1, i)),
  );
  expect(leaves).toHaveLength(50);
  expect(refused).toEqual(Array.from({ length: 10 }, () => 429));
  // Another team has its own places.
  await expect(limits.enter(keyOf(2))).resolves.toBeDefined();
  leaves[0]?.();
  await expect(limits.enter(keyOf(1))).resolves.toBeDefined();
  await expect(limits.enter(keyOf(1))).rejects.toMatchObject({ code: 'too_many_concurrent_requests' });
});

it('admits 200 concurrent requests in all', async () => {
  const limits = createAiLimits();
  const keys = Array.from({ length: 250 }, (_, i) => keyOf(i));
  const { refused, leaves } = await enterTogether(limits, keys);
  expect(leaves).toHaveLength(200);
  expect(new Set(refused)).toEqual(new Set([503]));
});

it('gives back the place of a request that a limit per minute refuses', async () => {
  const limits = createAiLimits();
  const key = { ...keyOf(1), requests_per_minute: 1 };
  const { leaves } = await enterTogether(limits, [key]);
  leaves[0]?.();
  for (let i = 0; i < 60; i++)
    await expect(limits.enter(key)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
});
