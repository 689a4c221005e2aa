import { describe, expect, it } from 'vitest';
import type { FileResult } from './testReports';
import { summarize, type SuiteResult } from './testSummary';

const failure = (file: string) => ({ file, title: 'adds', reason: 'expected 1 to be 2', seconds: 1.25 });
const passing = (file: string, seconds = 1): FileResult => ({
  file,
  passed: 3,
  failed: 0,
  skipped: 1,
  seconds,
  failures: [],
});
const failing = (file: string): FileResult => ({
  ...passing(file),
  failed: 1,
  failures: [failure(file)],
});
const suite = (files: FileResult[], more: Partial<SuiteResult> = {}): SuiteResult => ({
  name: 'unit',
  seconds: 12,
  files,
  flaky: [],
  errors: [],
  ...more,
});

describe('summary of a test run', () => {
  it('names each failed test with suite, file, title, reason and seconds in its last lines', () => {
    const { lines, passed, failed } = summarize([suite([passing('a.test.ts'), failing('b.test.ts')])]);
    expect({ passed, failed }).toEqual({ passed: 6, failed: 1 });
    expect(lines.slice(-2)).toEqual(['failed', 'FAILED unit b.test.ts > adds: expected 1 to be 2 (1.3 s)']);
    expect(lines).toContain('   12.0 s unit: 6 passed, 1 failed, 2 skipped');
  });

  it('counts a suite that crashed as a failure', () => {
    const { lines, failed } = summarize([suite([], { errors: ['ended with exit code 137'] })]);
    expect(failed).toBe(1);
    expect(lines.at(-1)).toBe('FAILED unit: ended with exit code 137');
  });

  it('lists the twenty slowest files, slowest first', () => {
    const files = Array.from({ length: 30 }, (_, index) => passing(`${index}.test.ts`, index));
    const { lines } = summarize([suite(files)]);
    const listed = lines.filter((line) => line.endsWith('.test.ts'));
    expect(listed).toHaveLength(20);
    expect(listed[0]).toBe('   29.0 s unit 29.test.ts');
  });

  it('lists flaky files without failing the run, up to three', () => {
    const flaky = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        file: `${index}.test.ts`,
        failures: [failure(`${index}.test.ts`)],
      }));
    const few = summarize([suite([passing('0.test.ts')], { flaky: flaky(3) })]);
    expect(few.failed).toBe(0);
    expect(few.lines).toContain(' flaky unit 0.test.ts > adds: expected 1 to be 2 (1.3 s)');
    expect(summarize([suite([], { flaky: flaky(4) })])).toMatchObject({
      failed: 1,
      lines: expect.arrayContaining([
        'FAILED flaky: 4 files passed only on the second try; at most 3 may',
      ]) as unknown,
    });
  });

  it('cuts a list of more than 200 failures', () => {
    const files = Array.from({ length: 250 }, (_, index) => failing(`${index}.test.ts`));
    const { lines, failed } = summarize([suite(files)]);
    expect(failed).toBe(250);
    expect(lines.at(-1)).toBe('and 50 more');
  });
});
