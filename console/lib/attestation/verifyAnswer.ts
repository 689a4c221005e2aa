import { questionOf, type EvidenceAnswer } from './answer';
import type { Choices } from './expected';
import { verifyInWorker } from './inWorker';
import type { ChainReport } from './raTls';
import type { Policy, Report } from './types';

export interface Verified {
  report: Report;
  chain: ChainReport | null;
  policy: Policy;
}

/**
 * Verifies an answer in this browser.
 * @param kms_roots root keys pinned by the user (SPKI DER hex), which take precedence over the server's record
 */
export async function verifyAnswer(
  answer: EvidenceAnswer,
  choices: Choices,
  kms_roots?: readonly string[],
): Promise<Verified> {
  const { evidence, chain, now, policy } = await questionOf(answer, choices, kms_roots);
  return { report: await verifyInWorker(evidence, { now, policy }), chain, policy };
}
