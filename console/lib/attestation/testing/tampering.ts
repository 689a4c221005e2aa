import { beforeAll, expect } from 'vitest';
import type { CheckId, Collateral, Evidence, Policy, Report } from '../types';
import { verifyEvidence } from '../verify';
import type { Tampering } from './attacks';
import { mockEvidence, mockPolicy } from './mockEvidence';
import { createMockPki, type MockPki } from './mockPki';

/* Shared by the tampering tests: honest evidence, and the definition of "rejected". Importing it prepares both. */

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

/** Returns the evidence with the tampering applied. */
export async function tampered({ attack }: Tampering): Promise<Evidence> {
  const { edits, tamper } = await attack(pki);
  const evidence = edits ? await mockEvidence(pki, edits) : honest;
  return tamper ? tamper(evidence) : evidence;
}

export const withCollateral = (edits: Partial<Collateral>): Evidence => ({
  ...honest,
  collateral: { ...(honest.collateral as Collateral), ...edits },
});
