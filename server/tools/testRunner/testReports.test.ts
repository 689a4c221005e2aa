import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../root';
import { readBrowserReport, readVitestReport } from './testReports';

describe('a Vitest report', () => {
  const report = (testResults: object[]) => readVitestReport(JSON.stringify({ testResults }));
  const test = (status: string, failureMessages: string[] = []) => ({
    fullName: `teams ${status}`,
    status,
    duration: 1500,
    failureMessages,
  });

  it('counts a file and names its failures, with the reason on one line', () => {
    const assertionResults = [
      test('passed'),
      test('passed'),
      test('pending'),
      test('failed', ['\u001b[31mexpected 1\n  to be 2\u001b[39m\n    at a.test.ts:3', 'a second reason']),
    ];
    expect(
      report([
        {
          name: path.join(ROOT, 'server/a.test.ts'),
          status: 'failed',
          startTime: 1000,
          endTime: 3500,
          assertionResults,
        },
      ]),
    ).toEqual([
      {
        file: 'server/a.test.ts',
        passed: 2,
        failed: 1,
        skipped: 1,
        seconds: 2.5,
        failures: [
          { file: 'server/a.test.ts', title: 'teams failed', reason: 'expected 1 to be 2', seconds: 1.5 },
        ],
      },
    ]);
  });

  it('counts a file that did not load, or whose setup failed, as one failure', () => {
    const file = { name: path.join(ROOT, 'a.test.ts'), status: 'failed', message: 'no such module' };
    expect(report([{ ...file, assertionResults: [] }])).toMatchObject([
      { failed: 1, failures: [{ title: 'the file', reason: 'no such module' }] },
    ]);
    expect(report([{ ...file, assertionResults: [test('skipped')] }])).toMatchObject([
      { passed: 0, failed: 1, skipped: 1 },
    ]);
  });
});

describe('a Playwright report', () => {
  it('counts the tests of nested groups by file, and leaves out the log of attempts', () => {
    const spec = (title: string, status: string, message?: string) => ({
      title,
      tests: [
        { status, results: [{ duration: 500, error: message === undefined ? undefined : { message } }] },
      ],
    });
    const suites = [
      {
        file: 'signIn/sso.spec.ts',
        specs: [spec('one', 'expected')],
        suites: [
          {
            specs: [
              spec('two', 'unexpected', 'toBeVisible failed\nCall log:\n  - waiting'),
              spec('three', 'skipped'),
            ],
          },
        ],
      },
    ];
    const text = JSON.stringify({ config: { rootDir: path.join(ROOT, 'console/e2e') }, suites });
    expect(readBrowserReport(text)).toEqual([
      {
        file: 'console/e2e/signIn/sso.spec.ts',
        passed: 1,
        failed: 1,
        skipped: 1,
        seconds: 1.5,
        failures: [
          {
            file: 'console/e2e/signIn/sso.spec.ts',
            title: 'two',
            reason: 'toBeVisible failed',
            seconds: 0.5,
          },
        ],
      },
    ]);
  });

  it('counts an error outside a test, such as a server that did not start', () => {
    const text = JSON.stringify({
      config: { rootDir: path.join(ROOT, 'console/e2e') },
      suites: [],
      errors: [{ message: 'Timed out waiting for the server' }],
    });
    expect(readBrowserReport(text)).toMatchObject([
      { failed: 1, failures: [{ title: 'outside a test', reason: 'Timed out waiting for the server' }] },
    ]);
  });
});
