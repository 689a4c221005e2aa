import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { chainNamed, type ChainDefinition } from '../kms/chains';
import { sendCall, type Stage } from './sendCall';
import { SLOW_WALLET_MS, storyWallet, type Behavior } from './storyWallet';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sends with a wallet that behaves as given. The list of stages grows during the call. */
function send(behavior: Behavior) {
  const stages: Stage[] = [];
  const ended = sendCall(
    storyWallet(() => behavior),
    { to: `0x${'a1'.repeat(20)}`, data: '0x79ba5097' },
    {
      chain: chainNamed('local') as ChainDefinition,
      onStage: (stage) => void stages.push(stage),
      signal: new AbortController().signal,
    },
  ).then(
    ({ hash }) => hash,
    (error: { kind?: unknown }) => error.kind,
  );
  return { stages, ended };
}

it('waits for a slow hardware wallet', async () => {
  const { stages, ended } = send('slow');
  await vi.advanceTimersByTimeAsync(SLOW_WALLET_MS - 1);
  expect(stages.at(-1)).toBe('confirm');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await ended).toMatch(/^0x[0-9a-f]{64}$/);
});

it('doesn’t send while the wallet shows another tab’s request', async () => {
  const { stages, ended } = send('busy');
  expect(await ended).toBe('pending');
  expect(stages).toEqual(['connect']);
});
