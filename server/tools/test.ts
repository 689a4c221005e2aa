import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { build } from './build';
import { freePort, startPostgres, type ThrowAwayPostgres } from './postgres';
import { bin, runNode, seconds } from './run';
import { ensureSystemPackages } from './system';

/**
 * `npm test [suite…] [filter…]`: gets ready what the suites need, runs them, and prints the sum as its last line.
 * Suites are unit, embedded, postgres (together: server), docker and e2e; without any, all of them.
 */

const SUITES = ['unit', 'embedded', 'postgres', 'docker', 'e2e'] as const;
type Suite = (typeof SUITES)[number];

interface Result {
  name: string;
  passed: number;
  failed: number;
  skipped: number;
}

const words = process.argv
  .slice(2)
  .flatMap((word) => (word === 'server' ? ['embedded', 'postgres'] : [word]));
const isSuite = (word: string): word is Suite => (SUITES as readonly string[]).includes(word);
const named = words.filter(isSuite);
const filters = words.filter((word) => !isSuite(word));
const chosen = new Set<Suite>(named.length > 0 ? named : SUITES);
/** Output of suites that run side by side is shown when they end. */
const alone = chosen.size === 1;

const started = Date.now();
const work = await mkdtemp('/tmp/teehouse-npm-test-');
chmodSync(work, 0o755);
const results: Result[] = [];
const endings: (() => Promise<void>)[] = [];
/** Socket of the Docker engine, once it answers. */
let engine: string | undefined;
const needsDocker = ['embedded', 'postgres', 'docker', 'e2e'].some((suite) => chosen.has(suite as Suite));

async function main(): Promise<void> {
  if (needsDocker) {
    const missing = await ensureSystemPackages();
    if (missing.length > 0) console.log(`going on without ${missing.join(', ')}`);
  }
  let postgres: ThrowAwayPostgres | undefined;
  const [, , docker] = await Promise.all([
    needsDocker && attempt('build', () => build()),
    chosen.has('postgres') &&
      attempt('postgres', async () => {
        postgres = await startPostgres();
        endings.push(() => postgres!.stop());
      }),
    needsDocker ? attempt('docker engine', startDocker) : true,
  ]);

  if (chosen.has('unit')) await vitest('unit', 'unit', {});
  await Promise.all([
    chosen.has('embedded') && vitest('embedded', 'server', { TEST_DB: 'embedded', DATABASE_URL: undefined }),
    postgres && vitest('postgres', 'server', { TEST_DB: 'postgres', DATABASE_URL: postgres.url }),
    // It waits for containers most of the time, while the others compute.
    chosen.has('docker') &&
      docker &&
      vitest('docker', 'docker', { TEST_DB: 'embedded', DATABASE_URL: undefined }),
  ]);
  if (chosen.has('e2e')) await playwright();
}

/** Something the suites need; when it cannot be had, that is a failure of its own and the others still run. */
async function attempt(name: string, action: () => Promise<void>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    fail(name, error);
    return false;
  }
}

function fail(name: string, error: unknown): void {
  console.log(`FAILED  ${name}: ${error instanceof Error ? error.message : String(error)}`);
  results.push({ name, passed: 0, failed: 1, skipped: 0 });
}

async function startDocker(): Promise<void> {
  const { ensureDocker, ensureTestImages } = await import('./docker');
  const docker = await ensureDocker();
  if ('reason' in docker) throw new Error(docker.reason);
  endings.push(() => docker.stop());
  await ensureTestImages(docker.socket);
  engine = docker.socket;
}

const VitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

async function vitest(name: string, project: string, env: Record<string, string | undefined>): Promise<void> {
  const file = path.join(work, `${name}.json`);
  const args = ['run', '--project', project, '--passWithNoTests', '--reporter=default', '--reporter=json'];
  await suite(
    name,
    [bin('vitest/vitest.mjs'), ...args, `--outputFile.json=${file}`, ...filters],
    { TEST_BUILT: '1', ...env },
    async () => {
      const report = VitestReport.parse(JSON.parse(await readFile(file, 'utf8')));
      // A file that does not even load has no tests to fail.
      const broken = report.testResults.filter(
        (r) => r.status === 'failed' && r.assertionResults.length === 0,
      ).length;
      return {
        passed: report.numPassedTests,
        failed: report.numFailedTests + broken,
        skipped: report.numPendingTests,
      };
    },
  );
}

const PlaywrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
});

async function playwright(): Promise<void> {
  const file = path.join(work, 'e2e.json');
  const env = {
    E2E_REPORT: file,
    E2E_PORT: String(await freePort()),
    E2E_DATA_DIR: path.join(work, 'e2e'),
    DATABASE_URL: undefined,
  };
  const args = ['test', '--pass-with-no-tests', ...filters];
  await suite('e2e', [bin('@playwright/test/cli.js'), ...args], env, async () => {
    const { stats } = PlaywrightReport.parse(JSON.parse(await readFile(file, 'utf8')));
    return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
  });
  // Containers outlive their server by design; those of the suite must not outlive the suite.
  const id = await readFile(path.join(env.E2E_DATA_DIR, 'teepod/id'), 'utf8').catch(() => undefined);
  if (id && engine) await (await import('./docker')).removeTeepodContainers(engine, id.trim());
}

/** Runs one suite and adds what its report says. One that ends badly counts as failed whatever it reports. */
async function suite(
  name: string,
  args: string[],
  env: Record<string, string | undefined>,
  read: () => Promise<Omit<Result, 'name'>>,
): Promise<void> {
  const since = Date.now();
  console.log(`running ${name}`);
  const { code, output } = await runNode(args, { env, show: alone });
  if (!alone && code !== 0) console.log(output.trimEnd());
  // Figures that a suite measured on its way are worth reading when all went well, too.
  else if (!alone)
    for (const line of output.split('\n')) if (/chaos: \d/.test(line)) console.log(line.trim());
  const counted = await read().catch((error: unknown) => {
    if (code === 0) console.log(`no report of ${name}: ${String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  });
  if (code !== 0 && counted.failed === 0) counted.failed = 1;
  results.push({ name, ...counted });
  console.log(
    `${counted.failed > 0 ? 'FAILED ' : 'ok     '} ${name}: ${counted.passed} passed, ${counted.failed} failed, ${counted.skipped} skipped (${seconds(since)})`,
  );
}

function report(): void {
  const sum = (key: 'passed' | 'failed') => results.reduce((total, result) => total + result[key], 0);
  const nothing = sum('passed') + sum('failed') === 0;
  if (nothing) console.log('no test matched');
  console.log(`tested in ${seconds(started)}`);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  // Handles that a suite left open must not keep the result waiting.
  process.exit(sum('failed') > 0 || nothing ? 1 : 0);
}

try {
  await main();
} catch (error) {
  fail('test command', error);
} finally {
  for (const end of endings.reverse()) await end().catch((error: unknown) => console.error(error));
  await rm(work, { recursive: true, force: true });
}
report();
