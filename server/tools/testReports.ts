import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { ROOT } from '../root';

/** What one test file did, as its runner's JSON report says. */
export interface FileResult {
  /** Relative to the root of the project. */
  file: string;
  passed: number;
  failed: number;
  skipped: number;
  /** One line per test that failed: its name and the reason. */
  failures: string[];
}

const VitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** Reads the report of Vitest's `json` reporter. A file that failed without a failed test did not load. */
export function readVitestReport(text: string): FileResult[] {
  return VitestReport.parse(JSON.parse(text)).testResults.map((result) => {
    const file = path.relative(ROOT, result.name);
    const having = (...statuses: string[]) =>
      result.assertionResults.filter(({ status }) => statuses.includes(status));
    const failed = having('failed');
    const failures = failed.map(({ fullName, failureMessages }) =>
      failure(file, fullName, failureMessages?.[0]),
    );
    if (result.status === 'failed' && failed.length === 0)
      failures.push(failure(file, 'the file', result.message));
    return {
      file,
      passed: having('passed').length,
      failed: failures.length,
      skipped: result.assertionResults.length - having('passed', 'failed').length,
      failures,
    };
  });
}

const BrowserTest = z.object({
  status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']),
  results: z.array(z.object({ error: z.object({ message: z.string().optional() }).optional() })),
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
});

/** Reads the report of Playwright's `json` reporter. */
export function readBrowserReport(text: string): FileResult[] {
  const { config, suites } = BrowserReport.parse(JSON.parse(text));
  return suites.map((suite) => {
    const file = path.relative(ROOT, path.join(config.rootDir, suite.file));
    const tests = testsOf(suite);
    const failed = tests.filter(({ status }) => status === 'unexpected');
    return {
      file,
      passed: tests.filter(({ status }) => status === 'expected' || status === 'flaky').length,
      failed: failed.length,
      skipped: tests.filter(({ status }) => status === 'skipped').length,
      failures: failed.map(({ title, results }) => failure(file, title, results[0]?.error?.message)),
    };
  });
}

function testsOf({ specs, suites = [] }: BrowserSuite): (z.infer<typeof BrowserTest> & { title: string })[] {
  return [
    ...specs.flatMap(({ title, tests }) => tests.map((test) => ({ title, ...test }))),
    ...suites.flatMap(testsOf),
  ];
}

const MAX_REASON = 400;

function failure(file: string, title: string, error = 'no message'): string {
  // What follows the message is a stack, or a browser test's log of every attempt.
  const [summary = ''] = stripVTControlCharacters(error).split(/Call log:|\n\s+at /);
  return `${file} > ${title}: ${summary.replace(/\s+/g, ' ').trim().slice(0, MAX_REASON)}`;
}
