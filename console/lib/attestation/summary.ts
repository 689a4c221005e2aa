import type { Check, CheckId, Report, ReportState } from './types';

/** A report in one line, for lists. */
export interface Summary {
  state: ReportState;
  /** One plain sentence: the first thing that is wrong or missing, or that all is well. */
  line: string;
  failed: CheckId[];
  warnings: CheckId[];
  /** Required checks that could not be done. */
  missing: CheckId[];
  passed: number;
  verified_at: number;
  /** ISO time from which the report should be made anew with fresh collateral. */
  fresh_until: string | undefined;
}

const LINES: Readonly<Record<ReportState, string>> = {
  verified: 'Everything that the policy asks for was checked and is right.',
  'verified with exceptions': '',
  'not verified': '',
  unknown: '',
  simulated: 'No TEE hardware: this host simulates attestation.',
};

export function summary(report: Report): Summary {
  const failed = report.checks.filter((check) => check.state === 'failed');
  const warnings = report.checks.filter((check) => check.state === 'warning');
  const missing = report.checks.filter((check) => check.required && check.state === 'skipped');
  const told: Partial<Record<ReportState, Check[]>> = {
    'not verified': failed,
    unknown: missing,
    'verified with exceptions': warnings,
  };
  const [first, ...more] = told[report.state] ?? [];
  const others = more.length > 0 ? ` And ${more.length} more.` : '';
  const ids = (checks: Check[]): CheckId[] => checks.map((check) => check.id);
  return {
    state: report.state,
    line: first ? `${first.title}: ${first.detail}${others}` : LINES[report.state],
    failed: ids(failed),
    warnings: ids(warnings),
    missing: ids(missing),
    passed: report.checks.filter((check) => check.state === 'passed').length,
    verified_at: report.verified_at,
    fresh_until: report.facts.fresh_until,
  };
}
