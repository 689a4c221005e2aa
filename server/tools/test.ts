import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { build } from './build';
import { freePort, startPostgres, type ThrowAwayPostgres } from './postgres';
import { bin, runNode, seconds } from './run';
import { ensureSystemPackages } from './system';
import { readBrowserReport, readVitestReport, type FileResult } from './testReports';

/**
 * `npm test [suite…] [filter…]`: gets ready what the suites need, runs them, and prints the sum as its last line.
 * Suites are unit, embedded, postgres (together: server), docker and e2e; without any, all of them. When both databases
 * are tested, the second runs only what can differ there; `npm test postgres` alone runs everything on it. In a run
 * without a filter, the files that failed run again when everything else is done, since machines are shared; tests
 * that pass then are named at the end, as bugs to fix.
 */

const SUITES = ['unit', 'embedded', 'postgres', 'docker', 'e2e'] as const;
type Suite = (typeof SUITES)[number];

type Counts = Pick<FileResult, 'passed' | 'failed' | 'skipped'>;

/** A suite that ran, and how to run some of its files again. */
interface Suited {
  name: string;
  files: FileResult[];
  again: (files: string[]) => Promise<Ran>;
}

/** Failed files of one suite beyond which the fault is not one machine's bad moment. */
const MAX_REPEATED = 5;

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
const sum: Counts = { passed: 0, failed: 0, skipped: 0 };
const repeatable: Suited[] = [];
const secondTries: string[] = [];
const endings: (() => Promise<void>)[] = [];
/** Socket of the Docker engine, once it answers. */
let engine: string | undefined;
const needsDocker = ['embedded', 'postgres', 'docker', 'e2e'].some((suite) => chosen.has(suite as Suite));

async function main(): Promise<void> {
  if (needsDocker) {
    const missing = await ensureSystemPackages();
    if (missing.length > 0) console.log(`continuing without ${missing.join(', ')}`);
  }
  let postgres: ThrowAwayPostgres | undefined;
  const [, , docker] = await Promise.all([
    // The unit suite weighs the pages, too.
    (needsDocker || chosen.has('unit')) && attempt('build', () => build()),
    chosen.has('postgres') &&
      attempt('postgres', async () => {
        postgres = await startPostgres();
        endings.push(() => postgres!.stop());
      }),
    needsDocker ? attempt('docker engine', startDocker) : true,
  ]);

  /** The second database then runs what can differ there, and fewer kills: unlike the supervised one it outlives them. */
  const repeats = chosen.has('embedded') && filters.length === 0;
  const quick = Promise.all([
    chosen.has('unit') && vitest('unit', 'unit', {}),
    postgres &&
      vitest('postgres', 'server', {
        TEST_DB: 'postgres',
        DATABASE_URL: postgres.url,
        // Everything else runs on the first database; vitest.config.ts lists what is repeated.
        ...(repeats ? { TEST_SECOND_DATABASE: '1', CHAOS_KILLS: '20' } : {}),
      }),
  ]);
  await Promise.all([
    chosen.has('embedded') && vitest('embedded', 'server', { TEST_DB: 'embedded', DATABASE_URL: undefined }),
    // These wait for containers and killed servers most of the time, while the others compute.
    chosen.has('docker') &&
      docker &&
      vitest('docker', 'docker', { TEST_DB: 'embedded', DATABASE_URL: undefined }),
    chosen.has('e2e') && quick.then(playwright),
    quick,
  ]);
  // One after the other, on a machine that has nothing else to do.
  for (const one of repeatable) await repeat(one);
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
  sum.failed += 1;
}

async function startDocker(): Promise<void> {
  const { ensureDocker, ensureTestImages } = await import('./docker');
  const docker = await ensureDocker();
  if ('reason' in docker) throw new Error(docker.reason);
  endings.push(() => docker.stop());
  await ensureTestImages(docker.socket);
  engine = docker.socket;
}

const JSON_REPORT = ['--reporter=default', '--reporter=json'];

async function vitest(name: string, project: string, env: Record<string, string | undefined>): Promise<void> {
  await suite(name, async (files) => {
    const report = path.join(work, `${name}.json`);
    const args = ['run', '--project', project, '--passWithNoTests', ...JSON_REPORT];
    return runSuite(
      [bin('vitest/vitest.mjs'), ...args, `--outputFile.json=${report}`, ...files],
      { TEST_BUILT: '1', ...env },
      async () => readVitestReport(await readFile(report, 'utf8')),
    );
  });
}

async function playwright(): Promise<void> {
  let runs = 0;
  await suite('e2e', async (files) => {
    const report = path.join(work, 'e2e.json');
    const env = {
      E2E_REPORT: report,
      E2E_PORT: String(await freePort()),
      E2E_DATA_DIR: path.join(work, `e2e-${(runs += 1)}`),
      DATABASE_URL: undefined,
    };
    const ran = await runSuite(
      [bin('@playwright/test/cli.js'), 'test', '--pass-with-no-tests', ...files],
      env,
      async () => readBrowserReport(await readFile(report, 'utf8')),
    );
    // Containers outlive their server by design; those of the suite must not outlive the suite.
    const id = await readFile(path.join(env.E2E_DATA_DIR, 'teepod/id'), 'utf8').catch(() => undefined);
    if (id && engine) await (await import('./docker')).removeTeepodContainers(engine, id.trim());
    return ran;
  });
}

interface Ran {
  /** Empty without a report, in which case `code` says that something failed. */
  files: FileResult[];
  code: number;
}

async function runSuite(
  args: string[],
  env: Record<string, string | undefined>,
  read: () => Promise<FileResult[]>,
): Promise<Ran> {
  const { code, output } = await runNode(args, { env, show: alone });
  if (!alone && code !== 0) console.log(output.trimEnd());
  // Figures that a suite measured on its way are worth reading when all went well, too.
  else if (!alone)
    for (const line of output.split('\n')) if (/chaos: \d/.test(line)) console.log(line.trim());
  const files = await read().catch((error: unknown) => {
    console.log(`no report: ${String(error)}`);
    return null;
  });
  return { files: files ?? [], code: files ? code : code || 1 };
}

/** Runs one suite and adds what its report says. One that ends badly counts as failed whatever it reports. */
async function suite(name: string, start: (files: string[]) => Promise<Ran>): Promise<void> {
  const since = Date.now();
  console.log(`running ${name}`);
  const { files, code } = await start(filters);
  const counts = total(files);
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  else if (filters.length === 0) repeatable.push({ name, files, again: start });
  add(counts);
  console.log(`${lineOf(name, counts)} (${seconds(since)})`);
}

/** Runs the files of a suite that failed again and counts what they do then. */
async function repeat({ name, files, again }: Suited): Promise<void> {
  const failed = files.filter((one) => one.failed > 0);
  if (failed.length === 0 || failed.length > MAX_REPEATED) return;
  const since = Date.now();
  console.log(`running again, of ${name}: ${failed.map(({ file }) => file).join(', ')}`);
  const ran = await again(failed.map(({ file }) => file));
  const counts = total(ran.files);
  console.log(`${lineOf(name, counts)} (${seconds(since)})`);
  if (ran.code !== 0 || counts.passed === 0) return;
  const before = total(failed);
  add({
    passed: counts.passed - before.passed,
    failed: -before.failed,
    skipped: counts.skipped - before.skipped,
  });
  secondTries.push(...failed.flatMap(({ failures }) => failures));
}

function total(files: readonly Counts[]): Counts {
  const of = (key: keyof Counts) => files.reduce((count, file) => count + file[key], 0);
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
}

function add(counts: Counts): void {
  for (const key of ['passed', 'failed', 'skipped'] as const) sum[key] += counts[key];
}

const lineOf = (name: string, { passed, failed, skipped }: Counts) =>
  `${failed > 0 ? 'FAILED ' : 'ok     '} ${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`;

function report(): void {
  const nothing = sum.passed + sum.failed === 0;
  if (nothing) console.log('no test matched');
  for (const line of secondTries) console.log(`passed on the second try: ${line}`);
  console.log(`tested in ${seconds(started)}`);
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
  // Handles that a suite left open must not keep the result waiting.
  process.exit(sum.failed > 0 || nothing ? 1 : 0);
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
