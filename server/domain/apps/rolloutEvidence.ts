import type { Trust } from '../../../generated/api/types.gen';
import { DEFAULT_CHOICES, policyFrom, type Expected } from '../../../console/lib/attestation/expected';
import { checkCertificates } from '../../../console/lib/attestation/raTls';
import type { Check, CheckId, Evidence, Report } from '../../../console/lib/attestation/types';
import { verifyEvidence } from '../../../console/lib/attestation/verify';
import type { EvidencePart } from '../attestation/guestEvidence';

/** The recorded evidence of one CVM in a rollout. */
export interface RolloutEvidence {
  compose_hash: string | null;
  expected: string;
  matches: boolean | null;
  trust: Trust;
  /** ISO time of the verification; absent before it, and in rollouts from before evidence was verified. */
  checked_at?: string;
  detail?: string;
}

export interface EvidenceVerdict {
  trust: Trust;
  /** False stops the rollout. */
  ok: boolean;
  /** As measured; null without an event log. */
  compose_hash: string | null;
  /** One or more sentences. */
  detail: string;
}

export interface GivenEvidence {
  evidence: Evidence;
  certificate_chain: string | null;
  /** Why parts are missing, in sentences. */
  gaps: readonly string[];
}

export interface EvidenceContext {
  expected: Expected;
  /** The built-in local teepod, the only place where simulated evidence is acceptable. */
  local: boolean;
  /** Parts the CVM provided before; omitting one now could bypass the checks that need it. */
  given_before: readonly EvidencePart[];
  /** Unix seconds. */
  now: number;
  /** PEM; Intel's root unless a test supplies its own. */
  roots?: readonly string[];
}

const PART_NAMES: Record<EvidencePart, string> = {
  quote: 'a quote',
  event_log: 'an event log',
  vm_config: 'a VM configuration',
};

/** Checks that are meaningful without a quote: the event log against itself and the app against the log. */
const SIMULATED_CHECKS: ReadonlySet<CheckId> = new Set([
  'events.format',
  'events.digests',
  'events.order',
  'compose.hash',
  'compose.expected',
  'app.id',
  'claims',
]);

/**
 * Decides whether a rollout may continue with its next CVM. A failed check or a newly missing quote stops it;
 * evidence a guest has never been able to provide is recorded as unknown and doesn't.
 */
export async function judgeRolloutEvidence(
  { evidence, certificate_chain, gaps }: GivenEvidence,
  { expected, local, given_before, now, roots }: EvidenceContext,
): Promise<EvidenceVerdict> {
  const chain =
    certificate_chain === null
      ? null
      : await checkCertificates(certificate_chain, { now, key_provider_ids: expected.key_provider_ids });
  const report_data = chain?.report_data;
  const report = await verifyEvidence(evidence, {
    now,
    policy: policyFrom(expected, DEFAULT_CHOICES, report_data),
    ...(roots ? { roots } : {}),
  });
  const verdict = (trust: Trust, ok: boolean, detail: string): EvidenceVerdict => ({
    trust,
    ok,
    compose_hash: report.facts.compose_hash ?? null,
    detail,
  });
  const isMeasured = stateOf(report, 'compose.expected') === 'passed';
  if (local) {
    const failed = failedCheck(report, (id) => SIMULATED_CHECKS.has(id));
    if (failed) return verdict('simulated', false, `${explain(failed)} (simulated)`);
    return verdict(
      'simulated',
      true,
      isMeasured
        ? 'Compose hash matches the simulated event log.'
        : 'No event log to check (simulated). The guest reports healthy.',
    );
  }
  if (report.state === 'simulated')
    return verdict(
      'simulated',
      false,
      'The guest says its evidence is simulated, but this host is not a local teepod.',
    );
  const failed = failedCheck(report);
  if (failed) return verdict('not_verified', false, explain(failed));
  const missing = given_before.find((part) => evidence[part] === undefined);
  if (missing)
    return verdict(
      'not_verified',
      false,
      `This CVM provided ${PART_NAMES[missing]} before, but provides none now.`,
    );
  if (evidence.quote === undefined)
    return verdict('unknown', true, ['No quote to check.', ...gaps, 'The guest reports healthy.'].join(' '));
  const badChain = chain?.checks.find(({ state }) => state === 'failed');
  if (badChain) return verdict('not_verified', false, `${badChain.title}: ${badChain.detail}`);
  // Otherwise a quote copied from another certificate would pass.
  if (report_data === undefined)
    return verdict(
      'not_verified',
      false,
      'The quote can’t be matched to the guest’s certificate, because the certificates can’t be read.',
    );
  const hash = isMeasured ? 'The quote measures the new compose hash.' : 'The compose hash was not measured.';
  if (report.state !== 'unknown')
    return verdict(report.state === 'verified' ? 'verified' : 'verified_with_exceptions', isMeasured, hash);
  const skipped = report.checks.find(({ state, required }) => state === 'skipped' && required);
  return verdict('unknown', true, `${hash} Not fully verified: ${skipped ? explain(skipped) : 'unknown.'}`);
}

const stateOf = ({ checks }: Report, id: CheckId) => checks.find((check) => check.id === id)?.state;
/** The compose hash comes first: a mismatch says most about an update. */
function failedCheck({ checks }: Report, counts: (id: CheckId) => boolean = () => true): Check | undefined {
  const failed = checks.filter(({ id, state }) => state === 'failed' && counts(id));
  return failed.find(({ id }) => id === 'compose.expected') ?? failed[0];
}

const explain = ({ title, detail }: Check): string => `${detail} (Check: ${title})`;
