import { beforeAll, expect } from 'vitest';
import type { CheckId, Collateral, Evidence, Policy, Report } from '../types';
import { verifyEvidence } from '../verify';
import { mockEvidence, mockPolicy } from './mockEvidence';
import { createMockPki, type MockPki } from './mockPki';

/* What the tests of tampering share: an honest evidence, and what "rejected" means. Importing it prepares both. */

export const NOW = 1_800_000_000;
export const DAY = 86_400;
export let pki: MockPki;
export let honest: Evidence;
let policy: Policy;

beforeAll(async () => {
  pki = await createMockPki(NOW);
  honest = await mockEvidence(pki);
  policy = mockPolicy(honest);
});

export const verify = (evidence: Evidence, now = NOW, more: Partial<Policy> = {}): Promise<Report> =>
  verifyEvidence(evidence, { now, policy: { ...policy, ...more }, roots: [pki.rootPem] });

/** Not verified, and the failing check is named. */
export async function rejected(
  evidence: Evidence,
  id: CheckId,
  now = NOW,
  more: Partial<Policy> = {},
): Promise<void> {
  const report = await verify(evidence, now, more);
  const failed = report.checks.filter((check) => check.state === 'failed');
  expect(failed.map((check) => check.id)).toContain(id);
  expect(report.state).toBe('not verified');
  for (const check of failed) expect(check.detail.length).toBeGreaterThan(20);
}

/** One bit of the byte changed. */
export function flip(hex: string | undefined, at: number): string {
  const byte = Number.parseInt((hex ?? '').slice(2 * at, 2 * at + 2), 16) ^ 0x01;
  return `${hex?.slice(0, 2 * at)}${byte.toString(16).padStart(2, '0')}${hex?.slice(2 * at + 2)}`;
}

export const withCollateral = (edits: Partial<Collateral>): Evidence => ({
  ...honest,
  collateral: { ...(honest.collateral as Collateral), ...edits },
});
