import { beforeAll, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../bytes';
import { mockEvidence } from './testing/mockEvidence';
import { createMockPki, type MockPki } from './testing/mockPki';
import type { Evidence, Policy } from './types';
import { DEFAULT_POLICY, verifyEvidence } from './verify';

const NOW = 1_800_000_000;
let pki: MockPki;
let honest: Evidence;

beforeAll(async () => {
  pki = await createMockPki(NOW);
  honest = await mockEvidence(pki);
});

/**
 * Leaves out the collateral, which takes most of the time: an honest quote is then `unknown`, because something is
 * missing, and `not verified` only if a check failed, which no collateral can fix.
 */
async function stateWith(quote: Uint8Array): Promise<string> {
  const policy: Policy = { ...DEFAULT_POLICY, scope: 'quote' };
  const evidence = { quote: bytesToHex(quote) };
  return (await verifyEvidence(evidence, { now: NOW, policy, roots: [pki.rootPem] })).state;
}

it('detects a change to any byte of a quote', { timeout: 120_000 }, async () => {
  const quote = hexToBytes(honest.quote ?? '') ?? new Uint8Array(0);
  expect(await stateWith(quote)).toBe('unknown');
  expect(quote.length).toBeGreaterThan(3000);
  const passed: number[] = [];
  const tryAt = async (at: number): Promise<void> => {
    const changed = Uint8Array.from(quote);
    changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
    if ((await stateWith(changed)) !== 'not verified') passed.push(at);
  };
  const BATCH = 64;
  for (let from = 0; from < quote.length; from += BATCH)
    await Promise.all(
      Array.from({ length: Math.min(BATCH, quote.length - from) }, (_, i) => tryAt(from + i)),
    );
  expect(passed).toEqual([]);
});
