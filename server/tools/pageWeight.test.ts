import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesOf, readManifest } from '../http/pages/pagePreloads';
import { ROOT } from '../root';
import { MODULES_FILE, type ModuleSizes } from './build';

/**
 * JavaScript a page loads until it is usable: the app's entry and the page's own files, with everything they import.
 * `npm run bench -- web` measures the same in a browser.
 */
const START = 'index.html';
const PUBLIC_START = 'public/client.ts';
const BUDGETS = [
  {
    page: '/login',
    app: 'console',
    start: START,
    files: ['routes/login.tsx?tsr-split=component'],
    maxKb: 149.2,
  },
  {
    page: "a team's apps",
    app: 'console',
    start: START,
    files: ['routes/$teamSlug.tsx?tsr-split=component', 'routes/$teamSlug.index.tsx?tsr-split=component'],
    maxKb: 171.2,
  },
  { page: 'an admin list', app: 'admin', start: START, files: ['lists/ListTools.tsx'], maxKb: 260 },
  // Public pages without interaction load none: server/http/pages/public/publicPages.test.ts.
  {
    page: 'prices',
    app: 'public',
    start: PUBLIC_START,
    files: ['public/islands/PriceCalculator.tsx'],
    maxKb: 65,
  },
  {
    page: 'a published app before verification',
    app: 'public',
    start: PUBLIC_START,
    // Everything the page hydrates when it opens.
    files: ['VerifyApp', 'WatchApp', 'WatchByWebhook', 'CheckDomain', 'ReportApp', 'CopyText'].map(
      (name) => `public/islands/${name}.tsx`,
    ),
    maxKb: 130,
  },
];

const readJson = <T>(app: string, file: string) =>
  JSON.parse(readFileSync(join(ROOT, 'dist', app, file), 'utf8')) as T;

/** Bytes as sent: files too small to compress are sent as they are. */
function bytesSent(app: string, file: string): number {
  const path = join(ROOT, 'dist', app, file);
  return readFileSync(existsSync(`${path}.br`) ? `${path}.br` : path).length;
}

/** Lists the largest modules, in KB before minification. */
function largestModules(app: string, files: ReadonlySet<string>): string {
  const sizes = readJson<ModuleSizes>(app, MODULES_FILE);
  return [...files]
    .flatMap((file) => Object.entries(sizes[file] ?? {}))
    .sort(([, a], [, b]) => b - a)
    .slice(0, 25)
    .map(([module, bytes]) => `${(bytes / 1000).toFixed(1).padStart(8)} KB  ${module}`)
    .join('\n');
}

// The build is part of `npm test`; without it there is nothing to measure.
describe.skipIf(!process.env.TEST_BUILT)('JavaScript loaded by', () => {
  it.each(BUDGETS)('$page stays within $maxKb KB', ({ app, start, files: names, maxKb }) => {
    const files = filesOf(readManifest(join(ROOT, 'dist', app)), [start, ...names]);
    const kb = [...files].reduce((sum, file) => sum + bytesSent(app, file), 0) / 1000;
    expect(kb, `${kb.toFixed(1)} KB. Largest modules:\n${largestModules(app, files)}`).toBeLessThanOrEqual(
      maxKb,
    );
  });

  it("a team's apps and its frame load only their own operations", () => {
    const { files: names } = BUDGETS.find(({ page }) => page === "a team's apps")!;
    const files = filesOf(readManifest(join(ROOT, 'dist/console')), [START, ...names]);
    const sizes = readJson<ModuleSizes>('console', MODULES_FILE);
    const others = [...files]
      .flatMap((file) => Object.keys(sizes[file] ?? {}))
      .filter((module) => /^generated\/api\/(sdk|@tanstack\/react-query)\//.test(module))
      .filter((module) => !/\/(start|first)\.gen\.ts$/.test(module));
    // Add further operations they need to FIRST_OPERATIONS in codegen.config.ts.
    expect(others).toEqual([]);
  });

  it('the console’s entry leaves out its pages’ operations', () => {
    const files = filesOf(readManifest(join(ROOT, 'dist/console')), ['index.html']);
    const sizes = readJson<ModuleSizes>('console', MODULES_FILE);
    const operations = [...files]
      .flatMap((file) => Object.keys(sizes[file] ?? {}))
      .filter((module) => module.startsWith('generated/api/sdk/'));
    expect(operations).not.toContain('generated/api/sdk/cvms.gen.ts');
    expect(operations).not.toContain('generated/api/sdk/admin.gen.ts');
  });
});
