import type { Failure, FileResult } from './testReports';

/** A suite's last run, including the results of its rerun. */
export interface SuiteResult {
  name: string;
  seconds: number;
  files: FileResult[];
  /** Files that failed and then passed alone, with the first failures. */
  flaky: { file: string; failures: Failure[] }[];
  /** Reason the suite failed without a failed test: a crash or a missing prerequisite. */
  errors: string[];
}

/** Flaky files beyond which a run fails: a busy machine explains a few, not many. */
const MAX_FLAKY = 3;
const SLOWEST = 20;
/** A run with more failures than this is read from its full log. */
const MAX_LISTED = 200;

export interface Summary {
  lines: string[];
  passed: number;
  failed: number;
}

/**
 * Returns the end of a test run's output: seconds per suite, the slowest files, flaky files, and each failed test with
 * its suite, file, title, reason and seconds. Failures come last, next to the closing count.
 */
export function summarize(suites: readonly SuiteResult[]): Summary {
  const files = suites.flatMap((suite) => suite.files.map((file) => ({ suite: suite.name, ...file })));
  const flaky = suites.flatMap((suite) => suite.flaky.map((one) => ({ suite: suite.name, ...one })));
  const failures = [
    ...suites.flatMap(({ name, errors }) => errors.map((reason) => `FAILED ${name}: ${reason}`)),
    ...files.flatMap((file) => file.failures.map((one) => failureLine(file.suite, one))),
    ...(flaky.length > MAX_FLAKY
      ? [`FAILED flaky: ${flaky.length} files passed only on the second try; at most ${MAX_FLAKY} may`]
      : []),
  ];
  const sum = (key: 'passed' | 'skipped') => files.reduce((count, file) => count + file[key], 0);
  return {
    passed: sum('passed'),
    failed: failures.length,
    lines: [
      '',
      'suites',
      ...suites.map(suiteLine),
      '',
      `slowest files`,
      ...files
        .toSorted((a, b) => b.seconds - a.seconds)
        .slice(0, SLOWEST)
        .map(({ suite, file, seconds }) => `${pad(seconds)} ${suite} ${file}`),
      ...(flaky.length > 0 ? ['', 'flaky: failed, then passed alone'] : []),
      ...flaky.flatMap(({ suite, failures: first }) =>
        first.map((one) => failureLine(suite, one).replace('FAILED', ' flaky')),
      ),
      ...(failures.length > 0 ? ['', 'failed'] : []),
      ...failures.slice(0, MAX_LISTED),
      ...(failures.length > MAX_LISTED ? [`and ${failures.length - MAX_LISTED} more`] : []),
    ],
  };
}

function suiteLine({ name, seconds, files, errors }: SuiteResult): string {
  const count = (key: 'passed' | 'failed' | 'skipped') => files.reduce((sum, file) => sum + file[key], 0);
  const failed = count('failed') + errors.length;
  return `${pad(seconds)} ${name}: ${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped`;
}

const failureLine = (suite: string, { file, title, reason, seconds }: Failure) =>
  `FAILED ${suite} ${file} > ${title}: ${reason} (${seconds.toFixed(1)} s)`;

const pad = (seconds: number) => `${seconds.toFixed(1).padStart(7)} s`;
