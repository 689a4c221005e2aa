import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { ROOT } from '../../root';

/** A test that failed, or a file that didn't load. */
export interface Failure {
  /** Relative to the root of the project. */
  file: string;
  title: string;
  /** First line of the error. */
  reason: string;
  seconds: number;
}

/** The result of one test file in its runner's JSON report. */
export interface FileResult {
  /** Relative to the root of the project. */
  file: string;
  passed: number;
  failed: number;
  skipped: number;
  seconds: number;
  failures: Failure[];
}

const VitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      startTime: z.number().optional(),
      endTime: z.number().optional(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          duration: z.number().nullish(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** Parses the report of Vitest's `json` reporter. A file that failed without a failed test didn't load. */
export function readVitestReport(text: string): FileResult[] {
  return VitestReport.parse(JSON.parse(text)).testResults.map((result) => {
    const file = path.relative(ROOT, result.name);
    const having = (...statuses: string[]) =>
      result.assertionResults.filter(({ status }) => statuses.includes(status));
    const failed = having('failed');
    const failures = failed.map(({ fullName, failureMessages, duration }) =>
      failure(file, fullName, failureMessages?.[0], (duration ?? 0) / 1000),
    );
    const seconds = ((result.endTime ?? 0) - (result.startTime ?? 0)) / 1000;
    if (result.status === 'failed' && failed.length === 0)
      failures.push(failure(file, 'the file', result.message, seconds));
    return {
      file,
      passed: having('passed').length,
      failed: failures.length,
      skipped: result.assertionResults.length - having('passed', 'failed').length,
      seconds,
      failures,
    };
  });
}

const BrowserTest = z.object({
  status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']),
  results: z.array(
    z.object({
      duration: z.number().optional(),
      error: z.object({ message: z.string().optional() }).optional(),
    }),
  ),
});
interface BrowserSuite {
  specs: { title: string; tests: z.infer<typeof BrowserTest>[] }[];
  suites?: BrowserSuite[] | undefined;
}
const BrowserSuite: z.ZodType<BrowserSuite> = z.lazy(() =>
  z.object({
    specs: z.array(z.object({ title: z.string(), tests: z.array(BrowserTest) })),
    suites: z.array(BrowserSuite).optional(),
  }),
);
const BrowserReport = z.object({
  config: z.object({ rootDir: z.string() }),
  suites: z.array(z.object({ file: z.string() }).and(BrowserSuite)),
  /** Errors outside a test: a spec that didn't load, a server that didn't start. */
  errors: z.array(z.object({ message: z.string().optional() })).optional(),
});

/** Parses the report of Playwright's `json` reporter. */
export function readBrowserReport(text: string): FileResult[] {
  const { config, suites, errors = [] } = BrowserReport.parse(JSON.parse(text));
  const files = suites.map((suite) => {
    const file = path.relative(ROOT, path.join(config.rootDir, suite.file));
    const tests = testsOf(suite).map((test) => ({ ...test, seconds: secondsOf(test) }));
    const failed = tests.filter(({ status }) => status === 'unexpected');
    return {
      file,
      passed: tests.filter(({ status }) => status === 'expected' || status === 'flaky').length,
      failed: failed.length,
      skipped: tests.filter(({ status }) => status === 'skipped').length,
      seconds: tests.reduce((sum, { seconds }) => sum + seconds, 0),
      failures: failed.map(({ title, results, seconds }) =>
        failure(file, title, results[0]?.error?.message, seconds),
      ),
    };
  });
  if (errors.length === 0) return files;
  const file = path.relative(ROOT, config.rootDir);
  const failures = errors.map(({ message }) => failure(file, 'outside a test', message, 0));
  return [...files, { file, passed: 0, failed: failures.length, skipped: 0, seconds: 0, failures }];
}

function secondsOf({ results }: z.infer<typeof BrowserTest>): number {
  return results.reduce((sum, { duration = 0 }) => sum + duration, 0) / 1000;
}

function testsOf({ specs, suites = [] }: BrowserSuite): (z.infer<typeof BrowserTest> & { title: string })[] {
  return [
    ...specs.flatMap(({ title, tests }) => tests.map((test) => ({ title, ...test }))),
    ...suites.flatMap(testsOf),
  ];
}

const MAX_REASON = 300;

function failure(file: string, title: string, error = 'no message', seconds = 0): Failure {
  // The message is followed by a stack, or a browser test's log of every attempt.
  const [summary = ''] = stripVTControlCharacters(error).split(/Call log:|\n\s+at /);
  return { file, title, reason: summary.replace(/\s+/g, ' ').trim().slice(0, MAX_REASON), seconds };
}
