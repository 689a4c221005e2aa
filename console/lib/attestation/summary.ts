import type { Check, CheckId, Report, ReportState } from './types';

/** A one-line report, for lists. */
export interface Summary {
  state: ReportState;
  /** One sentence: the first problem, or that everything passed. */
  line: string;
  failed: CheckId[];
  warnings: CheckId[];
  /** Required checks that were skipped. */
  missing: CheckId[];
  passed: number;
  verified_at: number;
  /** ISO time after which to verify again with fresh collateral. */
  fresh_until: string | undefined;
}

const SIMULATED = 'No TEE hardware: this host simulates attestation.';

const LINES: Readonly<Record<ReportState, string>> = {
  verified: 'Everything the policy requires was checked and passed.',
  'verified with exceptions': '',
  'not verified': '',
  unknown: '',
  simulated: SIMULATED,
};

/**
 * The state of a CVM by a report about it. Stored evidence can still refute it, but proves nothing about a guest that
 * doesn't respond.
 */
export const stateNow = (state: ReportState, source: 'guest' | 'kept' | null): ReportState =>
  source !== 'guest' && (state === 'verified' || state === 'verified with exceptions') ? 'unknown' : state;

export function summary(report: Report): Summary {
  const failed = report.checks.filter((check) => check.state === 'failed');
  const warnings = report.checks.filter((check) => check.state === 'warning');
  const missing = report.checks.filter((check) => check.required && check.state === 'skipped');
  const relevant: Partial<Record<ReportState, Check[]>> = {
    'not verified': failed,
    unknown: missing,
    'verified with exceptions': warnings,
  };
  const [first, ...more] = relevant[report.state] ?? [];
  const others = more.length > 0 ? ` ${more.length} more.` : '';
  const ids = (checks: Check[]): CheckId[] => checks.map((check) => check.id);
  return {
    state: report.state,
    line: first
      ? `${first.title}: ${first.detail}${others}${report.simulated ? ` ${SIMULATED}` : ''}`
      : LINES[report.state],
    failed: ids(failed),
    warnings: ids(warnings),
    missing: ids(missing),
    passed: report.checks.filter((check) => check.state === 'passed').length,
    verified_at: report.verified_at,
    fresh_until: report.facts.fresh_until,
  };
}
